import type { Key } from '../../types.ts';

export type KeyState = 'active' | 'ending' | 'replaced' | 'expired' | 'revoked';

const soonMs = 14 * 86_400_000;

export function stateOf({ revoked_at: revoked, expires_at: expires, replaced_by: successor }: Key): KeyState {
  if (revoked !== null) return 'revoked';
  if (expires !== null && Date.parse(expires) <= Date.now()) return 'expired';
  if (successor !== null) return 'replaced';
  return expires !== null && Date.parse(expires) - Date.now() < soonMs ? 'ending' : 'active';
}

export function isUsable(key: Key): boolean {
  return !['expired', 'revoked'].includes(stateOf(key));
}

/** Whether somebody has called with a replaced key since there is a new one. The time of a use is five minutes exact. */
export function isStillUsed(key: Key, all: readonly Key[]): boolean {
  const successor = all.find(({ id }) => id === key.replaced_by);
  return successor !== undefined && key.last_used_at !== null && key.last_used_at > successor.created_at;
}
