import { type Savepoint, type Transaction, TransactionLost } from '../database.ts';
import { sliceLength } from '../slices.ts';
import type { Insertion, Value } from '../sql.ts';
import { through } from './through.ts';

type Rows = readonly (readonly Value[])[];
type Held = [Insertion, Rows][];

export interface WriteBehind {
  /** Runs work. If it throws, only that work is undone; rejects with TransactionLost if that is impossible. */
  within<T>(work: (connection: Transaction) => Promise<T>): Promise<T>;
  flush(): Promise<void>;
}

/** Holds insertions back until the next other statement, so that many works need few statements. */
export function openWriteBehind(connection: Transaction, isAlone: boolean): WriteBehind {
  const held: Held = [];
  const send = async (insertions: Held) => {
    const all = Map.groupBy(insertions, ([insertion]) => insertion);
    const rowsOf = (parts: Held) => parts.flatMap(([, rows]) => rows);
    try {
      await Promise.all([...all].map(([insertion, parts]) => connection.insertAll(insertion, rowsOf(parts))));
    } catch (error) {
      // Another work's insertion may have failed.
      throw new TransactionLost('', { cause: error });
    }
  };
  const begin = async () => {
    if (held.length > 0) await send(held.splice(0));
    return isAlone ? everything : connection.savepoint();
  };
  return {
    flush: () => send(held.splice(0)),
    within: async (work) => {
      const own: Held = [];
      let isOver = false;
      let begun: Promise<Savepoint> | undefined;
      const before = async () => {
        // Statements that a work sends at once share one savepoint; a work that only inserts needs none.
        if (!isOver) await (begun ??= begin());
        if (!isOver && own.length > 0) await send(own.splice(0));
        if (isOver) throw new Error('the work was given up');
      };
      const asking = through(connection, async (ask) => {
        await before();
        return ask();
      });
      const insertAll: Transaction['insertAll'] = async (insertion, rows) => {
        // Only within one slice: statements sent with the commit would overtake further slices.
        if (countOf(held) + countOf(own) + rows.length > sliceLength) return asking.insertAll(insertion, rows);
        // One statement must not hold a row twice, nor a row that needs an earlier statement of the work.
        if (own.some(([other]) => other === insertion)) await before();
        own.push([insertion, rows]);
      };
      try {
        const result = await work({ ...asking, insertAll });
        (await begun)?.release();
        held.push(...own);
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

/** A single work is undone with its transaction: with a savepoint, SQLite writes each page twice more. */
const everything: Savepoint = {
  release: () => undefined,
  undo: async (cause) => {
    throw new TransactionLost('', { cause });
  },
};
