import { setTimeout as pause } from 'node:timers/promises';

import { openApi } from '../parts/api.ts';
import type { Event, FeedPage } from './feed.ts';

export interface Follower {
  /** What it has met so far. */
  events: readonly Event[];
  /** Whether its cursor was refused with 410; then it has ended. */
  isExpired(): boolean;
  /** Resolves once it has met this event. */
  until(sequence: string): Promise<void>;
  stop(): Promise<{ events: readonly Event[]; requests: number; interruptions: number }>;
}

const waitSeconds = 20;
const againAfterMs = 20;

/** Reads the feed as it grows, from cursor to cursor, at the service that is there at the time; goes on after a kill. */
export function startFollower(token: string, portOf: () => number, limit: number): Follower {
  const events: Event[] = [];
  const stopping = new AbortController();
  const waiting = new Set<() => void>();
  let requests = 0;
  let interruptions = 0;
  let cursor = '*';
  const expired = new AbortController();
  const read = async () => {
    using api = await openApi(portOf(), token, 1);
    stopping.signal.addEventListener('abort', () => api[Symbol.dispose]());
    while (!stopping.signal.aborted) {
      const path = `/v2/events?after=${cursor}&limit=${limit}&wait=${waitSeconds}`;
      const { status, body } = await api.ask({ method: 'GET', path });
      if (status === 410) expired.abort();
      if (status !== 200) throw new Error(`the feed was answered with ${status} ${body}`);
      const { data: page } = JSON.parse(body) as { data: FeedPage };
      requests++;
      events.push(...page.events);
      cursor = page.next_cursor;
      for (const look of waiting) look();
    }
  };
  const goOn = async () => {
    while (!stopping.signal.aborted && !expired.signal.aborted) {
      await read().catch(() => interruptions++);
      await pause(againAfterMs);
    }
  };
  const ended = goOn();
  return {
    events,
    isExpired: () => expired.signal.aborted,
    until: (sequence) =>
      new Promise((resolve) => {
        const look = () => {
          if (BigInt(events.at(-1)?.sequence ?? 0) < BigInt(sequence)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    stop: async () => {
      stopping.abort();
      await ended;
      return { events, requests, interruptions };
    },
  };
}

/** What a follower missed, met twice or met otherwise than the feed now tells it. */
export function objectionsToFollower(met: readonly Event[], all: readonly Event[]): string[] {
  const odd = all.findIndex((event, index) => JSON.stringify(event) !== JSON.stringify(met[index]));
  if (odd === -1 && met.length === all.length) return [];
  const [right, found] = [all[odd], met[odd]].map((event) => JSON.stringify(event));
  return [`a follower met ${met.length} events of ${all.length}; the first other one is ${found}, not ${right}`];
}
