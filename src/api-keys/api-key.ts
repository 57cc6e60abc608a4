import { requireName } from '../projects/project.ts';
import { defaultScopes, type Maker, type Scope, scopes } from '../rights.ts';
import { newId } from '../values/identifier.ts';
import { addSeconds, formatTimestamp, type Timestamp } from '../values/timestamp.ts';

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
  replaced_by: string | null;
  /** The actor who was shown its token; null if unknown. */
  created_by: Maker | null;
}

export interface NewApiKey {
  key: ApiKey;
  token: string;
}

export interface ApiKeyInput {
  name: string;
  scopes?: readonly Scope[] | undefined;
  expiresInSeconds?: number | undefined;
}

export function newApiKey(
  token: string,
  { projectId, type, id }: Maker & { projectId: string },
  input: ApiKeyInput,
  now: Date,
): ApiKey {
  const { expiresInSeconds } = input;
  return {
    id: newId(),
    name: requireName(input.name),
    project_id: projectId,
    scopes: scopesInOrder(input.scopes ?? defaultScopes),
    last4: token.slice(-4),
    created_at: formatTimestamp(now),
    last_used_at: null,
    expires_at: expiresInSeconds === undefined ? null : formatTimestamp(addSeconds(now, expiresInSeconds)),
    revoked_at: null,
    replaced_by: null,
    created_by: { type, id },
  };
}

export function scopesInOrder(wanted: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => wanted.includes(scope));
}

export function isUsable({ revoked_at, expires_at }: ApiKey, now?: Date): boolean {
  return revoked_at === null && (expires_at === null || expires_at > formatTimestamp(now ?? new Date()));
}

/** A rotated key has a successor, and may work until it expires. */
export function stateOf(key: ApiKey, now = new Date()): 'active' | 'rotated' | 'expired' | 'revoked' {
  if (key.revoked_at !== null) return 'revoked';
  if (key.replaced_by !== null) return 'rotated';
  return isUsable(key, now) ? 'active' : 'expired';
}

const touchIntervalMs = 5 * 60_000;

/** When the next use should be written (epoch, ms): five minutes after the last one noted. */
export function touchDueAt(key: ApiKey): number {
  return key.last_used_at === null ? 0 : Date.parse(key.last_used_at) + touchIntervalMs;
}
