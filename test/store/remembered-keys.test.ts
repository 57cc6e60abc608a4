import { describe, expect, it } from 'vitest';

import { authenticate as authenticateBy } from '../../src/api-keys/authenticate.ts';
import { hashToken } from '../../src/api-keys/token.ts';
import { rememberKeys } from '../../src/database/remembered-keys.ts';
import type { Store } from '../../src/store.ts';
import { at } from '../support/clock.ts';
import { engines, shared } from '../support/engines.ts';
import { aProject, createApiKey, revokeApiKey } from '../support/people.ts';

const trustedMs = 3_000;

/** A store that remembers, with a clock to turn and a count of what it asked. */
function remembering(store: Store) {
  const state = { now: 1, asked: 0, isAway: false };
  const counting = {
    ...store.apiKeys,
    findByHash: async (hash: string, now?: Date) => {
      state.asked++;
      if (state.isAway) throw new Error('away');
      return store.apiKeys.findByHash(hash, now);
    },
  };
  const remembered = rememberKeys(counting, { now: () => state.now });
  const write = remembered.forgettingAfter((actor, work, signal) => store.write(actor, work, signal));
  return { state, keys: { ...store, apiKeys: remembered.apiKeys, write } };
}

const authenticate = (store: Store, token: string, now?: Date) => authenticateBy(store.apiKeys, token, now);

describe('remembered keys on PostgreSQL', () => {
  const opened = shared(engines[1].open);

  it('are asked for once, by requests at the same time too', async () => {
    const { token } = await aProject(opened.store);
    const { state, keys } = remembering(opened.store);
    const together = await Promise.all(Array.from({ length: 5 }, () => authenticate(keys, token)));
    for (const key of [...together, await authenticate(keys, token)]) expect(key).toHaveProperty('id');
    expect(state.asked).toBe(1);
  });

  it('that another process revokes are refused within three seconds, in use or not', async () => {
    const busy = await aProject(opened.store);
    const idle = await aProject(opened.store);
    const { state, keys } = remembering(opened.store);
    for (const { token } of [busy, idle]) expect(await authenticate(keys, token)).toHaveProperty('id');
    for (const { keyId } of [busy, idle]) await revokeApiKey(opened.store, keyId);
    for (; state.now <= trustedMs; state.now += 100) await authenticate(keys, busy.token);
    state.now++;
    for (const { token } of [busy, idle]) expect(await authenticate(keys, token)).toBe('unknown');
  });

  it('that this process revokes are refused at once, also by an answer that was under way', async () => {
    const { token, keyId } = await aProject(opened.store);
    const { keys } = remembering(opened.store);
    const underWay = authenticate(keys, token);
    await revokeApiKey(keys, keyId);
    await underWay;
    expect(await authenticate(keys, token)).toBe('unknown');
  });

  it('that are unknown are asked for each time, so that a new key works at once', async () => {
    const { projectId } = await aProject(opened.store);
    const { keys } = remembering(opened.store);
    const token = 'sk-legacy.0123/456+789=';
    expect(await authenticate(keys, token)).toBe('unknown');
    await createApiKey(opened.store, projectId, { name: 'as before', token });
    expect(await authenticate(keys, token)).toHaveProperty('id');
  });

  it('that have ended are asked for each time, as unknown ones are, so that the clock tells nothing', async () => {
    const { projectId } = await aProject(opened.store);
    const revoked = await aProject(opened.store);
    await revokeApiKey(opened.store, revoked.keyId);
    const past = new Date('2026-01-01T12:00:00Z');
    const given = { name: 'short', expiresInSeconds: 60 };
    const expired = await at(past, () => createApiKey(opened.store, projectId, given));
    const { state, keys } = remembering(opened.store);
    expect(await authenticate(keys, expired.token, past)).toHaveProperty('id');
    for (const { token } of [revoked, expired]) {
      state.asked = 0;
      for (let i = 0; i < 3; i++) expect(await authenticate(keys, token)).toBe('unknown');
      expect(state.asked).toBe(3);
    }
    // Nor does the store itself read what it knows of them.
    expect(await opened.store.apiKeys.findByHash(hashToken(revoked.token))).toBeUndefined();
    expect(await opened.store.apiKeys.findByHash(hashToken(expired.token))).toBeUndefined();
  });

  it('outlast a short absence of the store, and no longer than they are trusted', async () => {
    const { token } = await aProject(opened.store);
    const { state, keys } = remembering(opened.store);
    await authenticate(keys, token);
    Object.assign(state, { isAway: true, now: 2_000 });
    expect(await authenticate(keys, token)).toHaveProperty('id');
    state.now += trustedMs;
    await expect(authenticate(keys, token)).rejects.toThrow('away');
  });
});
