import { statSync } from 'node:fs';

import { readConfig } from '../../config/read-config.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase, sqlitePath } from '../../database/open-store.ts';
import { type BackupReport, backUp, verifyBackup } from '../../database/upkeep/backup.ts';
import { backUpInto } from '../../database/upkeep/dated-backups.ts';
import { UsageError } from '../failures.ts';
import { databaseAt, naming } from '../open.ts';
import { counted, listing, note, printResult } from '../output.ts';
import { command, type Flags, option } from '../parts.ts';
import { optionFor } from '../taking.ts';
import { makeDueBackup } from './due-backup.ts';

const pgDump =
  'PostgreSQL has tools of its own for this; run pg_dump --format=custom --file=FILE with PGHOST, PGUSER, PGPASSWORD and PGDATABASE set, and pg_restore --list FILE to read it.';

const fromOne = { type: 'integer', minimum: 1 };

interface Create {
  fileOrFolder: string;
  keep?: number;
  every?: number;
  command?: string;
}

const create = command<Create>('create', {
  says: 'write a backup: to a new file, or with a dated name into a folder',
  examples: ['roster backup create roster-2026-11-22.db', 'roster backup create /var/backups/roster --keep 14 --json'],
  args: { '<file-or-folder>': 'a file that is not there yet, or a folder' },
  options: [
    optionFor(
      '--keep <n>',
      'in a folder: keep the newest N dated backups, and remove the others once the new one is verified',
      fromOne,
    ),
    // Hidden, because only the service passes these.
    optionFor('--every <seconds>', '', fromOne).hideHelp(),
    option('--command <file>', '').hideHelp(),
  ],
  act: async (given) => {
    const { fileOrFolder: target, keep, every } = given;
    if (every !== undefined) return makeDue({ ...given, every });
    const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isFolder && keep !== undefined) {
      throw new UsageError('--keep goes with a folder; name one that exists, or leave --keep out.');
    }
    await make(given, (database, path) =>
      isFolder ? backUpInto(database, path, target, keep) : backUp(database, path, target),
    );
  },
});

const verify = command<{ file: string }>('verify', {
  says: 'read a whole backup and say whether it can be restored',
  examples: [
    'roster backup verify roster-2026-11-22.db',
    'roster backup verify backups/roster-2026-11-22T14-05-09Z.db --json',
  ],
  args: { '<file>': 'the backup to read' },
  act: async (given) => printBackup(await verifyBackup(given.file), given),
});

export const backupCommand = command<{ file: string; keep?: string }>('backup', {
  says: 'copy an SQLite database to a new file while the service runs, and verify the copy',
  examples: [
    'roster backup create roster-2026-11-22.db',
    'roster backup create /var/backups/roster --keep 14',
    'roster backup verify roster-2026-11-22.db',
  ],
  usage: '[options] <file>',
  args: { '<file>': 'the backup to write, as with "create"' },
  options: [option('--keep <n>', '').hideHelp()],
  commands: [create, verify],
  act: async (given) => {
    requireNoCommand(given.file);
    if (given.keep !== undefined) {
      throw new UsageError('--keep goes with "backup create": write "roster backup create FOLDER --keep N".');
    }
    await make(given, (database, path) => backUp(database, path, given.file));
  },
});

async function makeDue({ fileOrFolder: folder, keep, every, command, ...flags }: Flags<Create & { every: number }>) {
  const { path, url } = requireSqlite();
  const due = { path, folder, everySeconds: every, command };
  const make = () => reading(url, (database) => backUpInto(database, path, folder, keep));
  printResult(await naming(url, () => makeDueBackup(due, make)), flags);
}

async function make(flags: Flags, work: (database: Database, path: string) => Promise<BackupReport>): Promise<void> {
  const { path, url } = requireSqlite();
  const report = await naming(url, () => reading(url, (database) => work(database, path)));
  note(`Backed up the ${databaseAt(url)}.`);
  printBackup(report, flags);
}

export function requireSqlite(advice = pgDump): { path: string; url: string } {
  const { databaseUrl: url } = readConfig(process.env);
  const path = sqlitePath(url);
  if (path === undefined) throw new UsageError(advice);
  return { path, url };
}

async function reading<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  await using database = await openDatabase(url, { readOnly: true });
  return await work(database);
}

/** A typing error such as `backup verfy` must not write people into a file of that name. */
function requireNoCommand(file: string): void {
  if (!/^[a-z-]+$/i.test(file)) return;
  throw new UsageError(
    `"${file}" looks like a command; did you mean "roster backup verify FILE", "roster restore FILE", "roster backup --help", or "roster backup create ${file}"?`,
  );
}

/** `texts` replaces the report for people; `--json` always prints the report. */
export function printBackup(
  report: BackupReport & { removed?: string[] },
  flags: Flags,
  texts: () => object = () => report,
): void {
  for (const file of report.removed ?? []) note(`Removed the older backup ${file}.`);
  if (report.checked !== 'digest and structure') note('No digest beside it: only its structure was checked.');
  const { length } = report.pending;
  if (length > 0) note(`${counted(length, 'migration is', 'migrations are')} pending; a restore applies them.`);
  printResult(report, flags, () => listing({ ...texts(), rows: rowsOf(report.rows) }));
}

export function rowsOf(rows: Record<string, number>): string[] {
  return Object.entries(rows).map(([table, number]) => `${table} ${number}`);
}
