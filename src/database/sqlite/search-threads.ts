import { Worker } from 'node:worker_threads';

import { AppError } from '../../errors.ts';
import type { Connection } from '../database.ts';
import { fairShares } from '../shares.ts';
import { toFailure } from './failures.ts';
import type { FileIdentity } from './reader.ts';
import type { Answered, Asked } from './search-thread.ts';

const limits = { atOnce: 2, ofProject: 1, waiting: 128 };

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const ownEntry = new URL(`./search-thread.${ending}`, import.meta.url);

/** Searches in threads, as a statement of SQLite cannot be cancelled. A thread starts when it is first needed. */
export function openSearchThreads(
  identity: FileIdentity,
  entry = ownEntry,
): AsyncDisposable & Pick<Connection, 'search'> {
  const threads = new Set<Worker>();
  const idle: Worker[] = [];
  const inShare = fairShares(limits);
  const start = (): Worker => {
    const thread = new Worker(entry, { workerData: identity });
    threads.add(thread);
    thread
      .on('error', () => undefined)
      .once('exit', () => {
        threads.delete(thread);
        if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
      });
    return thread;
  };
  return {
    search: (...asked) =>
      inShare(asked[0], async () => {
        const thread = idle.pop() ?? start();
        const answered = await answerOf(thread, asked);
        idle.push(thread);
        if ('positions' in answered) return answered.positions;
        const { message, code, errcode } = answered.error;
        throw code === undefined
          ? toFailure(Object.assign(new Error(message), { errcode }))
          : new AppError(code, message);
      }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        [...threads].map((thread) => {
          const { promise: ended, resolve } = Promise.withResolvers<unknown>();
          thread.once('exit', resolve).ref();
          thread.postMessage(null satisfies Asked);
          return ended;
        }),
      );
    },
  };
}

/** Throws `unavailable` if the thread ends; the next search starts another. */
async function answerOf(thread: Worker, asked: Asked): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const lost = (cause: unknown) =>
    reject(new AppError('unavailable', 'A search failed with its thread; try again.', { cause }));
  thread.on('message', resolve).on('error', lost).on('exit', lost).ref();
  try {
    thread.postMessage(asked);
    return await promise;
  } finally {
    thread.off('message', resolve).off('error', lost).off('exit', lost).unref();
  }
}
