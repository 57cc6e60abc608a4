import { describe, expect, it } from 'vitest';

import { routes } from '../../src/http/routes.ts';
import { appOfFile } from '../support/app.ts';
import { aDesk, type Method } from '../support/full-desk.ts';

const server = appOfFile();

async function openDesk() {
  const desk = await aDesk(server);
  const idOf = async (...asked: Parameters<typeof desk.ask>) => String((await desk.ask(...asked)).data['id']);
  return {
    ...desk,
    aContact: (name = 'ana') => desk.create({ email: `${name}@example.com` }),
    aMember: () => idOf('POST', '/v2/members', { email: 'eve@example.com', roles: ['Viewer'] }),
    aWebhook: () => idOf('POST', '/v2/webhooks', { url: 'https://example.com/hook', events: ['contact.*'] }),
  };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;
type Asked = readonly [method: Method, url: string, payload?: object];

/** A request of each operation that writes, but those that have no key. */
const requests: Readonly<Record<string, (desk: Desk) => Promise<Asked>>> = {
  createWebhook: async () => ['POST', '/v2/webhooks', { url: 'https://example.com/hook', events: ['contact.*'] }],
  updateWebhook: async (desk) => ['PATCH', `/v2/webhooks/${await desk.aWebhook()}`, { payload: 'full' }],
  deleteWebhook: async (desk) => ['DELETE', `/v2/webhooks/${await desk.aWebhook()}`],
  rotateWebhook: async (desk) => ['POST', `/v2/webhooks/${await desk.aWebhook()}/rotate`, {}],
  replayWebhook: async (desk) => ['POST', `/v2/webhooks/${await desk.aWebhook()}/replay`, { after: '*' }],
  updateProjectSettings: async () => ['PATCH', '/v2/project/settings', { name: 'Sample Ltd' }],
  inviteMember: async () => ['POST', '/v2/members', { email: 'eve@example.com', roles: ['Viewer'] }],
  reinviteMember: async (desk) => ['POST', `/v2/members/${await desk.aMember()}/invitation`],
  updateMember: async (desk) => ['PATCH', `/v2/members/${await desk.aMember()}`, { roles: ['Agent'] }],
  removeMember: async (desk) => ['DELETE', `/v2/members/${await desk.aMember()}`],
  createChatbot: async () => ['POST', '/v2/chatbots', { name: 'Front' }],
  updateChatbot: async ({ chatbotId }) => ['PATCH', `/v2/chatbots/${chatbotId}`, { visibility: 'public' }],
  createContact: async () => ['POST', '', { properties: { name: 'Bo' } }],
  upsertContact: async () => ['POST', '/upsert', { match: { email: 'bo@example.com' } }],
  bulkContacts: async () => ['POST', '/bulk', { items: [{ op: 'create', properties: { name: 'Bo' } }] }],
  updateContact: async (desk) => ['PATCH', `/${await desk.aContact()}`, { properties: { tags: { add: ['vip'] } } }],
  dismissDuplicates: async (desk) => {
    const contact_ids = [await desk.aContact(), await desk.aContact()];
    return ['POST', '/duplicates/dismiss', { contact_ids }];
  },
  mergeContacts: async (desk) => ['POST', `/${await desk.aContact()}/merge`, { from: [await desk.aContact('bo')] }],
  undoMerge: async (desk) => {
    const from = [await desk.aContact('bo')];
    const { data } = await desk.ask('POST', `/${await desk.aContact()}/merge`, { from });
    return ['POST', `/v2/chatbots/${desk.chatbotId}/merges/${String(data['merge_id'])}/undo`];
  },
  eraseContacts: async (desk) => {
    const contacts = [{ chatbot_id: desk.chatbotId, id: await desk.aContact() }];
    return ['POST', '/v2/contacts/erase', { contacts, reference: 'Request 1' }];
  },
  deleteContact: async (desk) => ['DELETE', `/${await desk.aContact()}`],
  restoreContact: async (desk) => {
    const path = `/${await desk.aContact()}`;
    await desk.ask('DELETE', path);
    return ['POST', `${path}/restore`];
  },
};

describe('a write that is sent again with its Idempotency-Key', () => {
  it.each(Object.entries(requests))('by %s changes nothing, and is answered as the first was', async (_, request) => {
    const desk = await openDesk();
    const [method, url, payload] = await request(desk);
    const send = (key: string) => desk.ask(method, url, payload, { 'idempotency-key': key });
    const first = await send('once');
    const after = await desk.events();
    const again = await send('"once"');
    // A link is shown once.
    const told = ({ status, body }: typeof first) => [
      status,
      body
        .replace(/"invitation":\{.*?\}/, '"invitation":null')
        .replace(/"secret":".*?"/, '"secret":null')
        // The event of the write itself is later than the webhook has come.
        .replace(/"behind":\d+/, '"behind":0'),
    ];
    expect(told(again)).toEqual(told(first));
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(again.headers['location']).toBe(first.headers['location']);
    expect(again.headers['etag']?.split('.')[0]).toBe(first.headers['etag']?.split('.')[0]);
    expect(await desk.events()).toEqual(after);
    const other = await desk.ask(method, `${url}?x=1`, payload, { 'idempotency-key': 'once' });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    expect(other.json.message).toMatch(/; a repeat is the same to the byte$/);
  });

  it('is every one but an accepted invitation, and a test of a webhook, which is sent each time', () => {
    const written = routes.filter(({ operation }) => operation.kind === 'write').map(({ operation }) => operation.name);
    expect(new Set([...Object.keys(requests), 'acceptInvitation', 'testWebhook'])).toEqual(new Set(written));
  });

  it('is 200 again where its If-Match is no longer right', async () => {
    const desk = await openDesk();
    const path = `/${await desk.aContact()}`;
    const tag = (await desk.ask('GET', path)).headers['etag'];
    const send = (method: Method, payload?: object, key = 'a') =>
      desk.ask(method, path, payload, { 'idempotency-key': key, 'if-match': tag });
    const payload = { properties: { city: 'Rome' } };
    const first = await send('PATCH', payload);
    for (let i = 0; i < 2; i++) expect((await send('PATCH', payload)).headers['etag']).toBe(first.headers['etag']);
    expect((await send('PATCH', payload, 'b')).status).toBe(412);
    // A refusal frees the key.
    expect((await desk.ask('PATCH', path, payload, { 'idempotency-key': 'b' })).status).toBe(200);
  });

  it('shows what is stored now, by the include of the repeat, and null for what is gone', async () => {
    const desk = await openDesk();
    const path = `/${await desk.aContact()}`;
    const send = (query: string) =>
      desk.ask('PATCH', `${path}${query}`, { properties: { city: 'Rome' } }, { 'idempotency-key': 'once' });
    await send('');
    await desk.ask('PATCH', path, { properties: { city: 'Oslo', tags: ['vip'] } });
    for (const query of ['?include=tags,details', '?include=tags&include[]=details']) {
      expect((await send(query)).data).toMatchObject({ city: 'Oslo', tags: ['vip'] });
    }
    await desk.ask('DELETE', path);
    expect([(await send('')).status, (await send('')).data]).toEqual([200, null]);
  });

  it('to delete is done, and leaves alone whoever was restored since', async () => {
    const desk = await openDesk();
    const path = `/${await desk.aContact()}`;
    const remove = () => desk.ask('DELETE', path, undefined, { 'idempotency-key': 'once' });
    const purge = () => desk.ask('DELETE', `${path}?purge=true`, undefined, { 'idempotency-key': 'once' });
    expect((await remove()).body).toBe('{"status":"success"}');
    await desk.ask('POST', `${path}/restore`);
    expect([(await remove()).status, (await remove()).body]).toEqual([200, '{"status":"success"}']);
    expect((await purge()).json.code).toBe('idempotency_key_reused');
    expect((await desk.ask('GET', path)).status).toBe(200);
  });

  it('is done though many others with keys of their own write the same things at once', async () => {
    const desk = await openDesk();
    const member = `/v2/members/${await desk.aMember()}`;
    const asked = Array.from({ length: 8 }, (_, i): Asked[] => [
      ['PATCH', '/v2/project/settings', { name: `Name ${i}` }],
      ['POST', '/v2/chatbots', { name: `Bot ${i}` }],
      ['PATCH', `/v2/chatbots/${desk.chatbotId}`, { name: `Desk ${i}` }],
      ['PATCH', member, { roles: [i % 2 === 0 ? 'Agent' : 'Viewer'] }],
      ['POST', '/v2/members', { email: `p${i}@example.com`, roles: ['Viewer'] }],
    ]).flat();
    const answers = await Promise.all(
      asked.map(([method, url, payload], i) => desk.ask(method, url, payload, { 'idempotency-key': `${i}` })),
    );
    expect(answers.filter(({ status }) => status >= 300).map(({ status, body }) => [status, body])).toEqual([]);
  });

  it('may have a slash at the end of its path, or none', async () => {
    const desk = await openDesk();
    const path = `/${await desk.aContact()}`;
    const patch = (url: string) =>
      desk.ask('PATCH', url, { properties: { city: 'Rome' } }, { 'idempotency-key': 'once' });
    await patch(path);
    for (const url of [`${path}/`, `${path}/?include=tags`]) {
      expect((await patch(url)).headers['idempotent-replayed']).toBe('true');
    }
  });

  it('is not checked for dry runs, reads and for the acceptance of an invitation', async () => {
    const desk = await openDesk();
    const ignored = { 'idempotency-key': 'ä'.repeat(300) };
    const lookup = { email: 'ana@example.com' };
    const member = `/v2/members/${await desk.aMember()}?dry_run=true`;
    expect((await desk.ask('DELETE', member, undefined, ignored)).status).toBe(200);
    expect((await desk.ask('PATCH', member, { roles: ['Agent'] }, ignored)).status).toBe(200);
    for (const [path, body, status] of [
      ['/lookup', lookup, 200],
      ['/search', {}, 200],
      ['/v2/invitations/accept', { token: 'unknown' }, 404],
    ] as const) {
      expect((await desk.ask('POST', path, body, ignored)).status).toBe(status);
    }
  });
});
