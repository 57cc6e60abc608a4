import { readConfig } from '../../config/read-config.ts';
import { openDatabase } from '../../database/open-store.ts';
import { emptySearchIndex } from '../../database/search/status.ts';
import { migrationStatus, type MigrationStatus } from '../../database/upkeep/migrate.ts';
import { naming, openMigrated } from '../open.ts';
import { printResult } from '../output.ts';
import { command, option } from '../parts.ts';
import { indexContacts } from './index-contacts.ts';

export const migrateCommand = command<{ status?: boolean; reindex?: boolean }>('migrate', {
  says: 'bring the schema of the database up to date',
  examples: ['roster migrate', 'roster migrate --status --json', 'roster migrate --reindex'],
  options: [
    option('--status', 'only say what is applied and pending'),
    option('--reindex', 'make the index of search anew, of all contacts').conflicts('status'),
  ],
  act: async (given) => {
    const { databaseUrl } = readConfig(process.env);
    const status = await naming(databaseUrl, () =>
      given.status === true ? statusOf(databaseUrl) : migrated(databaseUrl, given.reindex === true),
    );
    printResult(status, given, () =>
      [
        ...status.applied.map(({ name, applied_at }) => `applied  ${name}  ${applied_at}`),
        ...status.pending.map((name) => `pending  ${name}`),
      ].join('\n'),
    );
  },
});

async function migrated(url: string, anew: boolean): Promise<MigrationStatus> {
  await using database = await openMigrated(url);
  if (anew) await emptySearchIndex(database);
  await indexContacts(database);
  return await migrationStatus(database);
}

async function statusOf(url: string): Promise<MigrationStatus> {
  await using database = await openDatabase(url, { create: false });
  return await migrationStatus(database);
}
