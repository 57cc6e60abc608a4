import { describe, expect, it } from 'vitest';

import { earlierDigest } from '../../src/contacts/import-keys.ts';
import { contactsByKey } from '../../src/database/contact-keys.ts';
import type { AppError } from '../../src/errors.ts';
import { engines, shared } from '../support/engines.ts';
import { aContact, aProject, importContacts, storeContacts } from '../support/people.ts';

/** Somebody whom a version before the digest of all cells stored, for the mapped cells alone. */
function storedEarlier(texts: { name: string; job_title?: string }) {
  const nobody = { email: null, phone: null, website: null };
  return aContact({
    id: 'merged',
    ...nobody,
    ...texts,
    updated_at: '2024-06-08T13:38:33+00:00',
    import_digest: earlierDigest(texts),
  });
}

describe.each(engines)('contacts on $engine', ({ open }) => {
  const opened = shared(open);

  it('are looked up by one caller of a project at a time where thousands share a value, and for nobody no more', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await aProject(store);
    const other = await aProject(store, { contacts: [aContact()] });
    const ids = Array.from({ length: 1_003 }, (_, n) => `c${String(n).padStart(4, '0')}`);
    await storeContacts(
      store,
      projectId,
      chatbotId,
      ids.map((id) => aContact({ id })),
    );
    const lookUp = (of: string, signal?: AbortSignal) =>
      store.contacts.lookup(of, undefined, 'email', 'ana@example.com', { signal });
    await expect(lookUp(projectId, AbortSignal.abort())).rejects.toThrow('aborted');
    const tried = Array.from({ length: 60 }, () => lookUp(projectId));
    const [answers, [foreign]] = await Promise.all([Promise.allSettled(tried), lookUp(other.projectId)]);
    expect(foreign?.chatbot_id).toBe(other.chatbotId);
    const ofOne = await store.contacts.lookup(projectId, chatbotId, 'email', 'ana@example.com');
    expect(ofOne.map(({ id }) => id)).toEqual(ids.toReversed());
    const found = answers.filter((one) => one.status === 'fulfilled');
    expect(found.map(({ value }) => value.length)).toEqual(found.map(() => ids.length));
    const refused = answers.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as AppError).code)).toEqual(refused.map(() => 'unavailable'));
    expect([found.length > 1, refused.length > 1]).toEqual([true, true]);
    // A few places may be those of tens of thousands of merged contacts.
    const places = [{ chatbot_id: chatbotId, id: ids[0] ?? '' }];
    const disclosed = await Promise.allSettled(
      Array.from({ length: 60 }, () => store.contacts.kept(projectId, places, {})),
    );
    expect(new Set(disclosed.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']));
    expect((await store.contacts.kept(projectId, places)).contacts).toHaveLength(1);
  });

  it('refuse to be stored with an empty text, or for a chatbot that does not exist', async () => {
    const { projectId, chatbotId } = await aProject(opened.store);
    await expect(storeContacts(opened.store, projectId, chatbotId, [aContact({ phone: '' })])).rejects.toThrow();
    await expect(storeContacts(opened.store, projectId, 'nowhere', [aContact()])).rejects.toThrow();
  });

  it('never lose their chatbot, and are never moved to another, by a statement from outside', async () => {
    const { projectId } = await aProject(opened.store, { contacts: [aContact()] });
    const { chatbotId: other } = await aProject(opened.store);
    for (const text of [
      'delete from chatbots',
      "update chatbots set id = 'another'",
      `update contacts set chatbot_id = '${other}'`,
    ]) {
      const tried = opened.database.script(`${text} where project_id = '${projectId}'`);
      await expect(tried, text).rejects.toThrow();
    }
    expect(await opened.store.chatbots.list(projectId)).toHaveLength(1);
  });

  it('are listed once each, by id in the order of its bytes, over many pages', async () => {
    const ids = Array.from({ length: 1_200 }, (_, i) => `${i % 2 ? 'B' : 'a'}-${String(i * 7919).padStart(9, '0')}`);
    const { projectId, chatbotId } = await aProject(opened.store, {
      contacts: ids.map((id) => aContact({ id })),
    });
    await aProject(opened.store, { contacts: [aContact({ id: 'elsewhere' })] });
    const listed = (await Array.fromAsync(opened.store.contacts.listAll(projectId, chatbotId)))
      .flat()
      .map(({ id }) => id);
    expect(listed).toEqual(ids.toSorted());
  });

  it('that an earlier version merged come apart, and none is stored twice', async () => {
    await using opened = await open();
    const texts = { name: 'William Smith', job_title: 'Senator' };
    const earlier = storedEarlier(texts);
    const { projectId, chatbotId } = await aProject(opened.store, { contacts: [earlier] });
    const revision = (await opened.store.contacts.find(projectId, chatbotId, 'merged'))?.revision;
    const rows = ['S000630', 'S000631', 'S000632'].map((note) => ({ ...texts, note }));
    for (const policy of ['skip', 'fail', 'update'] as const)
      expect(await importContacts(opened.store, projectId, chatbotId, rows.slice(0, 1), policy)).toEqual(['unchanged']);
    expect(await importContacts(opened.store, projectId, chatbotId, rows)).toEqual(['unchanged', 'created', 'created']);
    expect(await importContacts(opened.store, projectId, chatbotId, rows.toReversed())).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
    const stored = (await Array.fromAsync(opened.store.contacts.listAll(projectId, chatbotId))).flat();
    expect(stored.map(({ name }) => name)).toEqual(Array(3).fill('William Smith'));
    const merged = stored.find(({ id }) => id === 'merged');
    // Nobody sees the digest, so the revision stays.
    expect(merged).toEqual({ ...earlier, revision, import_digest: merged?.import_digest });
  });

  it.each(['skip', 'fail', 'update'] as const)(
    'that an earlier version merged come apart within one batch, with the policy %s',
    async (policy) => {
      await using opened = await open();
      const texts = { name: 'William Smith' };
      const earlier = storedEarlier(texts);
      const { projectId, chatbotId } = await aProject(opened.store, { contacts: [earlier] });
      const rows = ['1', '2', '1'].map((note) => ({ ...texts, note }));
      expect(await importContacts(opened.store, projectId, chatbotId, rows, policy)).toEqual([
        'unchanged',
        'created',
        'duplicate',
      ]);
    },
  );

  it.each([
    ['no id first', [{ name: 'A' }, { id: '00042', name: 'B' }]],
    ['no id last', [{ id: 'z0', name: 'A' }, { id: 'z1', name: 'B' }, { name: 'A' }]],
    ['no id in between', [{ id: 'z1', name: 'B' }, { name: 'C' }, { id: 'z0', name: 'A' }]],
    ['ids in falling order', [{ id: 'z2', name: 'A' }, { id: 'z1', name: 'B' }, { name: 'B' }]],
  ])('that share an address are unchanged by a second import of their file: %s', async (_case, people) => {
    const { projectId, chatbotId } = await aProject(opened.store);
    const rows = people.map((one) => ({ ...one, email: 'shared@example.com' }));
    const everybody = () => Array.fromAsync(opened.store.contacts.listAll(projectId, chatbotId));
    const first = await importContacts(opened.store, projectId, chatbotId, rows);
    const stored = await everybody();
    const second = await importContacts(opened.store, projectId, chatbotId, rows);
    expect(await everybody()).toEqual(stored);
    expect(second).toEqual(first.map((outcome) => (outcome === 'created' ? 'unchanged' : outcome)));
  });

  it('know a row that is equal to any earlier one, whatever came in between or became of it', async () => {
    const { projectId, chatbotId } = await aProject(opened.store, {
      contacts: [aContact({ id: 'other', email: 'b@example.com' })],
    });
    const a = { email: 'a@example.com', name: 'A' };
    const b = { email: 'b@example.com', name: 'B' };
    const rows = [a, { ...a, note: '1' }, { ...a, name: 'C' }, a, { ...a, note: '1' }, { ...a, name: 'C' }, b, b];
    const refused = { refused: expect.any(String), differing: ['name'] };
    const same = ['duplicate', 'duplicate', 'duplicate'];
    expect(await importContacts(opened.store, projectId, chatbotId, rows, 'fail')).toEqual([
      'created',
      'unchanged',
      refused,
      ...same,
      refused,
      'duplicate',
    ]);
    expect(await importContacts(opened.store, projectId, chatbotId, rows, 'skip')).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
      ...same,
      'unchanged',
      'duplicate',
    ]);
    expect(await importContacts(opened.store, projectId, chatbotId, rows)).toEqual([
      'unchanged',
      'unchanged',
      refused,
      ...same,
      'updated',
      'duplicate',
    ]);
  });

  it('that two imports meet at once are created once', async () => {
    const { projectId, chatbotId } = await aProject(opened.store);
    const rows = Array.from({ length: 50 }, (_, i) => ({ email: `p${i}@example.com`, name: `P${i}` }));
    const imports = [1, 2, 3, 4].map(() => importContacts(opened.store, projectId, chatbotId, rows));
    const outcomes = (await Promise.all(imports)).flat();
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(50);
    const pages = await Array.fromAsync(opened.store.contacts.listAll(projectId, chatbotId));
    expect(pages.flat()).toHaveLength(50);
  });
});

describe('an import into PostgreSQL', () => {
  it('is read by indexes on the whole key once there is something to read', async () => {
    await using opened = await engines[1].open();
    const { projectId, chatbotId } = await aProject(opened.store);
    const rows = Array.from({ length: 2_000 }, (_, i) => ({ email: `p${i}@example.com` }));
    await importContacts(opened.store, projectId, chatbotId, rows);
    const text = `explain select id from contacts where project_id = '${projectId}'
      and chatbot_id = '${chatbotId}' and email_key in ('p1@example.com', 'p2@example.com')`;
    const plan = await opened.database.all<object>({ pieces: [text], values: [] });
    expect(JSON.stringify(plan)).toContain('contacts_by_email');
  });
});

describe('an import into SQLite', () => {
  it.each(['id', 'email', 'digest'] as const)(
    'finds contacts by %s through an index on the whole key',
    async (kind) => {
      await using opened = await engines[0].open();
      const { pieces, values } = contactsByKey(opened.database, 'p', ['b'], kind, ['x', 'y', 'z']);
      const plan = await opened.database.all<{ detail: string }>({
        pieces: [`explain query plan ${pieces[0]}`, ...pieces.slice(1)],
        values,
      });
      const column = { id: 'id', email: 'email_key', digest: 'import_digest' }[kind];
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(new RegExp(`^SEARCH contacts .*project_id=\\? AND chatbot_id=\\? AND ${column}=\\?`)),
      ]);
    },
  );
});
