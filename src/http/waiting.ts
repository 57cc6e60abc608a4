import type { EventWaiter, EventWatch } from '../events.ts';
import { setWaiting } from './edge/edge.ts';
import type { Exchange } from './exchange.ts';

const waitersOfKeyMax = 10;

export type Waiting = ReturnType<typeof createWaiting>;

/** Requests that wait for events: some of each key, until an event, their time, a hang-up or a stop. */
export function createWaiting(watch: EventWatch) {
  const ofKey = new Map<string, number>();
  const ends = new Set<AbortController>();
  let isStopping = false;
  const count = (keyId: string, more: number) => {
    const now = (ofKey.get(keyId) ?? 0) + more;
    if (now === 0) ofKey.delete(keyId);
    else ofKey.set(keyId, now);
  };
  return {
    open: ({ arrival }: Exchange, keyId: string, seconds: number): EventWaiter | undefined => {
      if (isStopping || (ofKey.get(keyId) ?? 0) >= waitersOfKeyMax) return undefined;
      count(keyId, 1);
      const end = new AbortController();
      ends.add(end);
      const abort = () => end.abort();
      const timer = setTimeout(abort, seconds * 1_000);
      arrival.response.once('close', abort);
      return {
        next: async (projectId, after) => {
          setWaiting(arrival, true);
          try {
            return await watch.next(projectId, after, end.signal);
          } finally {
            setWaiting(arrival, false);
          }
        },
        [Symbol.dispose]: () => {
          clearTimeout(timer);
          arrival.response.off('close', abort);
          ends.delete(end);
          count(keyId, -1);
        },
      };
    },
    /** Has all that wait be answered. */
    stop: (): void => {
      isStopping = true;
      for (const end of ends) end.abort();
    },
  };
}
