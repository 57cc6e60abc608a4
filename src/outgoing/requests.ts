import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { type Answer, type RequestLimits, type Request, send, type Unanswered } from './request.ts';

/** In order: 429; 408 or 5xx; an answer that the reader refuses; no answer in time; no connection. */
type Failure = 'limited' | 'failing' | 'broken' | 'silent' | 'lost';

export interface RequestsOptions extends RequestLimits {
  perMinute: number;
  signal: AbortSignal;
  onWait?: (seconds: number, why: Failure) => void;
}

const noticeableMs = 5_000;
/** Fails early on a mistyped address. Retries for about a minute if the service has answered before. */
const triesAtFirst = 4;
const triesLater = 8;
const triesWhileLimited = 40;

/** Sends one request at a time and retries: after Retry-After, or after growing waits. Throws the signal's reason. */
export function openRequests({ perMinute, signal, onWait, ...limits }: RequestsOptions) {
  const pace = openPace(perMinute);
  const counts = { requests: 0, waitedMs: 0 };
  let hasAnswered = false;
  return {
    counts,
    send: async <T>(
      request: Request,
      read: (answer: Answer) => T | undefined,
      triesWhileBroken = triesLater,
    ): Promise<{ value: T } | { why: Failure }> => {
      for (let [failed, limited] = [0, 0]; ;) {
        await pace.turn(signal);
        counts.requests++;
        const answer = await send(request, limits, signal).finally(pace.ended);
        const failure = failureOf(answer);
        const value = typeof answer === 'string' || failure ? undefined : read(answer);
        if (value !== undefined) {
          hasAnswered = true;
          return { value };
        }
        const why = failure ?? 'broken';
        const tries = why === 'limited' ? ++limited : ++failed;
        const triesMax = why === 'limited' ? triesWhileLimited : hasAnswered ? triesLater : triesAtFirst;
        if (tries >= triesMax || (why === 'broken' && tries >= triesWhileBroken)) return { why };
        const asked = typeof answer === 'string' ? undefined : retryAfterMs(answer.headers);
        const ms = asked ?? backoffMs(tries);
        if (ms >= noticeableMs) onWait?.(Math.ceil(ms / 1000), why);
        counts.waitedMs += ms;
        await rest(ms, signal);
      }
    },
  };
}

function failureOf(answer: Answer | Unanswered): Failure | undefined {
  const cut = typeof answer === 'string' ? answer : answer.cut;
  if (cut !== undefined) return cut === 'timeout' ? 'silent' : 'lost';
  if (typeof answer === 'string') return undefined;
  if (answer.status === 429) return 'limited';
  return answer.status >= 500 || answer.status === 408 ? 'failing' : undefined;
}

/** Limits requests to `perMinute` in any minute, evenly spaced, so that a restarted process keeps the rate too. */
export function openPace(perMinute: number, minuteMs = 60_000) {
  const apartMs = minuteMs / perMinute;
  // The source may count a request at any time between its start and its end.
  const ends: number[] = [];
  let startedAt = performance.now();
  return {
    turn: async (signal: AbortSignal): Promise<void> => {
      const oldest = ends.length < perMinute ? -Infinity : (ends.shift() ?? -Infinity);
      const at = Math.max(startedAt + apartMs, oldest + minuteMs);
      for (let left = at - performance.now(); left > 0; left = at - performance.now()) await rest(left, signal);
      startedAt = performance.now();
    },
    ended: () => void ends.push(performance.now()),
  };
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await pause(Math.ceil(ms), undefined, { signal }).catch(() => signal.throwIfAborted());
}

const retryAfterMaxMs = 3_600_000;

/** Milliseconds of a Retry-After in seconds or as a date, at most an hour; undefined without a readable one. */
export function retryAfterMs({ 'retry-after': text }: IncomingHttpHeaders): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMaxMs);
}

const firstWaitMs = 500;
const waitMaxMs = 60_000;

function backoffMs(tries: number): number {
  return Math.min(firstWaitMs * 2 ** (tries - 1), waitMaxMs) * (0.5 + Math.random() / 2);
}
