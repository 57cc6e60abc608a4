import { describe, expect, it } from 'vitest';

import { appOfFile } from '../support/app.ts';
import { aDesk } from '../support/full-desk.ts';
import { aContact, aProject, createChatbot, storeContacts } from '../support/people.ts';

const server = appOfFile();

type Row = Record<string, unknown> & { id: string; chatbot_id: string };
type Disclosed = Record<'contacts' | 'deleted' | 'events', Row[]>;

const namesOf = (rows: readonly Row[]) => rows.map(({ id }) => id).toSorted();

/** Ana is in two chatbots, in the bin of one and merged in the other; Bo stays whom he is. */
async function openDesk() {
  const desk = await aDesk(server, { contacts: [aContact({ id: 'a' })] });
  const { projectId, chatbotId } = desk;
  const second = (await createChatbot(server.store, projectId, { name: 'Second' })).id;
  const ask = (path: string, payload?: object, headers = {}) => desk.ask('POST', `/v2${path}`, payload, headers);
  const store = (chatbot: string, ...people: Parameters<typeof aContact>[0][]) =>
    storeContacts(
      server.store,
      projectId,
      chatbot,
      people.map((one) => aContact(one)),
    );
  await store(chatbotId, { id: 'binned', phone: null }, { id: 'bo', email: 'bo@example.com', phone: null });
  await desk.ask('DELETE', '/binned');
  const keeper = { id: 'keeper', email: 'other@example.com', phone: null, external_id: 'crm-1' };
  await store(second, keeper, { id: 'source', phone: null, name: 'Source' });
  expect((await ask(`/chatbots/${second}/contacts/keeper/merge`, { from: ['source'] })).status).toBe(200);
  return {
    ...desk,
    second,
    ask,
    store,
    disclose: async (whom: object) => (await ask('/contacts/disclose', whom)).data as unknown as Disclosed,
    erase: (contacts: object, more = {}, headers = {}) => ask('/contacts/erase', { contacts, ...more }, headers),
    erasures: async () => (await desk.events()).filter(({ type }) => type === 'contacts.erased'),
  };
}

describe('POST /v2/contacts/disclose', () => {
  it('has all that is kept of a person: there, in the bin, merged and into whom, and the events about them alone', async () => {
    const desk = await openDesk();
    const found = await desk.disclose({ email: 'ANA@example.com' });
    expect(namesOf(found.contacts)).toEqual(['a', 'keeper']);
    expect(Object.keys(found.contacts[0] ?? {}).slice(0, 2)).toEqual(['chatbot_id', 'id']);
    expect(found.contacts[0]).toMatchObject({ attributes: {}, tags: [], industry: null });
    expect(namesOf(found.deleted)).toEqual(['binned', 'source']);
    expect(found.deleted.find(({ id }) => id === 'binned')).toHaveProperty('deleted_at');
    expect(found.deleted.find(({ id }) => id === 'source')).toMatchObject({
      chatbot_id: desk.second,
      email: 'ana@example.com',
      merged_into: 'keeper',
    });
    expect(new Set(found.events.map((one) => one['type']))).toEqual(
      new Set(['contact.created', 'contact.deleted', 'contact.merged']),
    );
    expect(JSON.stringify(found)).not.toContain('"bo"');
    for (const whom of [{ contacts: [{ chatbot_id: desk.second, id: 'source' }] }, { external_id: 'crm-1' }]) {
      const merged = await desk.disclose(whom);
      expect([namesOf(merged.contacts), namesOf(merged.deleted)]).toEqual([['keeper'], ['source']]);
    }
    const nobody = { contacts: [], deleted: [], events: [] };
    expect(await desk.disclose({ phone: '1234' })).toEqual(nobody);
    expect(await desk.disclose({ contacts: [{ chatbot_id: desk.second, id: 'a' }] })).toEqual(nobody);
    const other = await aProject(server.store, { scopes: ['contacts:read', 'contacts:write'] });
    const place = { contacts: [{ chatbot_id: desk.chatbotId, id: 'a' }] };
    const toOther = { authorization: `Bearer ${other.token}` };
    expect((await desk.ask('/contacts/disclose', place, toOther)).data).toEqual(nobody);
  });

  it('shows the values that a merge replaced and an undo gives back, and finds by them', async () => {
    const desk = await openDesk();
    const { second } = desk;
    const values = {
      name: 'Cy Roe',
      first_name: 'Cy',
      last_name: 'Roe',
      email: 'cy@example.com',
      phone: '+1 555 0150',
      tags: ['late'],
    };
    const other = { id: 'other', name: 'C. Roe', email: 'roe@example.com', phone: null, tags: ['vip'] };
    await desk.store(second, { id: 'one', ...values, attributes: { plan: 'pro' } }, other);
    const keep = { name: 'other', email: 'other', phone: 'other', tags: 'other' };
    const merged = await desk.ask(`/chatbots/${second}/contacts/one/merge`, { from: ['other'], keep });
    const replaced = [{ merged_at: expect.stringMatching(/\+00:00$/), values }];
    for (const whom of [{ email: 'CY@example.com' }, { phone: '15550150' }, { email: 'roe@example.com' }]) {
      const found = await desk.disclose(whom);
      expect([whom, found.contacts, namesOf(found.deleted)]).toMatchObject([
        whom,
        [{ id: 'one', email: 'roe@example.com', replaced }],
        ['other'],
      ]);
      expect(found.deleted[0]).not.toHaveProperty('replaced');
    }
    await desk.ask(`/chatbots/${second}/merges/${String(merged.data['merge_id'])}/undo`);
    expect((await desk.disclose({ email: 'cy@example.com' })).contacts[0]).not.toHaveProperty('replaced');
  });
});

describe('POST /v2/contacts/erase', () => {
  it('erases nobody where dry_run is spelt otherwise', async () => {
    const desk = await openDesk();
    const contacts = [{ chatbot_id: desk.chatbotId, id: 'a' }];
    const erase = async (query: string) => (await desk.ask(`/contacts/erase?${query}`, { contacts })).json.message;
    for (const flag of 'dryRun dry-run dryrun DRY_RUN dry_run[] %20dry_run dry.run dry%E2%80%90run'.split(' ')) {
      const message = 'dry_run must be in lower case with an underscore';
      expect([flag, await erase(`${flag}=true`)]).toEqual([flag, message]);
    }
    expect(await desk.erasures()).toEqual([]);
    expect(await erase('dry=true&page=x')).toBeUndefined();
    expect(await desk.erasures()).toHaveLength(1);
  });

  it('purges a person everywhere with a receipt, and leaves out what is not there', async () => {
    const desk = await openDesk();
    const { chatbotId, second } = desk;
    const contacts = [
      { chatbot_id: chatbotId, id: 'a' },
      { chatbot_id: chatbotId, id: 'binned' },
      { chatbot_id: second, id: 'keeper' },
      { chatbot_id: second, id: 'a' },
      { chatbot_id: 'nowhere', id: 'a' },
    ];
    const dry = await desk.ask('/contacts/erase?dry_run=true', { contacts }, { 'idempotency-key': 'erase' });
    expect(dry.data).toEqual({ receipt_id: null, erased_at: null, contacts: 3, reference: null });
    expect(namesOf((await desk.disclose({ email: 'ana@example.com' })).contacts)).toEqual(['a', 'keeper']);
    const key = { 'idempotency-key': 'erase' };
    const first = await desk.erase(contacts, { reference: 'Request 7' }, key);
    const receipt = first.data as unknown as { receipt_id: string };
    expect(receipt).toEqual({
      receipt_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      erased_at: expect.stringMatching(/\+00:00$/),
      contacts: 3,
      reference: 'Request 7',
    });
    const again = await desk.erase(contacts, { reference: 'Request 7' }, key);
    expect([again.data, again.headers['idempotent-replayed']]).toEqual([receipt, 'true']);
    const found = await desk.disclose({ email: 'ana@example.com' });
    expect([found.contacts, found.deleted]).toEqual([[], []]);
    expect(namesOf((await desk.disclose({ email: 'bo@example.com' })).contacts)).toEqual(['bo']);
    const told = (await desk.erasures()).map((one) => [one.chatbot_id, one.contact_ids?.toSorted(), one.receipt_id]);
    expect(told).toEqual(
      expect.arrayContaining([
        [chatbotId, ['a', 'binned'], receipt.receipt_id],
        [second, ['keeper', 'source'], receipt.receipt_id],
      ]),
    );
    expect(told).toHaveLength(2);
    expect(JSON.stringify(await desk.erasures())).not.toContain('Request 7');
    expect((await desk.erase(contacts)).data).toMatchObject({ contacts: 0 });
    expect(await desk.erasures()).toHaveLength(2);
  });

  it('of the same chatbots in any order, beside writes there, never waits for another for good', async () => {
    const desk = await openDesk();
    const { chatbotId, second } = desk;
    const places = Array.from({ length: 20 }, (_, i) => ({
      chatbot_id: i % 2 === 0 ? chatbotId : second,
      id: `p${i}`,
    }));
    for (const owner of [chatbotId, second]) {
      await desk.store(owner, ...places.filter(({ chatbot_id }) => chatbot_id === owner).map(({ id }) => ({ id })));
    }
    const erasing = Array.from({ length: 10 }, (_, i) => {
      const pair = places.slice(2 * i, 2 * i + 2);
      return desk.erase(i % 2 === 0 ? pair : pair.toReversed());
    });
    const writing = [chatbotId, second].flatMap((owner) =>
      Array.from({ length: 10 }, () => desk.ask(`/chatbots/${owner}/contacts`, { properties: { name: 'New' } })),
    );
    const answers = await Promise.all([...erasing, ...writing]);
    expect(answers.map(({ status }) => status)).toEqual([...erasing.map(() => 200), ...writing.map(() => 201)]);
    expect(await desk.erasures()).toHaveLength(20);
  });
});
