import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { LRUCache } from 'lru-cache';

import { bearerToken } from '../bearer-token.ts';
import { networkOf } from '../networks.ts';

/** Keys that were good lately; who is pushed out is one of his network until his next answer. */
const knownMax = 10_000;

/** Who asks, as far as it can be told before anything is looked up. */
export interface WhoAsks {
  /** The key's digest, as a key is kept nowhere, not in memory either; undefined where none is sent. */
  keyName: string | undefined;
  isKnown: boolean;
  /** The key where it is known, else the network: anybody can send another made-up key each time. */
  name: string;
}

/** Remembers which keys are good, for no more than to tell callers apart; what they may do is asked elsewhere. */
export function rememberGoodKeys() {
  const known = new LRUCache<string, true>({ max: knownMax });
  return {
    whoAsks: ({ headers, socket }: IncomingMessage): WhoAsks => {
      const token = bearerToken(headers.authorization);
      const keyName = token === undefined ? undefined : hash('sha256', token, 'base64');
      if (keyName !== undefined && known.has(keyName)) return { keyName, isKnown: true, name: keyName };
      return { keyName, isKnown: false, name: networkOf(socket.remoteAddress ?? '') };
    },
    /** The request had a good key. */
    learn: (keyName: string) => void known.set(keyName, true),
  };
}
