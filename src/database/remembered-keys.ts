import { type ApiKey, type ApiKeyStore, isUsable } from '../api-keys/api-key.ts';

/** What is asked again in the background when it is older than this. */
const freshMs = 1_000;
/** What is not trusted without asking when it is older than this: the longest that a revocation goes unnoticed. */
export const trustedMs = 3_000;
/** About 5 MB. */
const keysMax = 10_000;

/**
 * Remembers the keys that callers use for as long as nothing at all has changed in the store, which takes a sixth of
 * the time of looking one up. Keys that are unknown or have ended are not remembered.
 */
export function rememberKeysUnchanged(store: ApiKeyStore, version: () => number | undefined): ApiKeyStore {
  const remembered = new Map<string, { key: ApiKey; version: number }>();
  return {
    ...store,
    findApiKeyByHash: async (tokenHash, at) => {
      // Before the key is read: what is committed meanwhile makes it a thing of the past.
      const now = version();
      const one = remembered.get(tokenHash);
      // One that has expired meanwhile is asked for, as an unknown one is: a quicker refusal would tell the two apart.
      if (one && one.version === now && isUsable(one.key, at)) return one.key;
      const key = await store.findApiKeyByHash(tokenHash, at);
      if (remembered.size >= keysMax) remembered.clear();
      if (key && now !== undefined) remembered.set(tokenHash, { key, version: now });
      return key;
    },
  };
}

interface Remembered {
  key: ApiKey;
  askedAt: number;
  isAsking: boolean;
}

/**
 * Remembers the keys that callers use, so that a request costs one trip to a store across a network and not
 * two. A key in use is asked for again every second, beside the requests that it makes. What is changed
 * through this store holds at once, what others change within `trustedMs`. Keys that are unknown or have ended are not remembered.
 */
export function rememberKeys(store: ApiKeyStore, now: () => number = () => performance.now()): ApiKeyStore {
  const remembered = new Map<string, Remembered>();
  // Counts the changes made here: an answer that was under way during one is not kept.
  let changes = 0;

  const ask = async (tokenHash: string, at?: Date): Promise<ApiKey | undefined> => {
    const asked = { changes, at: now() };
    const key = await store.findApiKeyByHash(tokenHash, at);
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
      // Whoever needs it after `trustedMs` asks for himself, and is told.
      one.isAsking = false;
    }
  };
  const forgetting = async <Result>(change: Promise<Result>): Promise<Result> => {
    try {
      return await change;
    } finally {
      changes++;
      remembered.clear();
    }
  };

  return {
    ...store,
    findApiKeyByHash: async (tokenHash, at) => {
      const one = remembered.get(tokenHash);
      const age = one === undefined ? Infinity : now() - one.askedAt;
      if (!one || age >= trustedMs || !isUsable(one.key, at)) return ask(tokenHash, at);
      if (age >= freshMs && !one.isAsking) void refresh(tokenHash, one);
      return one.key;
    },
    revokeApiKey: (...given) => forgetting(store.revokeApiKey(...given)),
    replaceApiKey: (...given) => forgetting(store.replaceApiKey(...given)),
  };
}
