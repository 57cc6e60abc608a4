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
      current_setting('synchronous_commit') as "synchronousCommit"`);
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
