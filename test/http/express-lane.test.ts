import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, inject, it } from 'vitest';

import { createApiKey } from '../../src/api-keys/api-key.ts';
import { generateToken } from '../../src/api-keys/token.ts';
import { AppError } from '../../src/errors.ts';
import { buildApp, type HttpSettings } from '../../src/http/app.ts';
import type { Answered } from '../../src/observability/access-log.ts';
import type { Store } from '../../src/store.ts';
import { addSeconds } from '../../src/values/timestamp.ts';
import { noLimit } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { aContact, aMember, aProject, storeContacts, vendorContactId } from '../support/people.ts';
import { exchange, type RawAnswer } from '../support/raw.ts';

/** The server on a socket of its own, as the lane is ahead of what `inject` reaches. */
async function listening(settings: Partial<HttpSettings> = {}) {
  const opened = await openStoreOfRun();
  const contacts = [aContact(), aContact({ id: 'plain', name: 'Bo', email: 'bo@example.com' })];
  const project = await aProject(opened.store, { contacts, members: [aMember()] });
  const answered: Answered[] = [];
  const watched = watch(opened.store);
  const app = buildApp(
    watched.store,
    { ...noLimit, ...settings },
    { onAnswered: [(answer) => void answered.push(answer)] },
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const ask = async (path: string, token = project.token, ...headers: string[]): Promise<RawAnswer> => {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: roster.test', `Authorization: Bearer ${token}`, ...headers];
    const [answer] = await exchange(port, `${lines.join('\r\n')}\r\n\r\n`);
    if (!answer) throw new Error(`no answer to ${path}`);
    return answer;
  };
  return {
    ...project,
    store: opened.store,
    answered,
    watched,
    ask,
    contact: (id: string) => `/v2/chatbots/${project.chatbotId}/contacts/${id}`,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** The store, what it has been asked, and a way to make it fail. */
function watch(store: Store) {
  const asked: string[] = [];
  const failing = new Set<string>();
  const watching = new Proxy(store, {
    get: (target, property) => {
      const method: unknown = Reflect.get(target, property);
      const name = String(property);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        // Why a key has ended is asked for when its caller has been answered.
        if (name.startsWith('find') && name !== 'findEndedApiKey') asked.push(name);
        if (failing.has(name)) return Promise.reject(new AppError('unavailable', 'The store is away.'));
        return Reflect.apply(method, target, args) as unknown;
      };
    },
  });
  return { store: watching, failing, takeAsked: () => asked.splice(0) };
}

const aside = 'If-None-Match: "another"';

/** What does not differ from one request to the next. */
function lasting({ status, headers, body }: RawAnswer) {
  const {
    date,
    'x-request-id': id,
    'x-ratelimit-remaining': left,
    'x-ratelimit-reset': reset,
    ...rest
  } = headers;
  expect([typeof date, id?.length, typeof left, typeof reset]).toEqual(['string', 36, 'string', 'string']);
  return { status, headers: Object.entries(rest), body };
}

describe('a plain request', () => {
  it('gets what the app would answer, header by header, first, again and from memory', async () => {
    await using server = await listening({ rateLimit: 1_000 });
    for (const path of [
      server.contact('plain'),
      server.contact(vendorContactId),
      '/v2/members',
      '/v2/members?page=1',
      '/v2/members?page=7',
    ]) {
      const byApp = lasting(await server.ask(path, server.token, aside));
      expect(byApp.status).toBe(200);
      const sort = ({ headers, ...rest }: typeof byApp) => ({
        ...rest,
        headers: headers.toSorted(([a], [b]) => a.localeCompare(b)),
      });
      for (let time = 0; time < 4; time++) {
        expect([path, sort(lasting(await server.ask(path)))]).toEqual([path, sort(byApp)]);
      }
    }
    expect(new Set(server.answered.map(({ route }) => route))).toEqual(
      new Set(['/v2/members', '/v2/chatbots/:chatbotId/contacts/:contactId']),
    );
  });

  it('is counted once, whoever answers it, and refused after the last', async () => {
    await using server = await listening({ rateLimit: 8 });
    const left = async (path: string, ...headers: string[]) => {
      const answer = await server.ask(path, server.token, ...headers);
      return [answer.status, answer.headers['x-ratelimit-remaining']];
    };
    expect(await left(server.contact('plain'))).toEqual([200, '7']);
    expect(await left(server.contact('plain'))).toEqual([200, '6']);
    expect(await left(server.contact('nobody'))).toEqual([404, '5']);
    expect(await left('/v2/members?page=0')).toEqual([422, '4']);
    expect(await left(server.contact('plain'), aside)).toEqual([200, '3']);
    expect(await left('/v2/members')).toEqual([200, '2']);
    expect(await left('/v2/members')).toEqual([200, '1']);
    expect(await left('/v2/members')).toEqual([200, '0']);
    for (const path of ['/v2/members', server.contact('plain'), server.contact('nobody')]) {
      const answer = await server.ask(path);
      expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([429, '0']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('is refused as by the app without a key, with a wrong one, or with one that may not', async () => {
    await using server = await listening();
    const { token } = await createApiKey(server.store, server.projectId, {
      name: 'members only',
      scopes: ['members:read'],
    });
    expect((await server.ask(server.contact('plain'))).status).toBe(200);
    expect((await server.ask('/v2/members', token)).status).toBe(200);
    for (let time = 0; time < 3; time++) {
      expect((await server.ask(server.contact('plain'), token)).status).toBe(403);
      expect((await server.ask(server.contact('plain'), `${token.slice(0, -1)}_`)).status).toBe(401);
      expect((await server.ask(server.contact('plain'), 'x')).status).toBe(401);
    }
  });

  it('does not reach what another project asked for', async () => {
    await using server = await listening();
    const other = await aProject(server.store, { chatbotId: server.chatbotId });
    await storeContacts(server.store, other.projectId, other.chatbotId, [
      aContact({ id: 'other', name: 'Cy' }),
    ]);
    for (let time = 0; time < 4; time++) {
      expect((await server.ask(server.contact('plain'))).body).toContain('"Bo"');
      expect((await server.ask(server.contact('plain'), other.token)).status).toBe(404);
      expect((await server.ask(server.contact('other'), other.token)).body).toContain('"Cy"');
      expect((await server.ask(server.contact('other'))).status).toBe(404);
    }
  });

  it('asks the store once for what it is answered, good or bad', async () => {
    await using server = await listening();
    const askedFor = async (path: string, token = server.token) => {
      const { status } = await server.ask(path, token);
      return [status, ...server.watched.takeAsked()];
    };
    const unknown = generateToken();
    // Its use is not noted yet, so that the app answers, which does not look for the key again.
    expect(await askedFor(server.contact('plain'))).toEqual([200, 'findApiKeyByHash', 'findContact']);
    expect(await askedFor(server.contact('nobody'), unknown)).toEqual([401, 'findApiKeyByHash']);
    expect(await askedFor(server.contact('nobody'), 'too-short')).toEqual([401]);
    await expect
      .poll(async () => (await server.store.listApiKeys(server.projectId))[0]?.last_used_at)
      .toBeTypeOf('string');
    await server.ask(server.contact('plain'));
    server.watched.takeAsked();
    const keyAgain = inject('engine') === 'PostgreSQL' ? ['findApiKeyByHash'] : [];
    expect(await askedFor(server.contact('nobody'))).toEqual([404, ...keyAgain, 'findContact']);
  });

  it('asks a store that fails once, and its answer tells what a refusal tells', async () => {
    await using server = await listening({ rateLimit: 100 });
    await server.ask(server.contact('plain'));
    await expect
      .poll(async () => (await server.store.listApiKeys(server.projectId))[0]?.last_used_at)
      .toBeTypeOf('string');
    await server.ask(server.contact('plain'));
    for (const failing of ['findContact', 'findApiKeyByHash']) {
      server.watched.takeAsked();
      server.answered.splice(0);
      server.watched.failing.add(failing);
      const isKnown = failing === 'findContact';
      const answer = await server.ask(server.contact('nobody'), isKnown ? server.token : generateToken());
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
      expect(server.watched.takeAsked().filter((name) => name === failing)).toEqual([failing]);
      expect(answer.headers['x-ratelimit-limit']).toBe(isKnown ? '100' : undefined);
      expect(server.answered.map(({ status, keyId }) => [status, keyId])).toEqual([
        [503, isKnown ? server.keyId : undefined],
      ]);
    }
  });

  it('with a key that expires is refused from that second on, though it was known', async () => {
    await using server = await listening();
    const { token } = await createApiKey(server.store, server.projectId, {
      name: 'brief',
      expiresInSeconds: 2,
    });
    const statuses = new Set<number>();
    const end = addSeconds(new Date(), 3);
    while (new Date() < end) {
      statuses.add((await server.ask(server.contact('plain'), token)).status);
      await sleep(50);
    }
    expect([...statuses]).toEqual([200, 401]);
  });

  it('notes the last use of its key', async () => {
    await using server = await listening();
    for (let time = 0; time < 3; time++) await server.ask('/v2/members');
    const lastUsed = async () => (await server.store.listApiKeys(server.projectId))[0]?.last_used_at;
    await expect.poll(lastUsed).toMatch(/^\d{4}-/);
  });

  it('takes over the request id of its caller, and answers requests in a row in their order', async () => {
    await using server = await listening();
    const given = await server.ask('/v2/members', server.token, 'X-Request-Id: of-the-caller');
    expect(given.headers['x-request-id']).toBe('of-the-caller');
    const bad = await server.ask('/v2/members', server.token, 'X-Request-Id: of the caller');
    expect(bad.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });
});
