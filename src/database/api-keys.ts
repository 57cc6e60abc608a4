import type { ApiKey } from '../api-keys/api-key.ts';
import type { ApiKeyReads, ApiKeyWrites } from '../api-keys/store.ts';
import type { Maker, Scope } from '../rights.ts';
import type { Store } from '../store.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { type Access, damagedRow, type Database, type Transaction } from './database.ts';
import { inPairs, insertInto, type Sql, sql } from './sql.ts';

type ApiKeyRow = Omit<ApiKey, 'scopes' | 'created_by'> & { scopes: string } & MakerRow;

const columns = sql`id, name, project_id, scopes, last4, created_at, last_used_at, expires_at, revoked_at, replaced_by,
  created_by_type, created_by_id`;

export function apiKeyReads(access: Access): ApiKeyReads {
  return {
    // The key with this hash or the next lower one: each token reads one row, so that the time tells nothing.
    findByHash: async (tokenHash, now = new Date()) => {
      const row = await access.first<ApiKeyRow & { token_hash: string; sought: string; is_usable: number | boolean }>(
        sql`select api_keys.token_hash, sought.token_hash as sought, ${columns},
            revoked_at is null and (expires_at is null or expires_at > ${formatTimestamp(now)}) as is_usable
          from (
            select project_id as sought_project_id, id as sought_id, token_hash from api_keys
            where token_hash <= ${tokenHash} order by token_hash desc limit 1
          ) as sought
          join api_keys on project_id = sought_project_id and id = sought_id`,
      );
      if (!row) return undefined;
      const { token_hash: found, sought, is_usable, ...key } = row;
      // A damaged SQLite index can lead to another key.
      if (found !== sought) throw damagedRow();
      return found === tokenHash && is_usable ? toApiKey(key) : undefined;
    },
    locateByHash: async (tokenHash) => {
      const row = await access.first<ApiKeyRow>(sql`select ${columns} from api_keys where token_hash = ${tokenHash}`);
      return row && toApiKey(row);
    },
    locate: async (keyId) => {
      const row = await access.first<ApiKeyRow>(sql`select ${columns} from api_keys where id = ${keyId}`);
      return row && toApiKey(row);
    },
    find: async (projectId, keyId) => {
      const query = sql`select ${columns} from api_keys where project_id = ${projectId} and id = ${keyId}`;
      const row = await access.first<ApiKeyRow>(query);
      return row && toApiKey(row);
    },
    list: async (projectId) => {
      const query = sql`select ${columns} from api_keys where project_id = ${projectId} order by created_at, id`;
      return (await access.all<ApiKeyRow>(query)).map(toApiKey);
    },
  };
}

export function apiKeyWrites(connection: Transaction): ApiKeyWrites {
  const changesOne = async (statement: Sql) => (await connection.run(statement)) === 1;
  return {
    insert: ({ created_by: maker, ...key }, tokenHash) => {
      const scopes = key.scopes.join();
      const made = { created_by_type: maker?.type ?? null, created_by_id: maker?.id ?? null };
      const row = insertInto('api_keys', { ...key, scopes, token_hash: tokenHash, ...made });
      return changesOne(sql`${row} on conflict (token_hash) do nothing`);
    },
    revoke: (projectId, keyId, at) =>
      changesOne(
        sql`update api_keys set revoked_at = ${at}
          where project_id = ${projectId} and id = ${keyId} and revoked_at is null`,
      ),
    setScopes: (projectId, keyId, scopes) =>
      changesOne(
        sql`update api_keys set scopes = ${scopes.join()}
          where project_id = ${projectId} and id = ${keyId} and revoked_at is null`,
      ),
    replace: (projectId, keyId, successorId, expiresAt) =>
      changesOne(
        sql`update api_keys set expires_at = ${expiresAt}, replaced_by = ${successorId}
          where project_id = ${projectId} and id = ${keyId} and replaced_by is null`,
      ),
  };
}

/** One statement: every commit costs a sync and invalidates caches. */
export function touchApiKeys(database: Database): Store['touchApiKeys'] {
  return async (keys, at) => {
    const pairs = keys.map(({ projectId, keyId }) => [projectId, keyId] as const);
    await database.run(sql`update api_keys set last_used_at = ${at} where (project_id, id) in ${inPairs(pairs)}`);
  };
}

interface MakerRow {
  created_by_type: Maker['type'] | null;
  created_by_id: string | null;
}

function toApiKey({ created_by_type: type, created_by_id: id, ...row }: ApiKeyRow): ApiKey {
  if (typeof row.scopes !== 'string') throw damagedRow();
  const created_by = type === null || id === null ? null : { type, id };
  return { ...row, scopes: row.scopes.split(',') as Scope[], created_by };
}
