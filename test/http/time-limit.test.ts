import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import { outcomeUnknown } from '../../src/errors.ts';
import { changed } from '../../src/events/event.ts';
import { buildApp } from '../../src/http/app.ts';
import { defaultLimits } from '../../src/http/edge/limits.ts';
import { route } from '../../src/http/routes.ts';
import { read, write } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { validate } from '../../src/validation.ts';
import { newChatbotId } from '../../src/values/identifier.ts';
import { noLimit, portOf } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { aProject } from '../support/people.ts';

const limitMs = 300;

const input = {
  type: 'object',
  additionalProperties: false,
  properties: { before: { type: 'integer' }, after: { type: 'integer' } },
} as const;

// The first validation loads the validator, which a busy machine takes long for.
beforeAll(() => validate(input, {}));

/** Waits before it answers. */
const slowRead = read({
  name: 'slowRead',
  scope: 'chatbots:read',
  input,
  run: async (_reads, _actor, { before = 0 }) => sleep(before, 'done'),
});

/** Waits before and after it stores a chatbot, in one transaction. */
const slowWrite = write({
  name: 'slowWrite',
  scope: 'chatbots:write',
  input,
  run: async ({ chatbots }, { projectId }, { before = 0, after = 0 }) => {
    await sleep(before);
    const id = newChatbotId();
    await chatbots.insert({
      id,
      name: 'Slow',
      project_id: projectId,
      created_at: '2026-01-01T00:00:00+00:00',
    });
    await sleep(after);
    return changed({ id }, { type: 'chatbot.created', chatbot_id: id });
  },
});

const routes = [route('GET', '/v2/slow', slowRead), route('POST', '/v2/slow', slowWrite, '/v2/slow')];

interface Given {
  code?: string;
  data?: { id: string };
}

/** The server on a socket, with a short time limit, on a store that differs as it is told. */
async function opened(differing: (store: Store) => Partial<Store> = () => ({})) {
  const { store, [Symbol.asyncDispose]: close } = await openStoreOfRun();
  const scopes = ['chatbots:read', 'chatbots:write'] as const;
  const { projectId, chatbotId, token } = await aProject(store, { scopes: [...scopes] });
  let inFlight = () => 0;
  const errors: unknown[] = [];
  const app = buildApp({ ...store, ...differing(store) }, noLimit, {
    routes,
    limits: { answerWithinMs: limitMs, bodyWithinMs: 3 * limitMs, lookEveryMs: 10, waitMaxMs: 60_000 },
    observeInFlight: (count) => (inFlight = count),
    log: { debug() {}, info() {}, warn() {}, error: (...told: unknown[]) => void errors.push(told) },
  });
  const port = await portOf(app);
  const authorization = `Bearer ${token}`;
  const ask = async (path: string, method: 'GET' | 'POST', body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { code, data } = (await response.json()) as Given;
    return { status: response.status, code, id: data?.id, retryAfter: response.headers.get('retry-after') };
  };
  const madeHere = (ids: (string | null)[]) => new Set(ids.filter((id) => id !== chatbotId));
  return {
    read: (before: number) => ask(`/v2/slow?before=${before}`, 'GET'),
    write: (body: { before?: number; after?: number }) => ask('/v2/slow', 'POST', body),
    /** Writes on a connection of its own; `body` may be a part. */
    begin: async (body: string, length = body.length) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      const type = 'Content-Type: application/json';
      const head = `Host: x\r\nAuthorization: ${authorization}\r\n${type}\r\nContent-Length: ${length}`;
      socket.write(`POST /v2/slow HTTP/1.1\r\n${head}\r\n\r\n${body}`);
      return socket;
    },
    /** The ids that are stored, and those that are in the feed. */
    stored: async () => {
      const chatbots = await store.chatbots.list(projectId);
      const query = { after: 0n, types: ['chatbot.created'], limit: 500 } as const;
      const { events } = await store.events.list(projectId, query);
      return {
        chatbots: madeHere(chatbots.map(({ id }) => id)),
        events: madeHere(events.map((event) => event.chatbot_id)),
      };
    },
    inFlight: () => inFlight(),
    errors,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await close();
    },
  };
}

const these = (...ids: unknown[]) => ({ chatbots: new Set(ids), events: new Set(ids) });
const nothing = these();

describe('the time limit', () => {
  it('is five seconds', () => {
    expect(defaultLimits.answerWithinMs).toBe(5_000);
  });

  it('answers a read 503 with Retry-After, and does not wait for it', async () => {
    await using at = await opened();
    expect(await at.read(0)).toMatchObject({ status: 200 });
    const askedAt = performance.now();
    const answer = await at.read(1_500);
    expect(answer).toMatchObject({ status: 503, code: 'unavailable', retryAfter: '5' });
    const tookMs = performance.now() - askedAt;
    expect(tookMs).toBeGreaterThan(limitMs - 10);
    expect(tookMs).toBeLessThan(1_400);
  });

  it('has a write whose commit takes long answer what it committed', async () => {
    await using at = await opened((store) => ({
      write: async (actor, work, signal) => {
        const written = await store.write(actor, work);
        if (signal?.aborted === false) await once(signal, 'abort');
        return written;
      },
    }));
    const { status, id } = await at.write({});
    expect([status, await at.stored()]).toEqual([201, these(id)]);
  });

  it('has a write that never settles be told after twice the time that its outcome is unknown', async () => {
    await using at = await opened(() => ({ write: () => new Promise(() => undefined) }));
    const askedAt = performance.now();
    expect(await at.write({})).toMatchObject({ status: 500, code: 'outcome_unknown' });
    expect(performance.now() - askedAt).toBeGreaterThan(2 * limitMs - 10);
  });

  it('answers 503 to a write whose key is looked up for too long, which then never begins', async () => {
    await using at = await opened(({ apiKeys }) => ({
      apiKeys: {
        ...apiKeys,
        findByHash: async (...given) => {
          await sleep(3 * limitMs);
          return apiKeys.findByHash(...given);
        },
      },
    }));
    expect(await at.write({})).toMatchObject({ status: 503, code: 'unavailable' });
    await expect.poll(at.inFlight).toBe(0);
    expect(await at.stored()).toEqual(nothing);
  });

  it('has a request whose body does not come answered 408, and its connection end', async () => {
    await using at = await opened();
    const socket = await at.begin('{', 100);
    const closed = once(socket, 'close');
    const answer = String(await once(socket, 'data'));
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*connection: close.*"status":"error".*"code":"request_timeout"/is);
    await closed;
    await expect.poll(at.inFlight).toBe(0);
    expect(await at.stored()).toEqual(nothing);
  });

  it('begins for a request with a body when the body is there', async () => {
    await using at = await opened();
    const body = '{"before":50}';
    const socket = await at.begin(body.slice(0, 5), body.length);
    await sleep(limitMs + 100);
    socket.write(body.slice(5));
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
    const rest = `"before":${2 * limitMs}}`;
    const late = await at.begin('{', 1 + rest.length);
    await sleep(limitMs + 100);
    late.write(rest);
    expect(String(await once(late, 'data'))).toMatch(/^HTTP\/1\.1 503 /);
    late.destroy();
    expect((await at.stored()).chatbots.size).toBe(1);
  });

  it('never answers 503 to a write that is stored, nor 201 to one that is not', async () => {
    await using at = await opened();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => at.write({ before: n % 3, after: (n * 17) % 60 })),
    );
    // One at a time on SQLite: some wait too long for their turn.
    for (const late of [{ before: 2 * limitMs }, { after: 2 * limitMs }]) answers.push(await at.write(late));
    answers.push(await at.write({}));
    const stored = answers.flatMap(({ id }) => id ?? []);
    for (const { status, id } of answers) expect(status).toBe(id === undefined ? 503 : 201);
    expect(answers.slice(-3).map(({ status }) => status)).toEqual([503, 503, 201]);
    await sleep(limitMs);
    expect(await at.stored()).toEqual(these(...stored));
  });
});

it('a write whose outcome the store does not know is 500 outcome_unknown', async () => {
  await using at = await opened(() => ({ write: () => Promise.reject(outcomeUnknown('the disk is gone')) }));
  expect(await at.write({})).toMatchObject({ status: 500, code: 'outcome_unknown', retryAfter: null });
});

describe('a caller that hangs up', () => {
  it('before its write has committed leaves nothing behind, and tells the log of no outage', async () => {
    await using at = await opened();
    for (const body of ['{"before":150}', '{"after":150}']) {
      const socket = await at.begin(body);
      await expect.poll(at.inFlight, { interval: 5 }).toBe(1);
      socket.resetAndDestroy();
      await expect.poll(at.inFlight, { interval: 5 }).toBe(0);
    }
    await sleep(200);
    expect(await at.stored()).toEqual(nothing);
    expect(at.errors).toEqual([]);
  });

  it('at any moment leaves nothing behind, or all of its write with the event', async () => {
    await using at = await opened();
    const begun = Array.from({ length: 40 }, async (_, n) => {
      const socket = await at.begin('{"before":1}');
      socket.resume();
      await sleep(n * 2);
      socket.resetAndDestroy();
    });
    await Promise.all(begun);
    await expect.poll(at.inFlight).toBe(0);
    const { chatbots, events } = await at.stored();
    expect(events).toEqual(chatbots);
  });

  it('while its key is looked up, with half of its body sent, leaves no place taken', async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    await using at = await opened(({ apiKeys }) => ({
      apiKeys: {
        ...apiKeys,
        findByHash: async (...given) => {
          asked.resolve();
          await gate.promise;
          return apiKeys.findByHash(...given);
        },
      },
    }));
    const socket = await at.begin('{', 20);
    await asked.promise;
    socket.resetAndDestroy();
    await sleep(50);
    gate.resolve();
    await expect.poll(at.inFlight).toBe(0);
    expect(await at.stored()).toEqual(nothing);
  });
});
