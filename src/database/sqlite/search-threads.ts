import type { Worker } from 'node:worker_threads';

import { AppError } from '../../errors.ts';
import type { Connection } from '../database.ts';
import { fairShares } from '../shares.ts';
import { toFailure } from './failures.ts';
import type { FileIdentity } from './reader.ts';
import type { SearchAnswer, SearchQuestion } from './search-thread.ts';
import { askThread, endThread, entryOf, startThread } from './thread.ts';

const limits = { atOnce: 2, ofProject: 1, waiting: 128 };

/** Searches in threads, as a statement of SQLite cannot be cancelled. A thread starts when it is first needed. */
export function openSearchThreads(
  identity: FileIdentity,
  entry = entryOf('search-thread'),
): AsyncDisposable & Pick<Connection, 'search'> {
  const threads = new Set<Worker>();
  const idle: Worker[] = [];
  const inShare = fairShares(limits);
  const start = (): Worker => {
    const thread = startThread(entry, identity);
    threads.add(thread);
    return thread.once('exit', () => {
      threads.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
  };
  return {
    search: (...asked) =>
      inShare(asked[0], async () => {
        const thread = idle.pop() ?? start();
        const answered = await askThread<SearchAnswer>(thread, asked satisfies SearchQuestion);
        idle.push(thread);
        if ('rows' in answered) return answered.rows;
        const { message, code, errcode } = answered.error;
        throw code === undefined
          ? toFailure(Object.assign(new Error(message), { errcode }))
          : new AppError(code, message);
      }),
    [Symbol.asyncDispose]: async () => void (await Promise.all([...threads].map(endThread))),
  };
}
