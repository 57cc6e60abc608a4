import { type Insertion, type Savepoint, type Transaction, TransactionLost } from '../database.ts';
import { sliceLength } from '../slices.ts';
import type { Sql, Value } from '../sql.ts';

type Rows = readonly (readonly Value[])[];
type Held = [Insertion, Rows][];

/** Insertions that wait for the next statement, so that those of many works are few statements. */
export interface WriteBehind {
  /** Runs work that, when it throws, is undone alone. Rejects with TransactionLost where that could not be. */
  within<T>(work: (connection: Transaction) => Promise<T>): Promise<T>;
  flush(): Promise<void>;
}

/** Insertions are held back until anything else is asked; a work that asks nothing else needs no savepoint. */
export function openWriteBehind(connection: Transaction, isAlone: boolean): WriteBehind {
  let held: Held = [];
  const send = async (insertions: Held) => {
    const all = Map.groupBy(insertions, ([insertion]) => insertion);
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
    flush: () => send(held.splice(0)),
    within: async (work) => {
      const earlier = held;
      const own: Held = [];
      let isOver = false;
      let begun: Promise<Savepoint> | undefined;
      const begin = async () => {
        if (earlier.length > 0) await send(earlier.splice(0));
        return isAlone ? everything : connection.savepoint();
      };
      const before = async () => {
        // Work may ask several things at once: one savepoint is for all of them.
        if (!isOver) await (begun ??= begin());
        if (!isOver && own.length > 0) await send(own.splice(0));
        if (isOver) throw new Error('the work was given up');
      };
      try {
        const hold = async (insertion: Insertion, rows: Rows) => {
          // Only within one slice: statements sent with the commit would overtake further slices.
          if (countOf(earlier) + countOf(own) + rows.length > sliceLength) {
            await before();
            return connection.insertAll(insertion, rows);
          }
          // No statement may meet a row twice, nor what an earlier one of the work made room for.
          if (own.some(([other]) => other === insertion)) await before();
          own.push([insertion, rows]);
        };
        const result = await work(askingFirst(connection, before, hold));
        (await begun)?.release();
        held = [...earlier, ...own];
        return result;
      } catch (error) {
        isOver = true;
        await (await begun)?.undo(error);
        throw error;
      } finally {
        isOver = true;
      }
    },
  };
}

function countOf(insertions: Held): number {
  return insertions.reduce((sum, [, rows]) => sum + rows.length, 0);
}

/** A work that is alone is undone with its transaction: under a savepoint SQLite writes each page twice more. */
const everything: Savepoint = {
  release: () => undefined,
  undo: async (cause) => {
    throw new TransactionLost('', { cause });
  },
};

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
    search: async (...given) => {
      await before();
      return connection.search(...given);
    },
    leaveNoTrace: async () => {
      await before();
      return connection.leaveNoTrace();
    },
    unindex: async (...given) => {
      await before();
      return connection.unindex(...given);
    },
    insertAll: hold,
  };
}
