import type { Scope } from '../../actor.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import type { Database, Transaction } from '../database.ts';
import { sql } from '../sql.ts';

export interface KeyRow {
  project_id: string;
  id: string;
  scopes: string;
  expires_at: string | null;
  scopes_now: string | null;
  expires_now: string | null;
  replaced_now: string | null;
  revoked_now: string | null;
}

/** Keys of the backup that are now revoked, rotated, narrowed or shortened, as `compareWith` found. */
export async function narrowedKeys(database: Database): Promise<KeyRow[]> {
  const rows = await database.all<KeyRow>(
    sql`select project_id, id, scopes, expires_at, scopes_now, expires_now, revoked_now, replaced_now from changed_keys`,
  );
  return rows.filter((key) => kindOf(key) !== undefined);
}

function kindOf(key: KeyRow): 'revoked' | 'rotated' | 'narrowed' | undefined {
  if (key.scopes_now === null || key.revoked_now !== null) return 'revoked';
  if (key.replaced_now !== null) return 'rotated';
  return isEarlier(key) || scopesOf(key) !== key.scopes ? 'narrowed' : undefined;
}

export function countKeys(keys: readonly KeyRow[]) {
  const count = (kind: ReturnType<typeof kindOf>) => keys.filter((key) => kindOf(key) === kind).length;
  return { keys_revoked: count('revoked'), keys_narrowed: count('narrowed'), keys_rotated: count('rotated') };
}

function isEarlier({ expires_at: before, expires_now: now }: KeyRow): boolean {
  return now !== null && (before === null || now < before);
}

/** The scopes in both; if none is left, the present ones. */
function scopesOf({ scopes, scopes_now: now }: KeyRow): string {
  const allowed = new Set((now ?? '').split(',') as Scope[]);
  return (scopes.split(',') as Scope[]).filter((scope) => allowed.has(scope)).join() || (now ?? scopes);
}

export async function narrowKey(connection: Transaction, key: KeyRow): Promise<void> {
  const revokedAt = kindOf(key) === 'revoked' ? (key.revoked_now ?? formatTimestamp(new Date())) : null;
  await connection.run(
    sql`update api_keys set scopes = ${scopesOf(key)}, expires_at = ${isEarlier(key) ? key.expires_now : key.expires_at},
        replaced_by = coalesce(replaced_by, ${key.replaced_now}), revoked_at = ${revokedAt}
      where project_id = ${key.project_id} and id = ${key.id}`,
  );
}
