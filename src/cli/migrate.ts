import type { Command } from 'commander';

import { readConfig } from '../config.ts';
import { migrate, migrationStatus } from '../database/migrate.ts';
import { openDatabase } from '../database/open-store.ts';
import { printResult } from './output.ts';
import { examples, jsonOption } from './parts.ts';

export function migrateCommand(parent: Command): void {
  parent
    .command('migrate')
    .description('bring the schema of the database up to date')
    .option('--status', 'only say what is applied and pending')
    .addOption(jsonOption())
    .addHelpText('after', examples('roster migrate', 'roster migrate --status --json'))
    .action(async (options: { status?: boolean; json?: boolean }) => {
      const config = readConfig(process.env);
      await using database = openDatabase(config.databaseUrl);
      if (options.status !== true) await migrate(database);
      const status = await migrationStatus(database);
      printResult(status, options, () =>
        [
          ...status.applied.map(({ name, applied_at }) => `applied  ${name}  ${applied_at}`),
          ...status.pending.map((name) => `pending  ${name}`),
        ].join('\n'),
      );
    });
}
