import type { Command } from 'commander';

import { readConfig } from '../config.ts';
import { openDatabase, sqlitePath } from '../database/open-store.ts';
import { type BackupReport, backUp, verifyBackup } from '../database/sqlite/backup.ts';
import { listing, printResult, UsageError } from './output.ts';
import { describe, type Flags, jsonOption } from './parts.ts';

const pgDump =
  'PostgreSQL has tools of its own for this; run pg_dump --format=custom --file=FILE with PGHOST, PGUSER, PGPASSWORD and PGDATABASE set, and pg_restore --list FILE to read it.';

export function backupCommand(parent: Command): void {
  const backup = describe(
    parent.command('backup'),
    'copy an SQLite database to a new file while the service runs, and verify the copy',
    ['roster backup roster-2026-11-21.db', 'roster backup verify roster-2026-11-21.db'],
  )
    .argument('<file>', 'the backup to write')
    .addOption(jsonOption())
    .action(async (file: string, flags: Flags) => {
      const { databaseUrl } = readConfig(process.env);
      if (sqlitePath(databaseUrl) === undefined) throw new UsageError(pgDump);
      await using database = await openDatabase(databaseUrl, { readOnly: true });
      print(await backUp(database, file), flags);
    });

  describe(backup.command('verify'), 'read a whole backup and say whether it can be restored', [
    'roster backup verify roster-2026-11-21.db --json',
  ])
    .argument('<file>', 'the backup to read')
    .addOption(jsonOption())
    .action(async (file: string, flags: Flags) => print(await verifyBackup(file), flags));
}

function print(report: BackupReport, flags: Flags): void {
  printResult(report, flags, () =>
    listing({ ...report, rows: Object.entries(report.rows).map(([table, rows]) => `${table} ${rows}`) }),
  );
}
