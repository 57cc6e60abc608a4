import { type Insertion, type Transaction, TransactionLost } from './database.ts';
import type { Sql, Value } from './sql.ts';

type Rows = readonly (readonly Value[])[];

/** Insertions that wait for the next statement, so that those of many works are few statements. */
export interface WriteBehind {
  /** Runs work that, when it throws, is undone alone. Rejects with TransactionLost where that could not be. */
  within<T>(work: (connection: Transaction) => Promise<T>): Promise<T>;
  flush(): Promise<void>;
}

/** Insertions are held back until anything else is asked; a work that asks nothing else needs no savepoint. */
export function openWriteBehind(connection: Transaction): WriteBehind {
  let held: [Insertion, Rows][] = [];
  const flush = async () => {
    const all = Map.groupBy(held.splice(0), ([insertion]) => insertion);
    try {
      // Sent together, in their order.
      await Promise.all(
        [...all].map(([insertion, parts]) =>
          connection.insertAll(
            insertion,
            parts.flatMap(([, rows]) => rows),
          ),
        ),
      );
    } catch (error) {
      // It may be the insertion of another work.
      throw new TransactionLost('', { cause: error });
    }
  };
  return {
    flush,
    within: async (work) => {
      const earlier = held;
      held = [];
      let isOver = false;
      let savepoint: ReturnType<Transaction['savepoint']> | undefined;
      const before = async () => {
        if (isOver) throw new Error('the work was given up');
        if (!savepoint) {
          const own = held;
          held = earlier.splice(0);
          if (held.length > 0) await flush();
          held = own;
          savepoint = connection.savepoint();
        }
        if (held.length > 0) await flush();
      };
      try {
        const hold = async (insertion: Insertion, rows: Rows) => {
          // No statement may meet a row twice, nor what an earlier one of the work made room for.
          if (held.some(([other]) => other === insertion)) await before();
          held.push([insertion, rows]);
        };
        const result = await work(askingFirst(connection, before, hold));
        savepoint?.release();
        held = [...earlier, ...held];
        return result;
      } catch (error) {
        held = earlier;
        await savepoint?.undo(error);
        throw error;
      } finally {
        isOver = true;
      }
    },
  };
}

function askingFirst(
  connection: Transaction,
  before: () => Promise<void>,
  hold: Transaction['insertAll'],
): Transaction {
  return {
    ...connection,
    all: async <Row>(query: Sql) => {
      await before();
      return connection.all<Row>(query);
    },
    first: async <Row>(query: Sql) => {
      await before();
      return connection.first<Row>(query);
    },
    run: async (statement) => {
      await before();
      return connection.run(statement);
    },
    script: async (text) => {
      await before();
      return connection.script(text);
    },
    alone: async (name) => {
      await before();
      return connection.alone(name);
    },
    insertAll: hold,
  };
}
