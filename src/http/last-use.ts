import { setTimeout as pause } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import type { ApiKey } from '../api-keys/api-key.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../observability/access-log.ts';
import type { Store } from '../store.ts';
import { formatTimestamp } from '../values/timestamp.ts';

export interface UsedKey {
  key: ApiKey;
  touchDueAt: number;
}

const keysMax = 10_000;
const lookAgainMs = 10_000;
const togetherMs = 1_000;
const togetherMax = 1_000;

/** Notes the last use of keys, together and after the answer; of each at most every five minutes. */
export function createNoter(store: Pick<Store, 'touchApiKeys'>, log: Pick<Log, 'warn'>): (one: UsedKey) => void {
  const lookedAt = new LRUCache<string, number>({ max: keysMax });
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
      await pause(togetherMs, undefined, { ref: false });
    }
    isWriting = false;
  };
  return ({ key, touchDueAt: dueAt }) => {
    const now = Date.now();
    if (now < dueAt || Math.abs(now - (lookedAt.get(key.id) ?? 0)) < lookAgainMs) return;
    lookedAt.set(key.id, now);
    due.push({ keyId: key.id, projectId: key.project_id });
    if (isWriting) return;
    isWriting = true;
    setImmediate(() => void write());
  };
}
