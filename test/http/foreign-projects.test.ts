import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { scopes } from '../../src/rights.ts';
import { openApp, type TestApp } from '../support/app.ts';
import { eventsOf } from '../support/events.ts';
import { everyOperation, type Ids, makeThings, type Operation, requestOf } from '../support/every-operation.ts';
import { aProject, createChatbot, type ProjectWithPeople } from '../support/people.ts';

/** Those that name a thing in their path or body, so that a foreign one can be named. */
const named = everyOperation.filter(
  ({ operationId, path }) => /\{/.test(path) || /^(searchAll|erase|createW)/.test(operationId),
);
const unknown = {
  contactId: 'zz-1',
  second: 'zz-2',
  binned: 'zz-3',
  memberId: 'zz-m',
  webhookId: 'zz-w',
  mergeId: '019aaaaa-0000-7000-8000-000000000000',
};

let server: TestApp;
let own: ProjectWithPeople;
let theirs: ProjectWithPeople;
let foreign: Ids;

beforeAll(async () => {
  server = await openApp();
  const { store } = server;
  own = await aProject(store, { scopes: [...scopes], chatbotId: 'shared' });
  theirs = await aProject(store, { scopes: [...scopes], chatbotId: 'theirs' });
  foreign = await makeThings(
    async (method, url, payload) => (await ask(theirs.token, { method, url, payload })).json.data,
    'theirs',
  );
  await createChatbot(store, theirs.projectId, { name: 'Theirs too', id: 'shared' });
});
afterAll(() => server[Symbol.asyncDispose]());

function ask(token: string, { payload, ...asked }: Pick<ReturnType<typeof requestOf>, 'method' | 'url' | 'payload'>) {
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'same' };
  return server.ask({ ...asked, headers, ...(payload && { payload }) });
}

/** The answer without what it takes from the request, made-up ids and the time. */
async function told(operation: Operation, ids: Ids, token = own.token) {
  const { status, body, headers } = await ask(token, requestOf(operation, ids));
  const isOwn = new RegExp([...Object.values(ids), '[0-9a-f]{8}-[-0-9a-f]{27}', '[-0-9]{10}T[0-9:]{8}'].join('|'), 'g');
  return { status, body: body.replaceAll(isOwn, '…'), headers: Object.keys(headers) };
}

describe('a key of another project', () => {
  it.each(named)('is answered as for what is nowhere: $operationId', async (operation) => {
    const before = await eventsOf(server.store, theirs.projectId);
    const nowhere = { ...foreign, ...unknown };
    const found = await told(operation, foreign);
    expect(found).toEqual(await told(operation, { ...nowhere, chatbotId: 'nobody' }));
    expect(found.body).not.toMatch(/theirs/i);
    if (/\{/.test(operation.path)) expect(found.status).toBe(404);
    // A chatbot of the same id is the caller's own.
    if (/\{(contact|merge)Id/.test(operation.path)) {
      const inOwn = await told(operation, { ...foreign, chatbotId: 'shared' });
      expect(inOwn).toEqual({ ...(await told(operation, { ...nowhere, chatbotId: 'shared' })), status: 404 });
    }
    expect(await eventsOf(server.store, theirs.projectId)).toEqual(before);
  });

  it('sees nothing of it in operations that take no id', async () => {
    const others = everyOperation.filter((one) => !named.includes(one) && one.operationId !== 'acceptInvitation');
    for (const operation of others) {
      const { status, body } = await ask(own.token, requestOf(operation, foreign));
      expect([operation.operationId, String(status)]).toEqual([operation.operationId, operation.successes[0]]);
      expect(body).not.toMatch(/theirs/i);
    }
  });
});

describe('another chatbot of the project', () => {
  it.each(everyOperation.filter(({ operationId, path }) => /\{chatbotId\}\/|searchAll|erase/.test(path + operationId)))(
    'has nobody of it, and changes nobody there: $operationId',
    async (operation) => {
      const events = async () =>
        (await eventsOf(server.store, theirs.projectId)).filter((one) => one.chatbot_id === 'theirs');
      const before = await events();
      const found = await told(operation, { ...foreign, chatbotId: 'shared' }, theirs.token);
      expect(found).toEqual(await told(operation, { ...foreign, ...unknown, chatbotId: 'shared' }, theirs.token));
      expect(found.body).not.toMatch(/theirs/i);
      expect(await events()).toEqual(before);
    },
  );
});

it('every operation lets a key of the project itself through', async () => {
  for (const operation of everyOperation) {
    const { status, body } = await ask(theirs.token, requestOf(operation, foreign));
    expect(operation.successes, `${operation.operationId}: ${body}`).toContain(String(status));
  }
});
