/**
 * Runs the lines of docs/backups.md for point-in-time recovery: WAL archiving with Debian's postgresql, and Litestream of npm
 * beside a service. Skips what cannot be installed here, and says why.
 */
import { globSync } from 'node:fs';

import { checkLitestream } from './recovery-check/litestream.ts';
import { checkArchive } from './recovery-check/postgres.ts';
import { lackOf } from './support/debian.ts';
import { fromNpm } from './support/from-npm.ts';

// The server that comes with our packages lacks it.
const baseBackup = '/usr/lib/postgresql/*/bin/pg_basebackup';

const lack = lackOf({ [baseBackup]: 'postgresql' });
if (lack === undefined) await attempt('archive of PostgreSQL', () => checkArchive(globSync(baseBackup)[0] ?? ''));
else console.log(`archive of PostgreSQL: skipped, because ${lack}.`);
const litestream = fromNpm('@flydotio/litestream-linux-x64', '1.0.1', 'litestream');
if (litestream !== undefined) await attempt('Litestream', () => checkLitestream(litestream));

async function attempt(what: string, check: () => Promise<string>): Promise<void> {
  try {
    console.log(`${what}: ${await check()}`);
  } catch (error) {
    console.error(`${what}: failed`, error);
    process.exitCode = 1;
  }
}
