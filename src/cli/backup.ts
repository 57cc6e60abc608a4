import type { Command } from 'commander';

import { readConfig } from '../config.ts';
import { openDatabase, sqlitePath } from '../database/open-store.ts';
import { type BackupReport, backUp, verifyBackup } from '../database/sqlite/backup.ts';
import { listing, printResult, UsageError } from './output.ts';
import { examples, jsonOption } from './parts.ts';

const pgDump =
  'PostgreSQL has tools of its own for this; run pg_dump --format=custom --file=FILE with PGHOST, PGUSER, PGPASSWORD and PGDATABASE set, and pg_restore --list FILE to read it.';

export function backupCommand(parent: Command): void {
  const backup = parent
    .command('backup')
    .enablePositionalOptions()
    .description('copy an SQLite database to a new file while the service runs, and verify the copy')
    .argument('<file>', 'the backup to write')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples('roster backup roster-2026-11-21.db', 'roster backup verify roster-2026-11-21.db'),
    )
    .action(async (file: string, options: { json?: boolean }) => {
      const config = readConfig(process.env);
      if (sqlitePath(config.databaseUrl) === undefined) throw new UsageError(pgDump);
      await using database = await openDatabase(config.databaseUrl, { readOnly: true });
      print(await backUp(database, file), options);
    });

  backup
    .command('verify')
    .description('read a whole backup and say whether it can be restored')
    .argument('<file>', 'the backup to read')
    .addOption(jsonOption())
    .addHelpText('after', examples('roster backup verify roster-2026-11-21.db --json'))
    .action(async (file: string, options: { json?: boolean }) => {
      print(await verifyBackup(file), options);
    });
}

function print(report: BackupReport, options: { json?: boolean }): void {
  printResult(report, options, () =>
    listing({ ...report, rows: Object.entries(report.rows).map(([table, rows]) => `${table} ${rows}`) }),
  );
}
