import { setTimeout as sleep } from 'node:timers/promises';

import { isLocked } from './failures.ts';

export type WriteQueue = <T>(work: () => Promise<T>) => Promise<T>;

export function writeQueue(): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

const retryEveryMs = 2;

/** Retries while another process holds the write lock, until `deadline` (of `performance.now()`). */
export async function whenUnlocked<T>(attempt: () => T | Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error;
    }
    await sleep(retryEveryMs);
  }
}
