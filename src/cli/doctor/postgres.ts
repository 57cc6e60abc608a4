import type { Config } from '../../config/settings.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-store.ts';
import { isInTheClear } from '../../database/postgres/hosts.ts';
import { inspectPostgres, type PostgresState } from '../../database/postgres/inspect.ts';
import { connectionsOfProcess } from '../../database/postgres/pool.ts';
import { databaseAt } from '../open.ts';
import { type Examination, failed, type Finding, ok, warning } from './checks.ts';

/** Enough for two processes, or for one and a command. */
const connectionsLeftMin = 2 * connectionsOfProcess;
const lagSecondsMax = 10;

export async function examinePostgres(
  { note, read }: Examination,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
): Promise<Database | undefined> {
  const database = await openDatabase(databaseUrl);
  const command = 'check DATABASE_URL and that PostgreSQL runs';
  const finding = (found: PostgresState) => serverFinding(found, databaseAt(databaseUrl));
  const state = await read('server', command, () => inspectPostgres(database), finding);
  if (!state) {
    await database[Symbol.asyncDispose]();
    return undefined;
  }
  note('encoding', encodingFinding(state));
  note('extensions', ok(`none needed; installed: ${state.extensions.join(', ') || 'none'}`));
  note('connections', connectionsFinding(state));
  note('durability', durabilityFinding(state));
  note('replication', replicationFinding(state));
  note('user', userFinding(state));
  note('tls', tlsFinding(databaseUrl));
  return database;
}

export async function postgresWarnings(databaseUrl: string): Promise<string[]> {
  await using database = await openDatabase(databaseUrl);
  const findings = [userFinding(await inspectPostgres(database)), tlsFinding(databaseUrl)];
  return findings.flatMap(({ status, finding, command }) => (status === 'warning' ? `${finding}; ${command}` : []));
}

function serverFinding({ version, major, isWritable }: PostgresState, place: string): Finding {
  if (major < 14) return failed(`PostgreSQL ${version} is too old`, 'upgrade to PostgreSQL 14 or later');
  if (isWritable) return ok(`PostgreSQL ${version}, ${place}`);
  return failed(`PostgreSQL ${version} takes no writes here`, 'name the primary in DATABASE_URL, or all hosts');
}

function encodingFinding({ encoding }: PostgresState): Finding {
  if (encoding === 'UTF8') return ok(encoding);
  return failed(`the database is ${encoding}`, 'createdb --encoding=UTF8 --template=template0, then "roster copy"');
}

function connectionsFinding({ connectionsLeft, connectionsMax }: PostgresState): Finding {
  const finding = `${connectionsLeft} of ${connectionsMax} left; a process of "serve" uses up to ${connectionsOfProcess}`;
  if (connectionsLeft >= connectionsLeftMin) return ok(finding);
  return warning(finding, 'raise max_connections, or run fewer processes');
}

function durabilityFinding({ fsync, synchronousCommit, standbys }: PostgresState): Finding {
  const finding = `fsync ${fsync}, synchronous_commit ${synchronousCommit}`;
  const isLocal = synchronousCommit === 'local' && standbys > 0;
  if (fsync === 'on' && synchronousCommit !== 'off' && !isLocal) return ok(finding);
  return warning(
    `${finding}: the last acknowledged writes can be lost`,
    'set both to on in postgresql.conf; "alter database" and "alter role" may set them too',
  );
}

function replicationFinding({ namesStandbys, standbys, synchronous, lagSeconds }: PostgresState): Finding {
  const more = 'see "Failover" in docs/scaling.md';
  if (standbys === 0 && !namesStandbys) return ok('no standby is connected');
  if (standbys === 0) return warning('no standby is connected, and writes wait for one', `start it, or ${more}`);
  if (synchronous === null) {
    const finding = `${standbys} connected; this user may not see whether one is synchronous`;
    return warning(finding, 'grant it pg_monitor, and run "roster doctor" again');
  }
  if (synchronous === 0) {
    const loss = 'a failover loses the last acknowledged writes';
    const finding = `${standbys} connected, none of them synchronous: ${namesStandbys ? 'writes wait for one' : loss}`;
    return warning(finding, `let commits wait for a standby that is there, ${more}`);
  }
  const finding = `${standbys} connected, ${synchronous} synchronous, at most ${lagSeconds} s behind`;
  if (lagSeconds <= lagSecondsMax) return ok(finding);
  return warning(finding, 'see pg_stat_replication and the log of the standby');
}

function userFinding({ isSuperuser }: PostgresState): Finding {
  if (!isSuperuser) return ok('no superuser');
  return warning(
    'the user of DATABASE_URL is a superuser, who may read files and run programs on the machine of PostgreSQL',
    'use one that owns the database and is no superuser, see "Roles" in docs/scaling.md',
  );
}

function tlsFinding(databaseUrl: string): Finding {
  if (!isInTheClear(databaseUrl)) return ok('encrypted, or on this machine');
  return warning(
    'the connection to PostgreSQL on another machine is not encrypted',
    'add sslmode=verify-full to DATABASE_URL, see "TLS" in docs/scaling.md',
  );
}
