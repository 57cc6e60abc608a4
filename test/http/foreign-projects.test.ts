import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scopes } from '../../src/actor.ts';
import { openApp, type TestApp } from '../support/app.ts';
import { document } from '../support/document.ts';
import { eventsOf } from '../support/events.ts';
import { aContact, aProject, createChatbot, type ProjectWithPeople, storeContacts } from '../support/people.ts';
import { storeWebhook } from '../support/webhooks.ts';

interface Ids {
  chatbotId: string;
  contactId: string;
  second: string;
  binned: string;
  memberId: string;
  webhookId: string;
  mergeId: string;
  token: string;
}

/** What each operation is sent where it takes a body. */
const bodies: Record<string, (ids: Ids) => object> = {
  updateProjectSettings: () => ({ name: 'Other' }),
  inviteMember: () => ({ email: 'new@example.com', roles: ['Viewer'] }),
  reinviteMember: () => ({}),
  updateMember: () => ({ roles: ['Viewer'] }),
  acceptInvitation: ({ token }) => ({ token }),
  createChatbot: () => ({ name: 'New' }),
  updateChatbot: () => ({ name: 'Other' }),
  createContact: () => ({ properties: { name: 'New' } }),
  upsertContact: ({ contactId: id }) => ({ match: { id }, properties: { city: 'Rome' } }),
  bulkContacts: ({ contactId: id }) => ({ items: [{ op: 'update', id, properties: { city: 'Oslo' } }] }),
  lookUpContacts: ({ contactId }) => ({ ids: [contactId] }),
  searchContacts: () => ({ query: 'theirs' }),
  findDuplicates: () => ({}),
  dismissDuplicates: ({ contactId, second }) => ({ contact_ids: [contactId, second] }),
  updateContact: () => ({ properties: { city: 'Lima' } }),
  restoreContact: () => ({}),
  mergeContacts: ({ second }) => ({ from: [second] }),
  undoMerge: () => ({}),
  searchAllContacts: ({ chatbotId }) => ({ query: 'theirs', chatbot_ids: [chatbotId] }),
  lookUpAllContacts: () => ({ email: 'theirs@example.com' }),
  discloseContacts: () => ({ email: 'theirs@example.com' }),
  eraseContacts: ({ chatbotId, contactId: id }) => ({ contacts: [{ chatbot_id: chatbotId, id }] }),
  createWebhook: ({ chatbotId }) => ({
    url: 'https://example.com/',
    events: ['contact.*'],
    chatbot_ids: [chatbotId],
  }),
  updateWebhook: () => ({ description: 'Other' }),
  testWebhook: () => ({}),
  rotateWebhook: () => ({}),
  replayWebhook: () => ({ since: '2024-06-08T13:38:33+00:00' }),
};

const isLast = (name: string) => /^(delete|remove|erase)/.test(name);
const operations = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, responses }]) => {
      const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
      return { operationId, method: method.toUpperCase() as 'GET', path, successes };
    }),
  )
  // What takes a thing away comes after what needs it.
  .toSorted((one, other) => Number(isLast(one.operationId)) - Number(isLast(other.operationId)));
/** Those that name a thing in their path or body, so that a foreign one can be named. */
const named = operations.filter(
  ({ operationId, path }) => /\{/.test(path) || /^(searchAll|erase|createW)/.test(operationId),
);

let server: TestApp;
let own: ProjectWithPeople;
let theirs: ProjectWithPeople;
let foreign: Ids;
const unknown = { contactId: 'zz-1', second: 'zz-2', binned: 'zz-3', memberId: 'zz-m', webhookId: 'zz-w' };

beforeAll(async () => {
  server = await openApp();
  const { store } = server;
  own = await aProject(store, { scopes: [...scopes], chatbotId: 'shared' });
  const contacts = ['c-1', 'c-2', 'c-3', 'c-4', 'c-5'].map((id) =>
    aContact({ id, name: `Theirs ${id}`, email: 'theirs@example.com' }),
  );
  const members = [{ email: 'theirs@example.com', status: 'Pending' as const, roles: ['Viewer' as const] }];
  theirs = await aProject(store, { scopes: [...scopes], chatbotId: 'theirs', contacts, members });
  await createChatbot(store, theirs.projectId, { name: 'Theirs too', id: 'shared' });
  await storeContacts(store, theirs.projectId, 'shared', contacts);
  await storeWebhook(store, theirs.projectId, 'w-1', { events: ['contact.*'] });
  const asThey = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    (await ask(theirs.token, method, url, payload)).json.data as unknown as Record<string, string> & {
      members: { id: string }[];
      invitation: { url: string };
    };
  await asThey('DELETE', '/v2/chatbots/theirs/contacts/c-3');
  const { merge_id: mergeId = '' } = await asThey('POST', '/v2/chatbots/theirs/contacts/c-4/merge', { from: ['c-5'] });
  const [member] = (await asThey('GET', '/v2/members?include=id')).members;
  const { invitation } = await asThey('POST', '/v2/members', { email: 'theirs.too@example.com', roles: ['Viewer'] });
  foreign = {
    chatbotId: 'theirs',
    contactId: 'c-1',
    second: 'c-2',
    binned: 'c-3',
    webhookId: 'w-1',
    mergeId,
    memberId: member?.id ?? '',
    token: invitation.url.split('#')[1] ?? '',
  };
});
afterAll(() => server[Symbol.asyncDispose]());

function ask(token: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'same' };
  return server.ask({ method, url, headers, ...(payload && { payload }) });
}

function askFor(token: string, { operationId, method, path }: (typeof operations)[number], ids: Ids) {
  const contactId = operationId === 'restoreContact' ? ids.binned : ids.contactId;
  const given = { ...ids, contactId } as unknown as Record<string, string>;
  return ask(
    token,
    method,
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? ''),
    bodies[operationId]?.(ids),
  );
}

describe('a key of another project', () => {
  /** The answer without what it takes from the request, made-up ids and the time. */
  const told = async (operation: (typeof operations)[number], ids: Ids) => {
    const { status, body, headers } = await askFor(own.token, operation, ids);
    const isOwn = new RegExp(
      [...Object.values(ids), '[0-9a-f]{8}-[-0-9a-f]{27}', '[-0-9]{10}T[0-9:]{8}'].join('|'),
      'g',
    );
    return { status, body: body.replaceAll(isOwn, '…'), headers: Object.keys(headers) };
  };
  const unlike = (ids: Ids): Ids => ({ ...ids, ...unknown, mergeId: '019aaaaa-0000-7000-8000-000000000000' });

  it.each(named)('is answered as for what is nowhere: $operationId', async (operation) => {
    const before = await eventsOf(server.store, theirs.projectId);
    const found = await told(operation, foreign);
    const right = await told(operation, { ...unlike(foreign), chatbotId: 'nobody' });
    expect(found).toEqual(right);
    expect(found.body).not.toMatch(/theirs/i);
    // A chatbot of the same id is the caller's own.
    if (/\{(contact|merge)Id/.test(operation.path)) {
      const inOwn = await told(operation, { ...foreign, chatbotId: 'shared' });
      expect([inOwn.status, inOwn.body]).toEqual([
        404,
        (await told(operation, { ...unlike(foreign), chatbotId: 'shared' })).body,
      ]);
    }
    expect(await eventsOf(server.store, theirs.projectId)).toEqual(before);
  });

  it('sees nothing of it in what names no thing', async () => {
    for (const operation of operations.filter(
      (one) => !named.includes(one) && one.operationId !== 'acceptInvitation',
    )) {
      const { status, body } = await askFor(own.token, operation, foreign);
      expect([operation.operationId, String(status)]).toEqual([operation.operationId, operation.successes[0]]);
      expect(body).not.toMatch(/theirs/i);
    }
  });
});

it('a key of the project itself is let through by every operation', async () => {
  for (const operation of operations) {
    const { status, body } = await askFor(theirs.token, operation, foreign);
    expect([operation.operationId, operation.successes, body]).toEqual([
      operation.operationId,
      expect.arrayContaining([String(status)]),
      body,
    ]);
  }
});
