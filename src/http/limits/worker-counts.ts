import type { FastifyBaseLogger } from 'fastify';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';

import type { CountsAsked, CountsGiven } from './primary-counts.ts';
import type { SharedCounts } from './shared-counts.ts';
import { dropEnded, isOpen, type Window } from './windows.ts';

const answerWithinMs = 500;
const quarters = 4;

type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/** What one name waits for in a batch: each wants a count of its own, or undefined to count for itself. */
interface Ask {
  windowSeconds: number;
  waiting: ((window: Window | undefined) => void)[];
}

interface Batch {
  asks: Map<string, Ask>;
  /** Quarters of the time limit for which it has had no answer. */
  age: number;
}

export interface WorkerCounts extends SharedCounts {
  /** Takes the primary's answer. */
  receive(given: CountsGiven): void;
}

/**
 * Counts in the primary, which `send` asks (false where it is gone). A primary that does not answer within half a
 * second counts as away until it does. A name whose window is used up is refused without asking.
 */
export function openWorkerCounts(send: (asked: CountsAsked) => boolean, log: Log): WorkerCounts {
  const used = new Map<string, Window>();
  let fallbacks = 0;
  const questions = ask(send, log);
  const windowOf = (name: string, windowSeconds: number) => {
    const window = used.get(name);
    return window && isOpen(window, windowSeconds, Date.now())
      ? window
      : questions.count(name, windowSeconds);
  };
  return {
    limiter: (own) => ({
      consume: async (key) => {
        const name = `${own.keyPrefix}:${key}`;
        const window = await windowOf(name, own.duration);
        if (!window) {
          fallbacks++;
          return own.consume(key);
        }
        const now = Date.now();
        const { count, endsAt } = window;
        const state = new RateLimiterRes(Math.max(0, own.points - count), Math.max(0, endsAt - now), count);
        if (count <= own.points) return state;
        if (used.get(name) !== window) {
          used.delete(name);
          used.set(name, window);
          dropEnded(used, own.duration, now);
        }
        throw state;
      },
    }),
    // It does not leave the machine.
    hide: (address) => address,
    isShared: questions.isAnswered,
    fallbacks: () => fallbacks,
    receive: questions.receive,
    [Symbol.dispose]: questions.stop,
  };
}

/** Asks in one message a turn of the event loop, and nothing while the primary does not answer. */
function ask(send: (asked: CountsAsked) => boolean, log: Log) {
  const sent = new Map<number, Batch>();
  let next = new Map<string, Ask>();
  let number = 0;
  let isAnswered = true;
  const giveUp = (asks: Batch['asks']) => {
    if (isAnswered) log.warn('the primary does not answer: this worker counts for itself');
    isAnswered = false;
    answer(asks, undefined);
  };
  const watch = watchOverdue(sent, giveUp);
  const sendBatch = () => {
    const asks = next;
    next = new Map();
    if (!send(asked(++number, asks))) return answer(asks, undefined);
    sent.set(number, { asks, age: 0 });
    watch.start();
  };
  return {
    isAnswered: () => isAnswered,
    stop: watch.stop,
    /** Undefined, at once or later, where this process is to count for itself. */
    count: (name: string, windowSeconds: number): Promise<Window | undefined> | undefined => {
      if (!isAnswered) return undefined;
      return new Promise((resolve) => {
        if (next.size === 0) setImmediate(sendBatch);
        const known = next.get(name);
        if (known) known.waiting.push(resolve);
        else next.set(name, { windowSeconds, waiting: [resolve] });
      });
    },
    receive: ({ batch, given }: CountsGiven) => {
      if (!isAnswered) log.info('the primary answers again: the rate limit is shared again');
      isAnswered = true;
      const asks = sent.get(batch)?.asks;
      sent.delete(batch);
      if (asks) answer(asks, given);
    },
  };
}

/** Takes out what has had no answer in time. A while in which this process was too busy to read is a quarter of it at most. */
function watchOverdue(sent: Map<number, Batch>, giveUp: (asks: Batch['asks']) => void) {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const takeOut = () => {
    for (const [id, { asks, age }] of sent) {
      if (age < quarters) continue;
      sent.delete(id);
      giveUp(asks);
    }
  };
  const growOlder = () => {
    if (sent.size === 0) stop();
    for (const batch of sent.values()) batch.age++;
    // Not before what has arrived is read.
    setImmediate(takeOut);
  };
  return {
    start: () => void (timer ??= setInterval(growOlder, answerWithinMs / quarters).unref()),
    stop,
  };
}

function asked(batch: number, asks: ReadonlyMap<string, Ask>): CountsAsked {
  return {
    batch,
    asks: Array.from(asks, ([name, { waiting, windowSeconds }]) => [name, waiting.length, windowSeconds]),
  };
}

/** Each of those that wait for a name gets a number of its own, the last of them the count itself. */
function answer(asks: ReadonlyMap<string, Ask>, given: CountsGiven['given'] | undefined): void {
  let index = 0;
  for (const { waiting } of asks.values()) {
    const [count = 0, endsAt = 0] = given?.[index++] ?? [];
    let number = count - waiting.length;
    for (const tell of waiting) tell(given && { count: ++number, endsAt });
  }
}
