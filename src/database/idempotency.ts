import { AppError, notFound } from '../errors.ts';
import type { IdempotencyKeys } from '../idempotency.ts';
import type { Transaction } from './database.ts';
import { sql } from './sql.ts';

export function idempotencyKeys(connection: Transaction): IdempotencyKeys {
  return {
    claim: async (projectId, apiKeyId, { keyHash, requestDigest }, { at, forgetBefore }) => {
      // One round trip. The insertion waits for a transaction that has claimed the same key.
      const [, claimed] = await Promise.all([
        connection.run(
          sql`delete from idempotency_keys where project_id = ${projectId} and api_key_id = ${apiKeyId}
            and key_hash = ${keyHash} and created_at < ${forgetBefore}`,
        ),
        connection.run(
          sql`insert into idempotency_keys (project_id, api_key_id, key_hash, request_digest, created_at)
            values (${projectId}, ${apiKeyId}, ${keyHash}, ${requestDigest}, ${at}) on conflict do nothing`,
        ),
      ]).catch((error: unknown) => {
        if (isLockTimeout(error)) {
          throw new AppError('idempotency_in_progress', 'A request with this Idempotency-Key is still running');
        }
        throw isWithoutProject(error) ? notFound('project') : error;
      });
      if (claimed === 1) return undefined;
      const kept = await connection.first<{ request_digest: string; result: string }>(
        sql`select request_digest, result from idempotency_keys
          where project_id = ${projectId} and api_key_id = ${apiKeyId} and key_hash = ${keyHash}`,
      );
      if (!kept) throw new Error('an idempotency key that is taken was not found');
      return { requestDigest: kept.request_digest, result: JSON.parse(kept.result) as unknown };
    },
    purge: (projectId, before, limit) =>
      connection.run(
        sql`delete from idempotency_keys where project_id = ${projectId} and (api_key_id, key_hash) in (
          select api_key_id, key_hash from idempotency_keys
          where project_id = ${projectId} and created_at < ${before} limit ${limit} ${connection.skipLocked}
        )`,
      ),
    keep: async (projectId, apiKeyId, keyHash, result) => {
      await connection.run(
        sql`update idempotency_keys set result = ${JSON.stringify(result)}
          where project_id = ${projectId} and api_key_id = ${apiKeyId} and key_hash = ${keyHash}`,
      );
    },
  };
}

/** The project was deleted since its key was looked up: foreign keys of PostgreSQL and SQLite. */
function isWithoutProject(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '23503') || ('errcode' in error && error.errcode === 787);
}

function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === '55P03';
}
