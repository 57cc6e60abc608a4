import type { Command } from 'commander';

import { readConfig } from '../config.ts';
import { sqlitePath } from '../database/open-store.ts';
import { restore } from '../database/sqlite/restore.ts';
import { fileStamp } from '../values/timestamp.ts';
import { printBackup } from './backup.ts';
import { note, UsageError } from './output.ts';
import { describe, type Flags, jsonOption } from './parts.ts';

const pgRestore =
  'PostgreSQL has tools of its own for this; run pg_restore --exit-on-error --dbname=NAME FILE into an empty database, or "roster copy --from sqlite:FILE" to copy an SQLite backup into it.';

export function restoreCommand(parent: Command): void {
  describe(
    parent.command('restore'),
    'put a backup in the place of the SQLite database, and move the old files aside',
    ['roster restore roster-2026-11-22.db', 'roster restore backups/roster-2026-11-22T14-05-09Z.db --json'],
  )
    .argument('<file>', 'the backup to restore')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nStop the service first: nothing is changed while any process has the database\nopen. The backup is verified, and stays. The old files are moved aside, never\ndeleted, and the report names them.',
    )
    .action(async (file: string, flags: Flags) => {
      const { databaseUrl } = readConfig(process.env);
      const path = sqlitePath(databaseUrl);
      if (path === undefined) throw new UsageError(pgRestore);
      const report = await restore(file, path, fileStamp(new Date()));
      const { length } = report.migrated;
      if (length > 0) note(`${length} ${length === 1 ? 'migration was' : 'migrations were'} applied to it.`);
      printBackup(report, flags);
    });
}
