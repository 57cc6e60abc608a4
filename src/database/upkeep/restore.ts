import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';

import { AppError } from '../../errors.ts';
import { giveName } from '../../new-file.ts';
import { nextRevision } from '../../revision.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import type { DisabledReason } from '../../webhooks/webhook.ts';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { reporting } from '../sqlite/failures.ts';
import { filesBeside, giveOwner, isThere, makeFolder, requireWritable, unusedName } from '../sqlite/file.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import { type BackupReport, countTables, digestFile, sync, verifyBackup } from './backup.ts';
import { migrate } from './migrate.ts';
import { compareWith, type Comparison } from './restore-comparison.ts';
import { lockWhole } from './sole-use.ts';
import { takeAway, type TakenAway } from './take-away.ts';

export interface RestoreReport extends BackupReport {
  database: string;
  /** The migrations that the backup lacked. */
  migrated: string[];
  /** Time of the backup's last change. */
  newest_change: string | null;
  /** The database that it replaces; null if missing or unreadable. */
  replaced: { newest_change: string | null; rows: Record<string, number> } | null;
  comparison: Comparison['relation'];
  /** Counts of what was taken away again; null if not compared, or if it comes back. */
  taken_away: TakenAway | null;
  comes_back: TakenAway | null;
  /** Counts of usable keys and of webhooks created after the backup, which the restore loses; null if not compared. */
  lost: { keys: number; webhooks: number } | null;
  /** Keys that `--revoke-keys` has ended. */
  keys_ended: number;
  /** Webhooks that send nothing until somebody enables them, as nobody knows whether they still should. */
  webhooks_disabled: number;
  /** The files of the former database, by their new names. */
  moved_aside: string[];
}

interface RestoreOptions {
  /** Brings back what was taken away since the backup. */
  asItWas?: boolean;
  revokeKeys?: boolean;
}

/** Puts a verified copy in the place of the database, which nobody may have open; `stamp` names the old files. */
export async function restore(
  file: string,
  path: string,
  stamp: string,
  options: RestoreOptions = {},
): Promise<RestoreReport> {
  requireBackup(file, path);
  const database = isThere(path) ? fs.realpathSync(path) : resolve(path);
  makeFolder(dirname(database));
  reporting(() => requireWritable(database));
  const old = fs.statSync(database, { throwIfNoEntry: false });
  if (old?.isFile() === false) {
    throw new AppError('unavailable', `The path of the database is no file: ${database}; set DATABASE_URL to a file.`);
  }
  using _old = old && lockWhole(database);
  const aside = unusedName(`${database}.before-restore-${stamp}`);
  // A crash can leave it in use under this name.
  const restored = unusedName(`${database}.restored-${stamp}`);
  const copy = `${restored}.compared`;
  using unfinished = new DisposableStack();
  unfinished.defer(() => fs.rmSync(restored, { force: true }));
  const { pending: migrated, ...report } = await copied(file, restored);
  const told = await prepared(restored, { present: old && database, copy }, options);
  fs.chmodSync(restored, (old?.mode ?? 0o600) & 0o777);
  if (old) giveOwner(restored, old);
  sync(restored);
  using _restored = lockWhole(restored);
  if (old) fs.linkSync(database, aside);
  unfinished.move();
  const moved_aside = old ? replace(database, restored, aside) : place(database, restored, aside);
  return { ...report, pending: [], migrated, ...told, file, database, moved_aside };
}

type Findings = Omit<RestoreReport, keyof BackupReport | 'database' | 'migrated' | 'moved_aside'>;

/** Migrates the copy of the backup, and takes away what the present database no longer has. */
async function prepared(
  restored: string,
  { present, copy }: { present: string | undefined; copy: string },
  { asItWas = false, revokeKeys = false }: RestoreOptions,
): Promise<Findings> {
  using copies = new DisposableStack();
  copies.defer(() => ['', '-wal', '-shm'].forEach((suffix) => fs.rmSync(`${copy}${suffix}`, { force: true })));
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

/** Counts rows that only the present database has, in projects that both have, unless a later event of the backup is about them. */
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

function requireBackup(file: string, path: string): void {
  const [from, to] = [fs.statSync(file), fs.statSync(path, { throwIfNoEntry: false })];
  if (from.ino === to?.ino && from.dev === to.dev) {
    throw new AppError('input_output', 'The backup is the database itself; name another file.');
  }
  const log = fs.statSync(`${file}-wal`, { throwIfNoEntry: false });
  if ((log?.size ?? 0) === 0) return;
  throw new AppError(
    'invalid',
    `The file is no finished backup: a part of it is in ${file}-wal; make one of it with "DATABASE_URL=sqlite:${file} roster backup create FILE" and restore that.`,
  );
}

/** Verifies the copy, so that what was verified is what is put in place. */
async function copied(file: string, restored: string): Promise<BackupReport> {
  if (fs.statSync(file).isFile()) fs.copyFileSync(file, restored, fs.constants.COPYFILE_EXCL);
  try {
    return await verifyBackup(fs.existsSync(restored) ? restored : file, digestFile(file));
  } finally {
    for (const suffix of ['-wal', '-shm']) fs.rmSync(`${restored}${suffix}`, { force: true });
  }
}

/** Ends cursors, as event numbers repeat after a restore, and sessions and links, as a member may have been signed out since. */
async function beginAnew(database: Database): Promise<void> {
  await database.run(sql`update projects set feed = lower(hex(randomblob(8)))`);
  await database.run(sql`delete from sessions`);
  await database.run(sql`delete from sign_in_links`);
}

/** After each step the path leads to the old database with its log, or to the new one without it. */
function replace(database: string, restored: string, aside: string): string[] {
  const folder = dirname(database);
  const moved: string[] = [];
  if (filesBeside(database).length > 0) {
    // Through a link SQLite takes the log beside the file that the link names, so the old log is out of use at once.
    const link = `${database}.${process.pid}.link`;
    fs.symlinkSync(restored, link);
    fs.renameSync(link, database);
    sync(folder);
    moved.push(...moveAside(database, aside));
    sync(folder);
  }
  fs.renameSync(restored, database);
  sync(folder);
  return [aside, ...moved];
}

function place(database: string, restored: string, aside: string): string[] {
  const moved = moveAside(database, aside);
  sync(dirname(database));
  try {
    giveName(restored, database);
  } finally {
    fs.rmSync(restored, { force: true });
  }
  sync(dirname(database));
  return moved;
}

function moveAside(database: string, aside: string): string[] {
  return filesBeside(database).map((file) => {
    const moved = `${aside}${file.slice(database.length)}`;
    fs.renameSync(file, moved);
    return moved;
  });
}
