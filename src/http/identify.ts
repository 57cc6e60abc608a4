import { setTimeout as pause } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import { type ApiKey, isUsable, touchDueAt } from '../api-keys/api-key.ts';
import { authenticate, explain, type Refusal } from '../api-keys/authenticate.ts';
import { AppError } from '../errors.ts';
import type { Answered, Log, OnAnswered } from '../observability/access-log.ts';
import type { Store } from '../store.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import type { Arrival } from './edge/edge.ts';
import { challenge, HttpError } from './errors.ts';
import { bearerToken } from './headers.ts';
import { believedMs, type ProjectVersions } from './project-versions.ts';

const keysMax = 10_000;

interface KnownKey {
  key: ApiKey;
  touchDueAt: number;
  /** The data version at which it was read, and that of its project. */
  version: number | undefined;
  ofProject: string | undefined;
  readAt: number;
}

type Recalled = ApiKey | undefined;

export type Identification = ReturnType<typeof createIdentification>;

export function createIdentification(
  store: Pick<Store, 'apiKeys' | 'touchApiKeys' | 'version'>,
  versionOf: ProjectVersions,
  log: Log,
) {
  const known = new LRUCache<string, KnownKey>({ max: keysMax });
  const noteUse = useNoter(store, log);
  return {
    /** Whether the last request with this token had a good key. It says nothing about now. */
    isKnown: (tokenHash: string) => known.has(tokenHash),
    /**
     * The key of this token hash, if it was found at the same data version, or a moment ago and its project has not changed
     * since. A promise only where the store has to be asked for that.
     */
    recall: (tokenHash: string | undefined, version: number | undefined): Recalled | Promise<Recalled> => {
      const one = tokenHash === undefined ? undefined : known.peek(tokenHash);
      if (!one || version === undefined || !isUsable(one.key)) return undefined;
      if (one.version === version) {
        noteUse(one);
        return one.key;
      }
      const { key, ofProject, readAt } = one;
      if (ofProject === undefined || performance.now() - readAt >= believedMs || Date.now() >= one.touchDueAt) {
        return undefined;
      }
      const now = versionOf(key.project_id, version);
      if (typeof now === 'object') return now.then((told) => (told === ofProject ? key : undefined));
      return now === ofProject ? key : undefined;
    },
    /** The key of the request, or why there is none. `version` was asked for after the request had come. */
    keyOf: async ({ request, tokenHash = '' }: Arrival, version: number | undefined): Promise<ApiKey | Refusal> => {
      const isSeen = known.has(tokenHash);
      // The form of a token that was good before need not be checked, nor its hash be computed, again.
      const key = isSeen
        ? ((await store.apiKeys.findByHash(tokenHash)) ?? 'unknown')
        : await authenticate(store.apiKeys, bearerToken(request.headers.authorization));
      if (typeof key === 'string') {
        known.delete(tokenHash);
        return key;
      }
      const readAt = performance.now();
      const now = version === undefined ? undefined : await versionOf(key.project_id, version);
      // Only if nothing was committed in between.
      const ofProject = now !== undefined && store.version() === version ? now : undefined;
      const found: KnownKey = { key, touchDueAt: touchDueAt(key), version, ofProject, readAt };
      if (!isSeen || version !== undefined) known.set(tokenHash, found);
      noteUse(found);
      return key;
    },
  };
}

/** The answer to a request without a good key. RFC 6750 §3.1: no error code where no credential was sent. */
export function unauthenticated(refusal: Refusal): HttpError {
  const parameters = refusal === 'missing' ? '' : ', error="invalid_token"';
  return new HttpError('unauthenticated', ['www-authenticate', challenge + parameters]);
}

/** Tells of an answer why it refused, and the key that has ended: looked up after the answer, which must not depend on it. */
export function refusalTeller({ apiKeys }: Pick<Store, 'apiKeys'>, onAnswered: OnAnswered) {
  return (answered: Answered, refusal: Refusal, authorization: string | undefined): void => {
    const token = bearerToken(authorization);
    const tell = () => onAnswered({ ...answered, refusal });
    if (refusal !== 'unknown' || token === undefined) return tell();
    setImmediate(
      () =>
        void explain(apiKeys, token).then(
          ({ ended, ...why }) => onAnswered({ ...answered, ...why, keyId: ended?.id, projectId: ended?.project_id }),
          tell,
        ),
    );
  };
}

const lookAgainMs = 10_000;
const togetherMs = 1_000;
const togetherMax = 1_000;

function useNoter(store: Pick<Store, 'touchApiKeys'>, log: Log): (one: KnownKey) => void {
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
