import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { sqlitePath } from '../../src/database/open-store.ts';
import { run } from '../../src/operation.ts';
import { engines } from '../support/engines.ts';
import { somebody } from '../support/many-scripts.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';

/** The words of the index, and all bytes of the database and its log. */
function onDisk(path: string) {
  using db = new DatabaseSync(path);
  db.exec(`create virtual table temp.words using fts5vocab(main, contact_words, 'row')`);
  const words = db
    .prepare('select term from temp.words')
    .all()
    // Each begins with the code of its chatbot.
    .map(({ term }) => String(term).slice(4));
  const bytes = globSync(`${path}*`)
    .map((file) => readFileSync(file, 'latin1'))
    .join('')
    .toLowerCase();
  return { words, bytes };
}

const planted = ['zyplantedname', 'zyplantedmail', 'zyplantedfirm', '98761234', 'zyplantedtag', 'zyplantedlater'];

it('nothing is left in the file or its log of a contact that was deleted for good, once the job has run', async () => {
  await using opened = await engines[0].open();
  const path = sqlitePath(opened.url) ?? '';
  const store = await opened.another();
  const random = seededRandom(6);
  const others = Array.from({ length: 400 }, (_, i) => aContact(somebody(random, `other-${i}`)));
  const { projectId, chatbotId } = await aProject(store, { contacts: others.slice(0, 200) });
  const contact = aContact({
    id: 'gone',
    name: 'Zyplantedname',
    email: 'zyplantedmail@example.com',
    company: 'Zyplantedfirm',
    phone: '98761234',
    tags: ['zyplantedtag'],
  });
  await storeContacts(store, projectId, chatbotId, [contact]);
  const actor = operator(projectId);
  const contactId = contact.id;
  const properties = { job_title: 'Zyplantedlater' };
  await run(updateContact, store, actor, { chatbotId, contactId, properties });
  await storeContacts(store, projectId, chatbotId, others.slice(200));
  const before = onDisk(path);
  for (const text of planted) expect([text, before.words.includes(text)]).toEqual([text, true]);
  await run(deleteContact, store, actor, { chatbotId, contactId });
  await run(deleteContact, store, actor, { chatbotId, contactId, purge: true });
  await Array.fromAsync(store.upkeep.mergeIndex());
  const after = onDisk(path);
  for (const text of planted) {
    expect([text, after.words.includes(text), after.bytes.includes(text)]).toEqual([text, false, false]);
  }
  expect(after.bytes).not.toContain('zyplanted');
  // The others are there, and nothing is left to do.
  expect(after.words.length).toBeGreaterThan(100);
  expect(await Array.fromAsync(store.upkeep.mergeIndex())).toEqual([]);
});

it('is done again while somebody reads the log, which then cannot be cut', async () => {
  await using opened = await engines[0].open();
  const path = sqlitePath(opened.url) ?? '';
  const store = await opened.another();
  const { projectId, chatbotId } = await aProject(store, {
    contacts: [aContact({ id: 'gone', name: 'Zyplantedname' })],
  });
  {
    using reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('begin; select count(*) from contacts');
    await run(deleteContact, store, operator(projectId), { chatbotId, contactId: 'gone', purge: true });
    await Array.fromAsync(store.upkeep.mergeIndex());
    expect(onDisk(path).bytes).toContain('zyplantedname');
  }
  await Array.fromAsync(store.upkeep.mergeIndex());
  expect(onDisk(path).bytes).not.toContain('zyplantedname');
});

it('by a command does not keep the write lock while somebody reads the log, as Litestream does all the time', async () => {
  await using opened = await engines[0].open();
  const { store } = opened;
  const { projectId, chatbotId } = await aProject(store, { contacts: [aContact({ id: 'gone' })] });
  using reader = new DatabaseSync(sqlitePath(opened.url) ?? '', { readOnly: true });
  reader.exec('begin; select count(*) from contacts');
  await run(deleteContact, store, operator(projectId), { chatbotId, contactId: 'gone', purge: true });
  const startedAt = performance.now();
  await Array.fromAsync(store.upkeep.mergeIndex());
  // It would wait for the reader as long as for a lock: five seconds.
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});
