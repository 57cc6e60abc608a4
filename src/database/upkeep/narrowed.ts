import type { Role } from '../../members/member.ts';
import { rightsOf } from '../../sign-in/session.ts';
import type { ChangedKey, ChangedMember } from './gone.ts';

/** The key, cut down to what the present one allows; undefined if nothing is cut. A lost key counts as revoked `at`. */
export function narrowedKey(key: ChangedKey, at: string) {
  const { project_id, id, scopes_now: now, expires_now: end, revoked_now: revoked, replaced_now: replaced_by } = key;
  const allowed = new Set(now?.split(','));
  const left = key.scopes.split(',').filter((scope) => allowed.has(scope));
  const scopes = left.join() || (now ?? key.scopes);
  const isShorter = end !== null && (key.expires_at === null || end < key.expires_at);
  const revoked_at = now === null ? at : revoked;
  const kind = revoked_at !== null ? 'revoked' : replaced_by !== null ? 'rotated' : 'narrowed';
  if (kind === 'narrowed' && !isShorter && scopes === key.scopes) return undefined;
  return {
    kind,
    project_id,
    id,
    scopes,
    expires_at: isShorter ? end : key.expires_at,
    revoked_at,
    replaced_by,
  } as const;
}

const listOf = (roles: string) => roles.split(',') as Role[];

/** The roles that allow no more than the present ones, or else those. A removed member counts as a Viewer. */
export function rolesLeft({ roles, roles_now: now }: ChangedMember): Role[] {
  const allowed = new Set(rightsOf({ roles: listOf(now ?? 'Viewer') }));
  const left = listOf(roles).filter((role) => rightsOf({ roles: [role] }).every((right) => allowed.has(right)));
  return left.length > 0 ? left : listOf(now ?? 'Viewer');
}
