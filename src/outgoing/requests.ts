import { openPace, rest } from './pace.ts';
import { type Answer, type RequestLimits, type Request, send } from './request.ts';
import { backoffMs, retryAfterMs } from './retry.ts';

/** No usable answer: 429; 408 or 5xx; one that the reader refuses; none in time; no connection. */
export type Failure = 'limited' | 'failing' | 'broken' | 'silent' | 'lost';

export interface RequestsOptions extends RequestLimits {
  perMinute: number;
  /** Its reason is thrown. */
  signal: AbortSignal;
  /** Called before a wait that a person may notice. */
  onWait?: (seconds: number, why: Failure) => void;
}

const noticeableMs = 5_000;
/** Fail early on a mistyped address; retry a service that has answered for about a minute. */
const triesAtFirst = 4;
const triesLater = 8;
const triesWhileLimited = 40;

/** Sends one request at a time, never above the rate, and retries: after Retry-After, or after growing waits. */
export function openRequests({ perMinute, signal, onWait, ...limits }: RequestsOptions) {
  const pace = openPace(perMinute);
  const counts = { requests: 0, waitedMs: 0 };
  let hasAnswered = false;
  return {
    counts,
    /** `read` returns undefined for a broken answer, and throws for one that no retry can change. */
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

function failureOf(answer: Answer | 'silent' | 'lost'): Failure | undefined {
  if (typeof answer === 'string') return answer;
  if (answer.status === 429) return 'limited';
  return answer.status >= 500 || answer.status === 408 ? 'failing' : undefined;
}
