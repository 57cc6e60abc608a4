import type { Key } from '../../types.ts';

export type KeyState = 'active' | 'replaced' | 'expired' | 'revoked';

export function stateOf({ revoked_at: revoked, expires_at: expires, replaced_by: successor }: Key): KeyState {
  if (revoked !== null) return 'revoked';
  if (expires !== null && Date.parse(expires) <= Date.now()) return 'expired';
  return successor === null ? 'active' : 'replaced';
}

export function isUsable(key: Key): boolean {
  const state = stateOf(key);
  return state === 'active' || state === 'replaced';
}

/** Whether somebody has called with a replaced key since there is a new one. The time of a use is five minutes exact. */
export function isStillUsed(key: Key, all: readonly Key[]): boolean {
  const successor = all.find(({ id }) => id === key.replaced_by);
  return successor !== undefined && key.last_used_at !== null && key.last_used_at > successor.created_at;
}
