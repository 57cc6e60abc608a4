import { hash } from 'node:crypto';

import { assetsIn, requireAsset } from '../../assets.ts';
import { AppError } from '../../errors.ts';
import { formatTimestamp, type Timestamp } from '../../values/timestamp.ts';
import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

interface Migration {
  name: string;
  checksum: string;
  text: string;
}

export interface AppliedMigration {
  name: string;
  applied_at: Timestamp;
}

export interface MigrationStatus {
  applied: AppliedMigration[];
  pending: string[];
}

/** Throws `unavailable` for an unknown migration (the database is newer) or a changed file. */
export async function migrationStatus(
  database: Database,
  migrations = readMigrations(database.engine),
): Promise<MigrationStatus> {
  const applied = await readApplied(database);
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of applied) {
    if (known.get(name) === checksum) continue;
    const sentence = known.has(name)
      ? `Migration ${name} is not the one that was applied to this database; restore its file from the release.`
      : `The database is newer than this program: it has migration ${name}; start the newer program.`;
    throw new AppError('unavailable', sentence);
  }
  const done = new Set(applied.map(({ name }) => name));
  return {
    applied: applied.map(({ name, applied_at }) => ({ name, applied_at })),
    pending: migrations.map(({ name }) => name).filter((name) => !done.has(name)),
  };
}

async function readApplied(database: Database): Promise<(AppliedMigration & { checksum: string })[]> {
  if (!(await database.hasTable('schema_migrations'))) return [];
  try {
    return await database.all(sql`select name, checksum, applied_at from schema_migrations order by name`);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', 'The database belongs to another program; name one for Roster alone.', {
      cause: error,
    });
  }
}

/** Each file runs in one transaction with the row that records it. Returns the applied names. */
export async function migrate(database: Database, migrations = readMigrations(database.engine)): Promise<string[]> {
  const pending = new Set((await migrationStatus(database, migrations)).pending);
  const done: string[] = [];
  for (const { name, checksum, text } of migrations.filter((one) => pending.has(one.name))) {
    await database.transaction(async (connection) => {
      await connection.lockSchema();
      await connection.script(
        'create table if not exists schema_migrations (name text not null primary key, checksum text not null, applied_at text not null)',
      );
      // Another process may have applied it meanwhile.
      const row = sql`insert into schema_migrations (name, checksum, applied_at)
        values (${name}, ${checksum}, ${formatTimestamp(new Date())}) on conflict do nothing`;
      if ((await connection.run(row)) === 0) return;
      await connection.script(text);
      done.push(name);
    });
  }
  return done;
}

export async function requireCurrentSchema(database: Database, migrations?: Migration[]): Promise<void> {
  const { length } = (await migrationStatus(database, migrations)).pending;
  if (length === 0) return;
  const are = length === 1 ? '1 migration of the database is' : `${length} migrations of the database are`;
  throw new AppError('unavailable', `${are} pending; run "roster migrate".`);
}

export function readMigrations(engine: Database['engine']): Migration[] {
  return assetsIn('migrations/')
    .filter((file) => /^\d{4}-[a-z-]+(\.[a-z]+)?\.sql$/.test(file))
    .filter((file) => file.split('.').length === 2 || file.endsWith(`.${engine}.sql`))
    .toSorted()
    .map((file) => {
      const text = requireAsset(`migrations/${file}`).toString();
      return { name: file.slice(0, file.indexOf('.')), checksum: hash('sha256', text, 'hex'), text };
    });
}
