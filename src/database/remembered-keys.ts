import { type ApiKey, isUsable } from '../api-keys/api-key.ts';
import type { ApiKeyReads } from '../api-keys/store.ts';
import type { Store } from '../store.ts';

const freshMs = 1_000;
/** The longest that a revocation by another process goes unnoticed. */
export const trustedMs = 3_000;
const keysMax = 10_000;

interface Remembered {
  key: ApiKey;
  askedAt: number;
  isAsking: boolean;
}

/** Saves a round trip: an active key is refreshed every second in the background. Only usable keys are remembered. */
export function rememberKeys(apiKeys: ApiKeyReads, now: () => number = () => performance.now()) {
  const remembered = new Map<string, Remembered>();
  // An answer that was under way during a change is not kept.
  let changes = 0;

  const ask = async (tokenHash: string, at?: Date): Promise<ApiKey | undefined> => {
    const asked = { changes, at: now() };
    const key = await apiKeys.findByHash(tokenHash, at);
    if (asked.changes !== changes) return key;
    remembered.delete(tokenHash);
    if (key) {
      if (remembered.size >= keysMax) remembered.delete(remembered.keys().next().value ?? '');
      remembered.set(tokenHash, { key, askedAt: asked.at, isAsking: false });
    }
    return key;
  };
  const refresh = async (tokenHash: string, one: Remembered): Promise<void> => {
    one.isAsking = true;
    try {
      await ask(tokenHash);
    } catch {
      one.isAsking = false;
    }
  };
  return {
    apiKeys: {
      ...apiKeys,
      findByHash: async (tokenHash: string, at?: Date) => {
        const one = remembered.get(tokenHash);
        const age = one === undefined ? Infinity : now() - one.askedAt;
        if (!one || age >= trustedMs || !isUsable(one.key, at)) return ask(tokenHash, at);
        if (age >= freshMs && !one.isAsking) void refresh(tokenHash, one);
        return one.key;
      },
    },
    /** Wraps `write` to forget all keys after one that changes keys. */
    forgettingAfter:
      (write: Store['write']): Store['write'] =>
      async (actor, work, signal, queue) => {
        let areKeysChanged = false;
        try {
          return await write(
            actor,
            async (unit) => {
              const written = await work(unit);
              areKeysChanged = written.changes.some(({ type }) => type.startsWith('key.'));
              return written;
            },
            signal,
            queue,
          );
        } finally {
          if (areKeysChanged) {
            changes++;
            remembered.clear();
          }
        }
      },
  };
}
