import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import { type ApiKey, touchDueAt } from '../api-keys/api-key.ts';
import { authenticate, explain, type KeyRefusal } from '../api-keys/authenticate.ts';
import { AppError } from '../errors.ts';
import type { Answered, Log, OnAnswered } from '../observability/access-log.ts';
import type { Store } from '../store.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import type { Arrival } from './edge/edge.ts';
import { bearerToken } from './headers.ts';

const keysMax = 10_000;

export type KnownKeys = ReturnType<typeof knownKeys>;

export function knownKeys(store: Pick<Store, 'apiKeys' | 'touchApiKeys'>, log: Log) {
  /** Good tokens by their hash, and when the use of each was last noted. */
  const known = new LRUCache<string, number>({ max: keysMax });
  const noteUse = noteUses(store, log);
  return {
    /** Whether the last request with this token had a good key. It says nothing about now. */
    isKnown: (tokenHash: string) => known.has(tokenHash),
    find: async ({ request, tokenHash = '' }: Arrival): Promise<ApiKey | KeyRefusal> => {
      const key = await authenticate(store.apiKeys, bearerToken(request.headers.authorization));
      if (typeof key === 'string') {
        known.delete(tokenHash);
        return key;
      }
      const now = Date.now();
      const notedAt = known.get(tokenHash) ?? 0;
      const isDue = now >= touchDueAt(key) && Math.abs(now - notedAt) >= noteAgainMs;
      known.set(tokenHash, isDue ? now : notedAt);
      if (isDue) noteUse(key);
      return key;
    },
  };
}

/** Tells why a token is unknown, and which key has ended: looked up after the answer, which must not depend on it. */
export function explained({ apiKeys }: Pick<Store, 'apiKeys'>, onAnswered: OnAnswered) {
  return (answered: Answered, { headers }: IncomingMessage): void => {
    const token = bearerToken(headers.authorization);
    if (answered.refusal !== 'unknown' || token === undefined) return onAnswered(answered);
    setImmediate(
      () =>
        void explain(apiKeys, token).then(
          ({ ended, ...why }) => onAnswered({ ...answered, ...why, keyId: ended?.id, projectId: ended?.project_id }),
          () => onAnswered(answered),
        ),
    );
  };
}

const noteAgainMs = 10_000;
const restMs = 1_000;
const togetherMax = 1_000;

function noteUses(store: Pick<Store, 'touchApiKeys'>, log: Log): (key: ApiKey) => void {
  const due: { keyId: string; projectId: string }[] = [];
  let isWriting = false;
  const write = async () => {
    while (due.length > 0) {
      const keys = due.splice(0, togetherMax);
      try {
        await store.touchApiKeys(keys, formatTimestamp(new Date()));
      } catch (error) {
        const isAway = error instanceof AppError && error.code === 'unavailable';
        const why = isAway ? { reason: error.message } : { err: error };
        log.warn({ ...why, keys: keys.length }, 'the last use of keys could not be noted');
      }
      await pause(restMs, undefined, { ref: false });
    }
    isWriting = false;
  };
  return ({ id: keyId, project_id: projectId }) => {
    due.push({ keyId, projectId });
    if (isWriting) return;
    isWriting = true;
    setImmediate(() => void write());
  };
}
