import { AppError } from '../errors.ts';
import type { Database, Transaction } from './database.ts';
import { sql } from './sql.ts';

/** Wraps the database of a program whose last migration is `lastKnown`: after a later one every write is `unavailable`. */
export function newestOnly(database: Database, lastKnown: string): Database {
  const transaction: Database['transaction'] = (work, signal, queued) =>
    database.transaction(
      async (connection) => {
        const isKnown = requireKnown(database, connection, lastKnown);
        connection.beforeCommit(isKnown);
        try {
          return await work(connection);
        } catch (error) {
          // On PostgreSQL every later statement fails too.
          await isKnown;
          throw error;
        }
      },
      signal,
      queued,
    );
  return {
    ...database,
    transaction,
    run: (statement) => transaction((connection) => connection.run(statement)),
    mergeIndex: async function* () {
      await transaction(async () => undefined);
      yield* database.mergeIndex();
    },
  };
}

/** PostgreSQL sends the check along with the first statement, so nothing waits for it. */
async function requireKnown({ engine }: Database, connection: Transaction, lastKnown: string): Promise<void> {
  if (engine === 'postgres') {
    await connection.first(sql`select require_program(${lastKnown})`);
    return;
  }
  const row = await connection.first<{ last: string }>(sql`select max(name) as last from schema_migrations`);
  if (row && row.last > lastKnown) throw new AppError('unavailable', `The store cannot be used: ${newerProgram}.`);
}

export const newerProgram = 'a newer version of Roster has migrated the database; start that version';
