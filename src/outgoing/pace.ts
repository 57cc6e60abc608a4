import { setTimeout as pause } from 'node:timers/promises';

/**
 * Limits requests to `perMinute` in any minute, evenly spaced, so that a restarted process keeps the rate too.
 */
export function openPace(perMinute: number, minuteMs = 60_000) {
  const apartMs = minuteMs / perMinute;
  // The last `perMinute` ends: the source may count a request at any time between its start and its end.
  const ends: number[] = [];
  let startedAt = performance.now();
  return {
    /** Waits for the next turn. Throws the reason of the signal. */
    turn: async (signal: AbortSignal): Promise<void> => {
      const oldest = ends.length < perMinute ? -Infinity : (ends.shift() ?? -Infinity);
      const at = Math.max(startedAt + apartMs, oldest + minuteMs);
      for (let left = at - performance.now(); left > 0; left = at - performance.now()) await rest(left, signal);
      startedAt = performance.now();
    },
    ended: () => void ends.push(performance.now()),
  };
}

/** Waits, or throws the reason of the signal. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await pause(Math.ceil(ms), undefined, { signal }).catch(() => signal.throwIfAborted());
}
