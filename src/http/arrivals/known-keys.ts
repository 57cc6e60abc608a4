import type { IncomingMessage } from 'node:http';

import { LRUCache } from 'lru-cache';

import {
  type ApiKey,
  type ApiKeyStore,
  authenticate,
  isUsable,
  type Refusal,
  touchDueAt,
} from '../../api-keys/api-key.ts';
import { bearerToken } from '../bearer-token.ts';

const keysMax = 10_000;

interface KnownKey {
  key: ApiKey;
  touchDueAt: number;
  version: number | undefined;
}

/** Remembers keys by their digests for as long as the store's version is the same; where it has none, the store is asked. */
export function knownKeys(store: ApiKeyStore) {
  const keys = new LRUCache<string, KnownKey>({ max: keysMax });
  const ask = async (authorization: string | undefined, version: number | undefined) => {
    const key = await authenticate(store, bearerToken(authorization));
    return typeof key === 'string' ? key : { key, touchDueAt: touchDueAt(key), version };
  };
  return async (
    { headers }: IncomingMessage,
    name: string | undefined,
    version: number | undefined,
  ): Promise<KnownKey | Refusal> => {
    if (version === undefined || name === undefined) return ask(headers.authorization, version);
    const known = keys.get(name);
    if (known?.version === version && isUsable(known.key)) return known;
    const found = await ask(headers.authorization, version);
    if (typeof found !== 'string') keys.set(name, found);
    return found;
  };
}
