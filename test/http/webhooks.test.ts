import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { openDatabase } from '../../src/database/open-store.ts';
import { raw, sql } from '../../src/database/sql.ts';
import type { Failure } from '../../src/webhooks/outgoing.ts';
import { freePort } from '../support/free-port.ts';
import { aProject } from '../support/people.ts';
import { anInstallation, serving } from '../support/process.ts';
import { aReceiver } from '../support/receiver.ts';
import { storeWebhook } from '../support/webhooks.ts';

const webhooks = '/v2/webhooks';
const events = ['contact.*', 'webhook.*'];

interface Answer {
  data?: Record<string, unknown>;
  code?: string;
  errors?: unknown[];
}

/** A service that may post to one receiver on this machine. */
async function aService() {
  const undo = new AsyncDisposableStack();
  const at = undo.use(await anInstallation());
  const store = undo.use(await openCurrentStore(at.databaseUrl));
  const receiver = undo.use(await aReceiver());
  const { host } = new URL(receiver.url);
  const ROSTER_METRICS_PORT = String(await freePort());
  const server = await serving(at, { ROSTER_WEBHOOK_ALLOW: host, ROSTER_METRICS_PORT, LOG_LEVEL: 'debug' });
  const metrics = async () => (await fetch(`http://127.0.0.1:${ROSTER_METRICS_PORT}/metrics`)).text();
  return { at, store, receiver, server, metrics, [Symbol.asyncDispose]: () => undo.disposeAsync() };
}

let service: Awaited<ReturnType<typeof aService>>;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

/** A project of the service, and its key. */
async function aDesk() {
  const { store, receiver, server } = service;
  const scopes = ['webhooks:write', 'webhooks:read', 'events:read'] as const;
  const { projectId, token } = await aProject(store, { scopes: [...scopes] });
  /** Each answer's text. */
  const told: string[] = [];
  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    told.push(text);
    const { data = {}, code, errors } = JSON.parse(text) as Answer;
    return { status: response.status, etag: response.headers.get('etag') ?? '', data, code, errors };
  };
  return {
    projectId,
    told,
    ask,
    create: (headers = {}) => ask('POST', webhooks, { url: receiver.url, events }, headers),
    stored: (id: unknown) => store.webhooks.find(projectId, String(id)),
  };
}

const says: Partial<Record<Failure, RegExp>> = {
  malformed: /^must be a URL$/,
  scheme: /^must begin with https:.* ROSTER_WEBHOOK_ALLOW /,
  user_in_url: /^must hold no user/,
  forbidden_address: /^must lead to a public address; ROSTER_WEBHOOK_ALLOW/,
};

describe('a URL of a webhook that nothing may be sent to', () => {
  it('is refused alike at creation, change and test, and nothing reaches it', async () => {
    const { ask, projectId, create, stored } = await aDesk();
    const { store, receiver } = service;
    await using other = await aReceiver();
    const { port } = new URL(receiver.url);
    const { port: closed } = new URL(other.url);
    const { data: good } = await create();
    // test/outgoing/guard.test.ts has all that is hostile.
    const hostile: [string, Failure][] = [
      [`http://127.0.0.1:${closed}/`, 'scheme'],
      [`https://127.0.0.1:${closed}/`, 'forbidden_address'],
      [`http://localhost:${port}@127.0.0.1:${closed}/`, 'user_in_url'],
      ['https://169.254.169.254/latest/meta-data/', 'forbidden_address'],
      ['https://', 'malformed'],
    ];
    for (const [index, [url, reason]] of hostile.entries()) {
      const created = await ask('POST', webhooks, { url, events });
      const changed = await ask('PATCH', `${webhooks}/${String(good['id'])}`, { url, payload: 'full' });
      for (const { status, errors } of [created, changed]) {
        const message = expect.stringMatching(says[reason] ?? /^$/);
        expect([url, status, errors]).toEqual([url, 422, [{ field: 'url', code: 'not_allowed', message }]]);
      }
      // As it is after the operator has closed what was open.
      await storeWebhook(store, projectId, `old-${index}`, { url, disabled_reason: 'requested' });
      const tested = await ask('POST', `${webhooks}/old-${index}/test`);
      expect([url, tested.status, tested.data]).toMatchObject([url, 200, { delivered: false, status: null, reason }]);
      expect(await stored(`old-${index}`)).toMatchObject({ disabled_reason: 'requested' });
    }
    const { data: shown } = await ask('GET', `${webhooks}/${String(good['id'])}`);
    expect(shown).toMatchObject({ url: receiver.url, payload: 'thin' });
    expect((await store.webhooks.page(projectId, { limit: 1, offset: 0 })).total).toBe(1 + hostile.length);
    expect(other.received).toEqual([]);
  });
});

describe('a webhook over HTTP', () => {
  it('is changed, rotated, replayed and deleted under its last ETag alone', async () => {
    const { ask, create } = await aDesk();
    const created = await create();
    const path = `${webhooks}/${String(created.data['id'])}`;
    expect((await ask('PATCH', path, { description: 'CRM' }, { 'if-match': created.etag })).status).toBe(200);
    for (const [method, url, body] of [
      ['PATCH', path, { description: 'Other' }],
      ['POST', `${path}/rotate`, {}],
      ['POST', `${path}/replay`, { after: '*' }],
      ['DELETE', path, undefined],
    ] as const) {
      const { status, code } = await ask(method, url, body, { 'if-match': created.etag });
      expect([method, url, status, code]).toEqual([method, url, 412, 'precondition_failed']);
    }
    const { data, etag } = await ask('GET', path);
    expect(data['description']).toBe('CRM');
    expect((await ask('DELETE', path, undefined, { 'if-match': etag })).status).toBe(200);
    expect((await ask('GET', path)).status).toBe(404);
  });

  it('tells its secret once when it is created and once when it is rotated, and nowhere else', async () => {
    const { ask, create, told, projectId } = await aDesk();
    const { at, receiver, server, metrics } = service;
    const created = await create({ 'idempotency-key': 'a' });
    const path = `${webhooks}/${String(created.data['id'])}`;
    const rotated = await ask('POST', `${path}/rotate`, { overlap: '1h' }, { 'idempotency-key': 'b' });
    const secrets = [created, rotated].map(({ data }) => String(data['secret']));
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(told.filter((text) => text.includes(secret.slice(6)))).toHaveLength(1);
    }
    told.length = 0;
    await create({ 'idempotency-key': 'a' });
    await ask('POST', `${path}/rotate`, { overlap: '1h' }, { 'idempotency-key': 'b' });
    await ask('PATCH', path, { payload: 'full', events: ['webhook.*'] });
    await expect.poll(() => receiver.received.length).toBeGreaterThan(1);
    receiver.answer = (response) => void response.writeHead(500).end();
    await ask('POST', `${path}/test`);
    await ask('POST', `${path}/replay`, { after: '*' });
    await expect
      .poll(async () => (await ask('GET', `${path}/deliveries?failed=true`)).data['deliveries'])
      .not.toEqual([]);
    for (const of of [webhooks, path, `${path}/deliveries`, '/v2/events?after=*', `${path}/none`]) await ask('GET', of);
    await ask('PATCH', path, { url: 'https://127.0.0.1/', secret: secrets[0] });
    await ask('PATCH', path, { description: 'x' }, { 'if-match': '"1"' });
    for (const words of ['webhooks list', `webhooks show ${String(created.data['id'])}`, 'events list']) {
      const { code, stdout, stderr } = await at.run([...words.split(' '), '--project', projectId, '--json']);
      expect([words, code]).toEqual([words, 0]);
      told.push(stdout, stderr);
    }
    told.push(await metrics());
    await using database = await openDatabase(at.databaseUrl);
    for (const table of ['events', 'idempotency_keys', 'webhook_deliveries']) {
      told.push(JSON.stringify(await database.all(sql`select * from ${raw(table)}`)));
    }
    told.push(...receiver.received.map((one) => JSON.stringify(one)), server.stdout(), server.stderr());
    const text = told.join('\n');
    const parts = ['roster_webhook_deliveries_total', '"type":"webhook.updated"', '"msg":"answered"', 'precondition'];
    for (const part of parts) expect(text).toContain(part);
    for (const secret of secrets) expect(text).not.toContain(secret.slice(6));
  });
});
