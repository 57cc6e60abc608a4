import { AppError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

export interface PostgresState {
  version: string;
  major: number;
  isWritable: boolean;
  encoding: string;
  extensions: string[];
  connectionsMax: number;
  connectionsLeft: number;
  fsync: string;
  synchronousCommit: string;
  /** Null where this user may not see them. */
  standbys: number | null;
  lagSeconds: number;
  /** Null before there are tables. */
  isRowSecurityActive: boolean | null;
}

export async function inspectPostgres(database: Database): Promise<PostgresState> {
  const server = await database.first<Omit<PostgresState, 'major' | 'extensions' | 'standbys' | 'lagSeconds'>>(sql`
    select
      current_setting('server_version') as version,
      current_setting('transaction_read_only') = 'off' as "isWritable",
      current_setting('server_encoding') as encoding,
      current_setting('max_connections')::integer as "connectionsMax",
      (current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - (select coalesce(sum(numbackends), 0) from pg_stat_database))::integer as "connectionsLeft",
      current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as "synchronousCommit",
      row_security_active(to_regclass('contacts')) as "isRowSecurityActive"`);
  if (!server) throw new Error('the server said nothing of itself');
  const extensions = await database.all<{ extname: string }>(
    sql`select extname from pg_extension where extname <> 'plpgsql' order by extname`,
  );
  const replication = await database.first<{ standbys: number; hidden: number; lag: number }>(sql`
    select count(*)::integer as standbys, count(*) filter (where state is null)::integer as hidden,
      coalesce(max(extract(epoch from replay_lag)), 0)::integer as lag
    from pg_stat_replication`);
  return {
    ...server,
    major: Number.parseInt(server.version, 10),
    extensions: extensions.map(({ extname }) => extname),
    standbys: replication && replication.hidden === 0 ? replication.standbys : null,
    lagSeconds: replication?.lag ?? 0,
  };
}

/** Throws `settings` where the role is bound by row security and should not be, or the reverse. */
export async function requireRowSecurity(database: Database, isOn: boolean): Promise<void> {
  const row = await database.first<{ bound: boolean }>(sql`select row_security_active('contacts') as bound`);
  if ((row?.bound ?? false) === isOn) return;
  throw new AppError(
    'settings',
    isOn
      ? 'ROSTER_ROW_SECURITY is on, but the user of DATABASE_URL owns the tables or is a superuser, and so is not bound by it; use another, see docs/scaling.md.'
      : 'The user of DATABASE_URL is bound by row security and would see no rows; set ROSTER_ROW_SECURITY=on for "roster serve", and use the owner of the tables for the other commands.',
  );
}
