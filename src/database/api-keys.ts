import type { ApiKey, ApiKeyStore, Scope } from '../api-keys/api-key.ts';
import { AppError } from '../errors.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { type Connection, damagedRow, type Database } from './database.ts';
import { inPairs, sql } from './sql.ts';

type ApiKeyRow = Omit<ApiKey, 'scopes'> & { scopes: string };

const columns = sql`id, name, project_id, scopes, last4, created_at, last_used_at, expires_at, revoked_at, replaced_by`;

export function apiKeyStore(database: Database): ApiKeyStore {
  const first = async (query: ReturnType<typeof sql>) => {
    const row = await database.first<ApiKeyRow>(query);
    return row && toApiKey(row);
  };
  return {
    insertApiKey: async (key, tokenHash) => (await insert(database.of(key.project_id), key, tokenHash)) === 1,
    // Reading a row takes longer than finding none, which would tell a revoked key from one that never was.
    findApiKeyByHash: async (tokenHash, now = new Date()) => {
      const row = await database.first<ApiKeyRow & { token_hash: string }>(
        sql`select token_hash, ${columns} from api_keys where token_hash = ${tokenHash}
          and revoked_at is null and (expires_at is null or expires_at > ${formatTimestamp(now)})`,
      );
      if (!row) return undefined;
      const { token_hash: found, ...key } = row;
      // In a damaged index SQLite may come upon somebody else's.
      if (found !== tokenHash) throw damagedRow();
      return toApiKey(key);
    },
    findEndedApiKey: (tokenHash) =>
      database.first<Pick<ApiKey, 'revoked_at'>>(
        sql`select revoked_at from api_keys where token_hash = ${tokenHash}`,
      ),
    findApiKey: (keyId) => first(sql`select ${columns} from api_keys where id = ${keyId}`),
    listApiKeys: async (projectId) => {
      const rows = await database
        .of(projectId)
        .all<ApiKeyRow>(
          sql`select ${columns} from api_keys where project_id = ${projectId} order by created_at, id`,
        );
      return rows.map(toApiKey);
    },
    revokeApiKey: async (projectId, keyId, at) => {
      await database.of(projectId).run(
        sql`update api_keys set revoked_at = ${at}
          where project_id = ${projectId} and id = ${keyId} and revoked_at is null`,
      );
    },
    replaceApiKey: (old, oldExpiresAt, key, tokenHash) =>
      database.of(old.project_id).transaction(async (connection) => {
        const replaced = await connection.run(
          sql`update api_keys set expires_at = ${oldExpiresAt}, replaced_by = ${key.id}
            where project_id = ${old.project_id} and id = ${old.id} and replaced_by is null`,
        );
        if (replaced === 0) throw new AppError('conflict', 'This key was rotated just now by somebody else.');
        await insert(connection, key, tokenHash);
      }),
    // One statement and so one commit: each is a wait for the disk, and ends what is remembered of the store.
    touchApiKeys: async (keys, at) => {
      const pairs = keys.map(({ projectId, keyId }) => [projectId, keyId] as const);
      await database.run(
        sql`update api_keys set last_used_at = ${at} where (project_id, id) in ${inPairs(pairs)}`,
      );
    },
  };
}

function insert(connection: Connection, key: ApiKey, tokenHash: string): Promise<number> {
  return connection.run(
    sql`insert into api_keys
      (project_id, id, token_hash, name, scopes, last4, created_at, last_used_at, expires_at, revoked_at,
        replaced_by)
      values (${key.project_id}, ${key.id}, ${tokenHash}, ${key.name}, ${key.scopes.join()}, ${key.last4},
        ${key.created_at}, ${key.last_used_at}, ${key.expires_at}, ${key.revoked_at}, ${key.replaced_by})
      on conflict (token_hash) do nothing`,
  );
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return { ...row, scopes: row.scopes.split(',') as Scope[] };
}
