import { setTimeout as pause } from 'node:timers/promises';

/** At most a fifth of the time is work. */
export const restPerMs = 4;

/** Waits without keeping the process alive. Returns false if the signal ends the wait. */
export function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  const waiting = pause(ms, true, { signal, ref: false });
  return waiting.catch(() => false);
}
