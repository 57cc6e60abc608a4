import { setTimeout as pause } from 'node:timers/promises';

/** Waits without keeping the process alive. Returns false if the signal ends the wait. */
export function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  const waiting = pause(ms, true, { signal, ref: false });
  return waiting.catch(() => false);
}
