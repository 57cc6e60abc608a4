import { describe, expect, it } from 'vitest';

import type { Event } from '../../src/events/event.ts';
import type { AppOptions } from '../../src/http/app.ts';
import type { Scope } from '../../src/rights.ts';
import type { Store } from '../../src/store.ts';
import { openApp, portOf } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { report } from '../support/events.ts';
import { aProject, revokeApiKey, scopesOf, updateApiKey } from '../support/people.ts';

interface Given {
  code?: string;
  data?: { events: Event[]; next_cursor: string };
}

/** The server on a socket, at the end of the feed of a project. */
async function opened(limits: AppOptions['limits'] = {}) {
  const undo = new AsyncDisposableStack();
  const { store } = undo.use(await openStoreOfRun());
  const scopes: Scope[] = ['events:read', 'project:read'];
  const { projectId, token, keyId } = await aProject(store, { scopes });
  let waits = 0;
  let inFlight = () => 0;
  const watch: typeof store.watch = {
    next: async (...given) => {
      waits++;
      try {
        return await store.watch.next(...given);
      } finally {
        waits--;
      }
    },
  };
  const { app } = undo.use(
    await openApp({}, { ...store, watch }, { limits, observeInFlight: (count) => (inFlight = count) }),
  );
  const port = await portOf(app);
  const ask = async (path: string, one = token, signal: AbortSignal | null = null) => {
    const askedAt = performance.now();
    const headers = { authorization: `Bearer ${one}` };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal });
    const { code, data } = (await response.json()) as Given;
    return {
      status: response.status,
      code,
      types: data?.events?.map(({ type }) => type),
      cursor: data?.next_cursor,
      ms: performance.now() - askedAt,
    };
  };
  const { cursor: end = '' } = await ask('/v2/events');
  return {
    app,
    store,
    projectId,
    keyId,
    scopes,
    ask,
    end,
    wait: (query = 'wait=20', one = token, signal: AbortSignal | null = null) =>
      ask(`/v2/events?after=${end}&${query}`, one, signal),
    change: () => report(store, projectId, { type: 'contact.updated', contact_id: 'a' }),
    /** Resolves once so many requests wait. */
    waiting: async (count: number) => {
      await expect.poll(() => waits).toBe(count);
    },
    inFlight: () => inFlight(),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

describe('a request that waits for events', () => {
  it('is answered as soon as there is one, and at once where there is one already', async () => {
    await using at = await opened();
    const waiting = at.wait();
    await at.waiting(1);
    await at.change();
    const answers = [await waiting, await at.wait()];
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, types: ['contact.updated'] });
    expect(answers[1]?.ms).toBeLessThan(5_000);
  });

  it('goes on waiting while what happens does not match', async () => {
    await using at = await opened();
    const waiting = at.wait('wait=20&type=member.removed');
    await at.waiting(1);
    for (let count = 0; count < 3; count++) await at.change();
    await report(at.store, at.projectId, { type: 'member.removed', member_id: 'm' });
    expect(await waiting).toMatchObject({ status: 200, types: ['member.removed'] });
  });

  it('ends with an empty list, after its time and not after the time limit', async () => {
    await using at = await opened({ answerWithinMs: 200, lookEveryMs: 10 });
    const { ms, ...answer } = await at.wait('wait=1');
    expect(answer).toEqual({ status: 200, code: undefined, types: [], cursor: at.end });
    expect(ms).toBeGreaterThan(990);
  });

  it('is one of ten for a key, and the next are answered at once', async () => {
    await using at = await opened();
    const ten = Array.from({ length: 10 }, () => at.wait());
    await at.waiting(10);
    const next = await at.wait();
    expect(next).toMatchObject({ status: 200, types: [], cursor: at.end });
    expect(next.ms).toBeLessThan(5_000);
    const { token } = await scopesOf(at.store, at.projectId, at.scopes);
    // The new key is an event itself.
    expect((await Promise.all(ten)).map(({ types }) => types)).toEqual(ten.map(() => ['key.created']));
    const others = Array.from({ length: 10 }, () => at.wait('wait=20&type=contact.updated'));
    await at.waiting(10);
    const ofOther = at.wait('wait=20&type=contact.updated', token);
    await at.waiting(11);
    await at.change();
    const all = await Promise.all([...others, ofOther]);
    expect(all.map(({ types }) => types)).toEqual(all.map(() => ['contact.updated']));
  });

  it('is one of forty for the keys of a project, which take no place of another project', async () => {
    await using at = await opened();
    const keys = [];
    for (let i = 0; i < 5; i++) keys.push(await scopesOf(at.store, at.projectId, at.scopes));
    const other = await aProject(at.store, { scopes: at.scopes });
    const query = 'wait=20&type=contact.updated';
    const forty = keys.slice(0, 4).flatMap(({ token }) => Array.from({ length: 10 }, () => at.wait(query, token)));
    await at.waiting(40);
    expect((await at.wait(query, keys[4]?.token)).ms).toBeLessThan(5_000);
    const hangUp = new AbortController();
    const elsewhere = at.ask(`/v2/events?${query}`, other.token, hangUp.signal).catch(() => 'gone');
    await at.waiting(41);
    hangUp.abort();
    expect(await elsewhere).toBe('gone');
    await at.change();
    expect((await Promise.all(forty)).map(({ types }) => types)).toEqual(forty.map(() => ['contact.updated']));
  });

  it('takes no place of others, and no connection', async () => {
    await using at = await opened({ inFlightMax: 4 });
    const ten: ReturnType<typeof at.wait>[] = [];
    while (ten.length < 10) {
      ten.push(at.wait());
      await at.waiting(ten.length);
    }
    expect(at.inFlight()).toBe(0);
    await expect
      .poll(() => at.store.state().pools.map(({ used }) => used))
      .toEqual(at.store.state().pools.map(() => 0));
    for (let count = 0; count < 5; count++) expect((await at.ask('/v2/project/settings')).status).toBe(200);
    await at.change();
    expect((await Promise.all(ten)).map(({ status }) => status)).toEqual(ten.map(() => 200));
  });

  it('is answered at once by a stop, with a cursor to go on from', async () => {
    await using at = await opened();
    const three = Array.from({ length: 3 }, () => at.wait());
    await at.waiting(3);
    const stoppedAt = performance.now();
    await at.app.close();
    expect(performance.now() - stoppedAt).toBeLessThan(5_000);
    for (const answer of await Promise.all(three)) {
      expect(answer).toMatchObject({ status: 200, types: [], cursor: at.end });
    }
  });

  it('is forgotten when its caller hangs up', async () => {
    await using at = await opened();
    const hangUp = new AbortController();
    const ten = Array.from({ length: 10 }, () => at.wait('wait=20', undefined, hangUp.signal).catch(() => 'gone'));
    await at.waiting(10);
    hangUp.abort();
    expect(await Promise.all(ten)).toEqual(ten.map(() => 'gone'));
    await at.waiting(0);
    const next = at.wait();
    await at.waiting(1);
    await at.change();
    expect(await next).toMatchObject({ status: 200, types: ['contact.updated'] });
  });

  it.each([
    ['revoked', 401, 'unauthenticated', (store: Store, keyId: string) => revokeApiKey(store, keyId)],
    ['narrowed', 403, 'insufficient_scope', (store, keyId) => updateApiKey(store, keyId, ['project:read'])],
  ] satisfies [string, number, string, (store: Store, keyId: string) => Promise<unknown>][])(
    'of a key that is %s meanwhile gets no event of then or later',
    async (_what, status, code, change) => {
      await using at = await opened();
      const waiting = [at.wait(), at.wait('wait=20&type=contact.updated')];
      await at.waiting(2);
      await change(at.store, at.keyId);
      await at.change();
      for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ status, code, types: undefined });
    },
  );
});
