import { rmSync } from 'node:fs';

import { nextRevision } from '../../revision.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import type { DisabledReason } from '../../webhooks/webhook.ts';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import { countTables } from './backup.ts';
import { migrate } from './migrate.ts';
import { compareWith, type Comparison } from './restore-comparison.ts';
import { takeAway, type TakenAway } from './take-away.ts';

export interface RestoreOptions {
  /** Brings back what was taken away since the backup. */
  asItWas?: boolean;
  revokeKeys?: boolean;
}

export interface Findings {
  newest_change: string | null;
  /** The database that it replaces; null if missing or unreadable. */
  replaced: { newest_change: string | null; rows: Record<string, number> } | null;
  comparison: Comparison['relation'];
  /** Counts of what was taken away again; null if not compared, or if it comes back. */
  taken_away: TakenAway | null;
  comes_back: TakenAway | null;
  /** Counts of usable keys and of webhooks created after the backup, which the restore loses; null if not compared. */
  lost: { keys: number; webhooks: number } | null;
  keys_ended: number;
  /** Webhooks that send nothing until somebody enables them, as nobody knows whether they still should. */
  webhooks_disabled: number;
}

/** Migrates the copy of the backup, and takes away what the present database no longer has. */
export async function prepareRows(
  restored: string,
  { present, copy }: { present: string | undefined; copy: string },
  { asItWas = false, revokeKeys = false }: RestoreOptions,
): Promise<Findings> {
  using copies = new DisposableStack();
  copies.defer(() => ['', '-wal', '-shm'].forEach((suffix) => rmSync(`${copy}${suffix}`, { force: true })));
  await using database = openSqlite(restored, { create: false, writesMany: true });
  const migrated = await migrate(database);
  await beginAnew(database);
  const compared = present === undefined ? undefined : await compareWith(database, present, copy);
  const comparison = compared?.relation ?? 'unknown';
  const replaced = comparison === 'unknown' ? null : await stateOf(database, 'present');
  const { newest_change } = await stateOf(database, 'main');
  const taken =
    comparison === 'compared' ? await takeAway(database, [...migrated, ...(compared?.migrated ?? [])], asItWas) : null;
  const now = formatTimestamp(new Date());
  // Of a rotated key only the successor is needed again.
  const usable = sql`revoked_at is null and replaced_by is null and (expires_at is null or expires_at > ${now})`;
  const lost =
    comparison === 'compared'
      ? { keys: await newerIn(database, 'api_keys', usable), webhooks: await newerIn(database, 'webhooks') }
      : null;
  const keys_ended = revokeKeys
    ? await database.run(sql`update api_keys set revoked_at = ${now} where revoked_at is null`)
    : 0;
  const webhooks_disabled = comparison === 'compared' || asItWas ? 0 : await disableWebhooks(database);
  const [taken_away, comes_back] = asItWas ? [null, taken] : [taken, null];
  return { newest_change, replaced, comparison, taken_away, comes_back, lost, keys_ended, webhooks_disabled };
}

/** Ends cursors, as event numbers repeat, and sessions and links, as a member may have been signed out since. */
async function beginAnew(database: Database): Promise<void> {
  await database.run(sql`update projects set feed = lower(hex(randomblob(8)))`);
  await database.run(sql`delete from sessions`);
  await database.run(sql`delete from sign_in_links`);
}

/** Rows that only the present database has, in shared projects, unless a later event of the backup is about them. */
async function newerIn(database: Database, table: 'api_keys' | 'webhooks', condition = sql`true`): Promise<number> {
  const row = await database.first<{ total: number }>(
    sql`select count(*) as total from present.${raw(table)} join shared using (project_id)
      where (project_id, id) not in (select project_id, id from ${raw(table)})
        and (project_id, id) not in (select project_id, id from later) and ${condition}`,
  );
  return row?.total ?? 0;
}

/** A copy on another machine is to post to nobody. */
function disableWebhooks(database: Database): Promise<number> {
  const reason: DisabledReason = 'restored';
  return database.run(
    sql`update webhooks set disabled_reason = ${reason}, revision = max(revision + 1, ${nextRevision()})
      where disabled_reason is null`,
  );
}

async function stateOf(database: Database, schema: 'main' | 'present'): Promise<NonNullable<Findings['replaced']>> {
  const newest = await database.first<{ newest_change: string | null }>(
    sql`select max((
        select occurred_at from ${raw(schema)}.events where project_id = projects.id order by sequence desc limit 1
      )) as newest_change from ${raw(schema)}.projects as projects`,
  );
  return { newest_change: newest?.newest_change ?? null, rows: await countTables(database, `${schema}.`) };
}
