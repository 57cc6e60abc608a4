import { giveWay } from '../../values/give-way.ts';
import { through } from '../batching/through.ts';
import type { Transaction } from '../database.ts';
import type { reporting } from './failures.ts';

type Statements = Omit<Transaction, 'beforeCommit'>;

/** Runs the statements of transactions in order, and yields between them and within long ones. */
interface InOrder {
  connection(own: Statements): Statements;
  /** Rejects unfinished statements, and resolves once none of them can take effect. */
  stop(): Promise<void>;
  unlessStopped: typeof reporting;
}

export function inOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  let isStopping = false;
  const next = <T>(ask: () => Promise<T>): Promise<T> => {
    const before = last;
    const asked = (async () => {
      await before;
      await giveWay();
      return ask();
    })();
    last = asked.catch(() => undefined);
    return asked;
  };
  const stop = async () => {
    isStopping = true;
    for (let before: typeof last | undefined; before !== last; await before) before = last;
    isStopping = false;
  };
  return {
    connection: (own) => ({
      ...through(own, next),
      savepoint: () => {
        const savepoint = own.savepoint();
        const undo: typeof savepoint.undo = async (reason) => {
          await stop();
          await savepoint.undo(reason);
        };
        return { ...savepoint, undo };
      },
    }),
    stop,
    unlessStopped: (work) => {
      if (isStopping) throw new Error('what asked for the statement was given up');
      return work();
    },
  };
}

export async function inSteps<T>(report: typeof reporting, steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = report(() => steps.next());
    if (step.done === true) return step.value;
    await giveWay();
  }
}
