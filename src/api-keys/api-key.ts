import { AppError } from '../errors.ts';
import { type ProjectStore, requireName, requireProject } from '../projects/project.ts';
import { newId } from '../values/identifier.ts';
import { addSeconds, formatTimestamp, type Timestamp } from '../values/timestamp.ts';
import { generateToken, hashToken, isPossibleToken } from './token.ts';

export const scopes = ['members:read', 'contacts:read'] as const;
export type Scope = (typeof scopes)[number];

/** What is kept of a key; the token itself is not. */
export interface ApiKey {
  id: string;
  name: string;
  project_id: string;
  scopes: Scope[];
  last4: string;
  created_at: Timestamp;
  /** Written at most every five minutes. */
  last_used_at: Timestamp | null;
  /** From this second on the key is refused. */
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  /** The id of the key that a rotation put in its place. */
  replaced_by: string | null;
}

/** On whose behalf a request is made. */
export interface Caller {
  keyId: string;
  projectId: string;
}

export interface ApiKeyStore {
  /** False when the hash is known already; the store is then unchanged. */
  insertApiKey(key: ApiKey, tokenHash: string): Promise<boolean>;
  /** The key of this hash where it is usable now; one that has ended is as if it were not there, by the clock too. */
  findApiKeyByHash(tokenHash: string, now?: Date): Promise<ApiKey | undefined>;
  /** When the key of this hash was revoked, if it has ended or not: for figures, when its caller has been answered. */
  findEndedApiKey(tokenHash: string): Promise<Pick<ApiKey, 'revoked_at'> | undefined>;
  /** The key of this id: for the operator at the command line only. */
  findApiKey(keyId: string): Promise<ApiKey | undefined>;
  /** The keys of one project in every state, oldest first. */
  listApiKeys(projectId: string): Promise<ApiKey[]>;
  /** Keeps an earlier revocation; takes effect for requests that begin after it, across a network within three seconds. */
  revokeApiKey(projectId: string, keyId: string, at: Timestamp): Promise<void>;
  /** Inserts the successor and lets the old key expire, both or neither. Throws `conflict` where it has one already. */
  replaceApiKey(old: ApiKey, oldExpiresAt: Timestamp, key: ApiKey, tokenHash: string): Promise<void>;
  /** Notes that these keys, 1,000 at most, were used. Unimportant: may be skipped while the store is busy. */
  touchApiKeys(keys: readonly Caller[], at: Timestamp): Promise<void>;
}

export interface NewApiKey {
  key: ApiKey;
  /** Shown once, kept nowhere. */
  token: string;
}

/**
 * Creates a key, with a new token or one taken over from elsewhere.
 * Throws `not_found` (project), `invalid` (name, token) or `conflict` (token known already).
 */
export async function createApiKey(
  store: ApiKeyStore & ProjectStore,
  projectId: string,
  input: {
    name: string;
    scopes?: Scope[];
    expiresInSeconds?: number | undefined;
    token?: string | undefined;
  },
  now = new Date(),
): Promise<NewApiKey> {
  const project = await requireProject(store, projectId);
  const token = input.token ?? generateToken();
  if (!isPossibleToken(token)) {
    throw new AppError(
      'invalid',
      'A key has 16 to 256 visible ASCII characters on one line and, if it begins with rst_, a right checksum; look for what was cut off or added.',
    );
  }
  const key = aKey(token, { ...input, project_id: project.id }, now);
  if (await store.insertApiKey(key, hashToken(token))) return { key, token };
  throw new AppError('conflict', 'This key is known already; see "roster keys list --project ID".');
}

/** Revokes a key at once and for good; repeating it changes nothing. Throws `not_found`. */
export async function revokeApiKey(store: ApiKeyStore, keyId: string, now = new Date()): Promise<ApiKey> {
  const key = await requireApiKey(store, keyId);
  await store.revokeApiKey(key.project_id, key.id, formatTimestamp(now));
  return requireApiKey(store, keyId);
}

/**
 * Creates a successor with the same name, scopes and lifetime; the old key works on until the overlap ends.
 * Throws `not_found`, or `conflict` where the key has ended already.
 */
export async function rotateApiKey(
  store: ApiKeyStore,
  keyId: string,
  overlapSeconds: number,
  now = new Date(),
): Promise<NewApiKey & { replaced: ApiKey }> {
  const old = await requireApiKey(store, keyId);
  if (old.replaced_by !== null) {
    throw new AppError('conflict', `This key was rotated already; rotate its successor, ${old.replaced_by}.`);
  }
  if (!isUsable(old, now)) {
    throw new AppError(
      'conflict',
      'This key has expired or was revoked; create a new one with "roster keys create".',
    );
  }
  const token = generateToken();
  const lifetime =
    old.expires_at === null ? undefined : (Date.parse(old.expires_at) - Date.parse(old.created_at)) / 1000;
  const key = aKey(token, { ...old, expiresInSeconds: lifetime }, now);
  const overlapEnd = formatTimestamp(addSeconds(now, overlapSeconds));
  const oldExpiresAt = old.expires_at !== null && old.expires_at < overlapEnd ? old.expires_at : overlapEnd;
  await store.replaceApiKey(old, oldExpiresAt, key, hashToken(token));
  return { key, token, replaced: { ...old, expires_at: oldExpiresAt, replaced_by: key.id } };
}

/** Why a request has no key: for those who operate, never for whoever asks. */
export const refusals = ['missing', 'malformed', 'unknown', 'revoked', 'expired'] as const;
export type Refusal = (typeof refusals)[number];

/** Whose token it is, or why nobody's who may ask; one that has ended is unknown here. */
export async function authenticate(
  store: ApiKeyStore,
  token: string | undefined,
  now = new Date(),
): Promise<ApiKey | Exclude<Refusal, 'revoked' | 'expired'>> {
  if (token === undefined) return 'missing';
  if (!isPossibleToken(token)) return 'malformed';
  const key = await store.findApiKeyByHash(hashToken(token), now);
  return key && isUsable(key, now) ? key : 'unknown';
}

/**
 * What an unknown token is to those who operate. Only for when its caller has been answered: it takes longer for one
 * that was a key, which is nobody else's to know.
 */
export async function refusalOf(store: ApiKeyStore, token: string): Promise<Refusal> {
  const ended = await store.findEndedApiKey(hashToken(token));
  if (!ended) return 'unknown';
  return ended.revoked_at === null ? 'expired' : 'revoked';
}

const touchIntervalMs = 5 * 60_000;

/** From when on (epoch, ms) a use should be written, as the last one noted is so old. */
export function touchDueAt(key: ApiKey): number {
  return key.last_used_at === null ? 0 : Date.parse(key.last_used_at) + touchIntervalMs;
}

/** Whether the key is neither revoked nor expired. */
export function isUsable(key: ApiKey, now = new Date()): boolean {
  return key.revoked_at === null && (key.expires_at === null || key.expires_at > formatTimestamp(now));
}

async function requireApiKey(store: ApiKeyStore, keyId: string): Promise<ApiKey> {
  const key = await store.findApiKey(keyId);
  if (key) return key;
  throw new AppError('not_found', 'There is no key with this id; see "roster keys list --project ID".');
}

function aKey(
  token: string,
  from: { name: string; project_id: string; scopes?: Scope[]; expiresInSeconds?: number | undefined },
  now: Date,
): ApiKey {
  const wanted = from.scopes ?? scopes;
  return {
    id: newId(),
    name: requireName(from.name),
    project_id: from.project_id,
    scopes: scopes.filter((scope) => wanted.includes(scope)),
    last4: token.slice(-4),
    created_at: formatTimestamp(now),
    last_used_at: null,
    expires_at:
      from.expiresInSeconds === undefined ? null : formatTimestamp(addSeconds(now, from.expiresInSeconds)),
    revoked_at: null,
    replaced_by: null,
  };
}
