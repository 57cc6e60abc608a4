import type { Actor } from '../actor.ts';
import type { EventWaiter, EventWatch } from '../events/event.ts';
import { setWaiting } from './edge/edge.ts';
import type { Exchange } from './exchange.ts';

const waitersOfKeyMax = 10;
const waitersOfProjectMax = 40;

export type Waiting = ReturnType<typeof createWaiting>;

/** Requests that wait for events: limited by key, member and project; ended by an event, time, a hang-up or a stop. */
export function createWaiting(watch: EventWatch) {
  const waiters = new Map<string, number>();
  const ends = new Set<AbortController>();
  let isStopping = false;
  const count = (name: string, more: number) => {
    const now = (waiters.get(name) ?? 0) + more;
    if (now === 0) waiters.delete(name);
    else waiters.set(name, now);
  };
  return {
    open: ({ arrival }: Exchange, { type, id, projectId }: Actor, seconds: number): EventWaiter | undefined => {
      const counted = new Map([[id, waitersOfKeyMax]]);
      if (type === 'key') counted.set(`project ${projectId}`, waitersOfProjectMax);
      if (isStopping || [...counted].some(([name, max]) => (waiters.get(name) ?? 0) >= max)) return undefined;
      for (const name of counted.keys()) count(name, 1);
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
          for (const name of counted.keys()) count(name, -1);
        },
      };
    },
    stop: (): void => {
      isStopping = true;
      for (const end of ends) end.abort();
    },
  };
}
