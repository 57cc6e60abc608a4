import type { Database } from './database.ts';

/** After a migration later than `lastKnown`, the last one of this program, every write is `unavailable`. */
export function newestOnly(database: Database, lastKnown: string): Database {
  const transaction: Database['transaction'] = (work, queued) =>
    database.transaction(async (connection) => {
      // Nothing waits for it: it is sent along with the first statement.
      const isKnown = connection.requireProgram(lastKnown);
      connection.beforeCommit(isKnown);
      try {
        return await work(connection);
      } catch (error) {
        // On PostgreSQL every later statement fails too.
        await isKnown;
        throw error;
      }
    }, queued);
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

export const newerProgram = 'a newer version of Roster has migrated the database; start that version';
