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
  isSuperuser: boolean;
  namesStandbys: boolean;
  standbys: number;
  /** Number of standbys that a commit waits for; null if this user may not see it. */
  synchronous: number | null;
  lagSeconds: number;
}

type Replication = Pick<PostgresState, 'namesStandbys' | 'standbys' | 'synchronous' | 'lagSeconds'>;

export async function inspectPostgres(database: Database): Promise<PostgresState> {
  const server = await database.first<Omit<PostgresState, 'major' | 'extensions' | keyof Replication>>(sql`
    select
      current_setting('server_version') as version,
      current_setting('transaction_read_only') = 'off' as "isWritable",
      current_setting('server_encoding') as encoding,
      current_setting('max_connections')::integer as "connectionsMax",
      (current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - (select coalesce(sum(numbackends), 0) from pg_stat_database))::integer as "connectionsLeft",
      current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('is_superuser') = 'on' as "isSuperuser"`);
  if (!server) throw new Error('the server said nothing of itself');
  const extensions = await database.all<{ extname: string }>(
    sql`select extname from pg_extension where extname <> 'plpgsql' order by extname`,
  );
  // Without a name no standby is synchronous; every user may see that setting.
  const replication = await database.first<Replication>(sql`
    select count(*)::integer as standbys, current_setting('synchronous_standby_names') <> '' as "namesStandbys",
      case when current_setting('synchronous_standby_names') = '' then 0 when bool_and(state is not null)
        then (count(*) filter (where sync_state in ('sync', 'quorum')))::integer end as synchronous,
      coalesce(max(extract(epoch from replay_lag)), 0)::integer as "lagSeconds"
    from pg_stat_replication`);
  return {
    ...server,
    major: Number.parseInt(server.version, 10),
    extensions: extensions.map(({ extname }) => extname),
    ...(replication ?? { namesStandbys: false, standbys: 0, synchronous: 0, lagSeconds: 0 }),
  };
}
