import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { listContacts } from '../../src/contacts/list.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { at } from '../support/clock.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { importText } from '../support/files.ts';
import { aContact, aProject } from '../support/people.ts';

// What files change is the same on both engines: contact-changes.test.ts.
const opened = shared(engines[0].open);
const before = '2026-01-01T00:00:00+00:00';
const later = new Date('2026-02-01T00:00:00Z');

/** A chatbot with these contacts. */
async function aDesk(store: Store, ...contacts: StoredContact[]) {
  const { projectId, chatbotId } = await aProject(store, { contacts });
  const desk = { store, projectId, chatbotId };
  return {
    import: (text: string, given: Parameters<typeof importText>[2] = {}) => importText(desk, text, given),
    one: async (id: string) => store.contacts.findWhole(projectId, chatbotId, id),
    all: async () => (await Array.fromAsync(store.contacts.listAll(projectId, chatbotId))).flat(),
    remove: (contactId: string) => run(deleteContact, store, operator(projectId), { chatbotId, contactId }),
    count: async () => {
      const input = { chatbotId, per_page: 1 };
      const { output } = await run(listContacts, store, operator(projectId), input);
      return (output as { pages?: { last_page: number } }).pages?.last_page;
    },
    events: async () =>
      (await eventsOf(store, projectId)).flatMap(({ type, contact_id, contact_ids }) =>
        type.startsWith('contact.') ? [[type, contact_ids ?? [contact_id]]] : [],
      ),
  };
}

describe('tags and attributes in a file', () => {
  it('replace the tags, add to the attributes, and leave both where a cell is empty', async () => {
    const desk = await aDesk(opened.store, aContact({ id: 'a', tags: ['old'], attributes: { kept: 1, party: 'Red' } }));
    const text = 'id,tags,attributes.party\na," VIP; new|vip, ",Blue\n';
    expect(await desk.import(text)).toMatchObject({ updated: 1 });
    const stored = { tags: ['new', 'vip'], attributes: { kept: 1, party: 'Blue' } };
    expect(await desk.one('a')).toMatchObject(stored);
    expect(await desk.import(text)).toMatchObject({ unchanged: 1 });
    expect(await desk.import('id,tags,attributes.party,city\na, ; ,,Rome\n')).toMatchObject({ updated: 1 });
    expect(await desk.one('a')).toMatchObject({ ...stored, city: 'Rome' });
  });

  it('may be lists, numbers, true and false in JSON, by the names of an export or one by one', async () => {
    const desk = await aDesk(opened.store);
    const row = {
      id: 'a',
      name: 'A',
      tags: ['B', ' a '],
      attributes: { n: 1.5, yes: true, no: null },
      'attributes.t': 'x',
    };
    const text = `[${JSON.stringify(row)}]`;
    await desk.import(text);
    expect(await desk.one('a')).toMatchObject({ tags: ['a', 'b'], attributes: { n: 1.5, t: 'x', yes: true } });
    expect(await desk.import(text)).toMatchObject({ unchanged: 1 });
    // CSV knows texts only: what is written alike is the same.
    expect(await desk.import('id,attributes.n,attributes.yes\na,1.5,true\n')).toMatchObject({ unchanged: 1 });
    expect(await desk.import('id,attributes.n\na,2\n')).toMatchObject({ updated: 1 });
    expect((await desk.one('a'))?.attributes).toEqual({ n: '2', t: 'x', yes: true });
  });

  it('that cannot be kept reject the row, each with its reason', async () => {
    const desk = await aDesk(opened.store, aContact({ id: 'full', attributes: numbered(50) }));
    const rows = [
      { tags: ['a,b'] },
      { tags: 'x'.repeat(41) },
      { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) },
      { tags: { a: 1 } },
      { attributes: { Bad: 1 } },
      { attributes: { a: [1] } },
      { attributes: 'no object' },
      { 'attributes.a': 'x'.repeat(1_001) },
      { attributes: numbered(51) },
      { attributes: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, 'ä'.repeat(900)])) },
      { id: 'full', 'attributes.more': 'x' },
    ];
    const text = rows.map((row, i) => JSON.stringify({ id: `r${i}`, name: 'A', ...row })).join('\n');
    const { rejected, reasons } = await desk.import(`${text}\n`, { format: 'ndjson' });
    expect(rejected).toBe(rows.length);
    expect(Object.values(reasons)).toEqual([
      'tags has one that holds , ; or |',
      'tags has one that is longer than 40 characters',
      'tags has more than 50 of them',
      'tags is not a list of texts',
      'attributes has a bad name: each must begin with a letter a to z and go on with at most 39 letters a to z, digits or _',
      'attributes.a is neither a text, a number, true nor false',
      'attributes is not an object',
      'attributes.a is longer than 1000 characters',
      'attributes would be more than 50',
      'attributes would have more than 16384 bytes',
      'attributes would be more than 50',
    ]);
  });

  it('of later rows of the file may add an attribute, and contradict no value', async () => {
    const desk = await aDesk(opened.store);
    const text =
      'email,tags,attributes.a,attributes.b\nx@example.com,,1,\nx@example.com,vip,,2\nx@example.com,other,3,2\n';
    const first = await desk.import(text);
    expect(first).toMatchObject({ created: 1, updated: 1, rejected: 1 });
    expect(first.reasons).toEqual({ 4: 'contradicts line 3: attributes.a, tags' });
    expect(await desk.import(text)).toMatchObject({ unchanged: 2, rejected: 1 });
  });
});

function numbered(count: number) {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, i]));
}

describe('the external id of a row', () => {
  it('that is too long rejects the row, in a lenient import too', async () => {
    const desk = await aDesk(opened.store);
    const { reasons } = await desk.import(`external_id,email\n${'x'.repeat(256)},a@example.com\n`, { lenient: true });
    expect(reasons).toEqual({ 2: 'external_id is longer than 255 characters' });
  });
});

describe('somebody in the bin', () => {
  it('is restored and updated by a row with the id, and told of as restored', async () => {
    const stored = aContact({ id: 'a', external_id: '1', tags: ['vip'], attributes: { a: 1 }, created_at: before });
    const desk = await aDesk(opened.store, stored);
    await desk.remove('a');
    const text = 'id,name,city,created_at\na,Ana,Rome,2020-01-01\nb,Bo,,\n';
    expect(await desk.import(text, { dryRun: true })).toMatchObject({ created: 2 });
    expect(await desk.all()).toEqual([]);
    expect(await desk.import(text)).toMatchObject({ created: 2 });
    const changed = { updated_at: expect.any(String), revision: expect.any(Number) };
    expect(await desk.one('a')).toEqual({ ...stored, name: 'Ana', city: 'Rome', ...changed });
    expect((await desk.events()).slice(1)).toEqual([
      ['contact.deleted', ['a']],
      ['contact.created', ['b']],
      ['contact.restored', ['a']],
    ]);
    expect(await desk.import(text)).toMatchObject({ unchanged: 2 });
    expect(await desk.count()).toBe(2);
    // Nobody is in the bin any more.
    await desk.remove('a');
    expect(await desk.import('id,name\na,Ana\n')).toMatchObject({ created: 1 });
  });

  it('is not found by address, external id or row: those people come in anew', async () => {
    const desk = await aDesk(opened.store);
    const text = 'name,email,external id\nA,a@example.com,\nB,,b\nC,,\n';
    await desk.import(text);
    const ids = (await desk.all()).map(({ id }) => id);
    for (const id of ids) await desk.remove(id);
    expect(await desk.import(text)).toMatchObject({ created: 3 });
    expect((await desk.all()).filter(({ id }) => ids.includes(id))).toEqual([]);
  });
});

describe('the time of change', () => {
  it('is set for who is new, moves with a difference, and stays otherwise', async () => {
    const desk = await aDesk(
      opened.store,
      aContact({ id: 'same', name: 'S', updated_at: before }),
      aContact({ id: 'moved', updated_at: before }),
    );
    const text = 'id,name\nsame,S\nmoved,M\nnew,N\n';
    const times = async () => (await desk.all()).map(({ id, updated_at }) => [id, updated_at]);
    await at(later, () => desk.import(text));
    const after = [
      ['moved', '2026-02-01T00:00:00+00:00'],
      ['new', '2026-02-01T00:00:00+00:00'],
      ['same', before],
    ];
    expect(await times()).toEqual(after);
    await desk.import(text);
    expect(await times()).toEqual(after);
  });
});
