import { setTimeout as sleep } from 'node:timers/promises';

import { unlessAborted } from '../abort.ts';
import { isLocked } from './failures.ts';

/** Runs one piece of work at a time, in order. An aborted signal leaves the queue. */
export type WriteQueue = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function writeQueue(): WriteQueue {
  let last = Promise.resolve();
  return async (work, signal) => {
    const { promise: ended, resolve: leave } = Promise.withResolvers<void>();
    const before = last;
    last = ended;
    try {
      await unlessAborted(before, signal);
    } catch (error) {
      void before.then(leave);
      throw error;
    }
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

const retryEveryMs = 2;

/** Retries while another process holds the write lock, until `deadline` (of `performance.now()`). */
export async function whenUnlocked<T>(
  attempt: () => T | Promise<T>,
  deadline: number,
  signal?: AbortSignal,
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error;
    }
    await sleep(retryEveryMs);
  }
}
