import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-store.ts';
import { inspectPostgres, type PostgresState } from '../../database/postgres/inspect.ts';
import { databaseAt } from '../naming.ts';
import type { Examination, Finding } from './checks.ts';

/** Enough for two processes, or for one and two commands. */
const connectionsLeftMin = 10;
const lagSecondsMax = 10;

export async function examinePostgres(
  { examine, note }: Examination,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
): Promise<Database | undefined> {
  const database = await openDatabase(databaseUrl);
  const state = await examine('server', 'check DATABASE_URL and that PostgreSQL runs', async () => {
    const found = await inspectPostgres(database);
    return [found, serverFinding(found, databaseAt(databaseUrl))];
  });
  if (!state) {
    await database[Symbol.asyncDispose]();
    return undefined;
  }
  note('encoding', encodingFinding(state));
  note('extensions', `none needed; installed: ${state.extensions.join(', ') || 'none'}`);
  note('connections', connectionsFinding(state));
  note('durability', durabilityFinding(state));
  note('replication', replicationFinding(state));
  return database;
}

function serverFinding({ version, major, isWritable }: PostgresState, place: string): Finding {
  if (major < 14) return { failed: `PostgreSQL ${version} is too old`, command: 'upgrade to PostgreSQL 14 or later' };
  if (!isWritable) {
    return {
      failed: `PostgreSQL ${version} takes no writes here`,
      command: 'name the primary in DATABASE_URL, or all hosts',
    };
  }
  return `PostgreSQL ${version}, ${place}`;
}

function encodingFinding({ encoding }: PostgresState): Finding {
  if (encoding === 'UTF8') return encoding;
  return {
    failed: `the database is ${encoding}`,
    command: 'createdb --encoding=UTF8 --template=template0, then "roster copy"',
  };
}

function connectionsFinding({ connectionsLeft, connectionsMax }: PostgresState): Finding {
  const finding = `${connectionsLeft} of ${connectionsMax} left; a process of "serve" uses up to 4`;
  if (connectionsLeft >= connectionsLeftMin) return finding;
  return { warning: finding, command: 'raise max_connections, or run fewer processes' };
}

function durabilityFinding({ fsync, synchronousCommit }: PostgresState): Finding {
  const finding = `fsync ${fsync}, synchronous_commit ${synchronousCommit}`;
  if (fsync === 'on' && synchronousCommit !== 'off') return finding;
  return { warning: `${finding}: the last writes can be lost`, command: 'set both to on in postgresql.conf' };
}

function replicationFinding({ standbys, lagSeconds }: PostgresState): Finding {
  if (standbys === null) return 'not visible to this user (grant it pg_monitor)';
  if (standbys === 0) return 'no standby is connected';
  const finding = `${standbys} connected, at most ${lagSeconds} s behind`;
  if (lagSeconds <= lagSecondsMax) return finding;
  return { warning: finding, command: 'see pg_stat_replication and the log of the standby' };
}
