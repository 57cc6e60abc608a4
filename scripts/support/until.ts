import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 60_000;

/** Waits until something is so; throws after a minute. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await pause(100);
  }
}
