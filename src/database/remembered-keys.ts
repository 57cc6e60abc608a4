import { LRUCache } from 'lru-cache';

import { type ApiKey, isUsable } from '../api-keys/api-key.ts';
import type { ApiKeyReads } from '../api-keys/store.ts';
import type { Store } from '../store.ts';

const keysMax = 10_000;
const trustedMs = 3_000;

/** Saves a round trip: a usable key is remembered for three seconds, even if another process revokes it meanwhile. */
export function rememberKeys(apiKeys: ApiKeyReads, clock: { now(): number } = performance) {
  const known = new LRUCache<string, Promise<ApiKey | undefined>>({
    max: keysMax,
    ttl: trustedMs,
    ttlResolution: 0,
    perf: clock,
  });
  const ask = (tokenHash: string, at?: Date): Promise<ApiKey | undefined> => {
    const asked = apiKeys.findByHash(tokenHash, at);
    known.set(tokenHash, asked);
    const forget = () => {
      if (known.peek(tokenHash) === asked) known.delete(tokenHash);
    };
    asked.then((key) => key ?? forget(), forget);
    return asked;
  };
  return {
    apiKeys: {
      ...apiKeys,
      findByHash: async (tokenHash: string, at?: Date) => {
        const key = await (known.get(tokenHash) ?? ask(tokenHash, at));
        // A remembered key may have expired since.
        return key && !isUsable(key, at) ? ask(tokenHash, at) : key;
      },
    },
    forgettingAfter:
      (write: Store['write']): Store['write'] =>
      async (actor, work, ...how) => {
        let areKeysChanged = false;
        try {
          return await write(
            actor,
            async (unit) => {
              const written = await work(unit);
              areKeysChanged = written.changes.some(({ type }) => type.startsWith('key.'));
              return written;
            },
            ...how,
          );
        } finally {
          if (areKeysChanged) known.clear();
        }
      },
  };
}
