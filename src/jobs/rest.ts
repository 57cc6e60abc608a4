import { setTimeout as pause } from 'node:timers/promises';

/** Waits without keeping the process alive. False where the signal ends it. */
export async function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal, ref: false });
    return true;
  } catch {
    return false;
  }
}
