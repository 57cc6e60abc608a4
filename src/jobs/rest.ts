import { setTimeout as pause } from 'node:timers/promises';

/** Waits without keeping the process alive. False where the signal ends it. */
export function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  const waiting = pause(ms, true, { signal, ref: false });
  return waiting.catch(() => false);
}
