import { type Answer, ask, type Why } from './answer.ts';
import { openPace, rest } from './pace.ts';
import { SourceError } from './source-error.ts';

export interface SourceOptions {
  /** Without a final slash. */
  baseUrl: string;
  key: string;
  /** Requests a minute. */
  rate: number;
  /** Its reason is thrown. */
  signal: AbortSignal;
  /** Called before a wait that a person may notice. */
  onWait?: (seconds: number, why: Why) => void;
}

/** The data of an answer, or undefined where the source has no such thing. */
export type Get = <T>(
  path: string,
  query: Readonly<Record<string, string>>,
  /** Undefined for data of another shape: the source is asked again. */
  read: (data: Readonly<Record<string, unknown>>) => T | undefined,
  /** Not every source has this path: an answer outside the API means that this one lacks it. */
  isOptional?: boolean,
) => Promise<T | undefined>;

export interface Requests {
  get: Get;
  counts: { requests: number; waitedMs: number };
}

const answerWithinMs = 30_000;
const firstWaitMs = 500;
const longestWaitMs = 60_000;
const noticeableMs = 5_000;
/** Fail early on a mistyped address; retry a source that has answered for about a minute. */
const triesAtFirst = 4;
const triesLater = 8;
const triesWhileLimited = 40;
const triesOfOptional = 3;

/** Sends one request at a time, within the rate, with retries. */
export function openRequests({ baseUrl, key, rate, signal, onWait = () => {} }: SourceOptions): Requests {
  const pace = openPace(rate);
  const counts = { requests: 0, waitedMs: 0 };
  let hasAnswered = false;
  const askOnce = async (url: string, isOptional: boolean): Promise<Answer> => {
    await pace.turn(signal);
    counts.requests++;
    using limit = withinLimit(signal);
    try {
      return await ask(url, key, limit.signal, isOptional);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceError) throw error;
      return { kind: 'again', why: limit.signal.aborted ? 'silent' : 'lost' };
    } finally {
      pace.ended();
    }
  };
  const get: Get = async (path, query, read, isOptional = false) => {
    const url = `${baseUrl}/${path}?${new URLSearchParams(query).toString()}`.replace(/\?$/, '');
    for (let [failed, limited] = [0, 0]; ;) {
      const answer = await askOnce(url, isOptional);
      if (answer.kind === 'missing') return undefined;
      const { data } = answer.kind === 'data' ? answer : {};
      const result = typeof data === 'object' && data !== null ? read({ ...data }) : undefined;
      if (result !== undefined) {
        hasAnswered = true;
        return result;
      }
      const { why, after } = answer.kind === 'again' ? answer : { why: 'broken' as const };
      const tries = why === 'limited' ? ++limited : ++failed;
      const triesMax = why === 'limited' ? triesWhileLimited : hasAnswered ? triesLater : triesAtFirst;
      if (isOptional && why === 'broken' && tries >= triesOfOptional) return undefined;
      if (tries >= triesMax) throw new SourceError(sentences[why]);
      const ms = after ?? backoff(tries);
      if (ms >= noticeableMs) onWait(Math.ceil(ms / 1000), why);
      counts.waitedMs += ms;
      await rest(ms, signal);
    }
  };
  return { get, counts };
}

const sentences: Record<Why, string> = {
  limited: 'The source keeps limiting the rate; try again later, or use a separate key',
  failing: 'The source keeps failing; try again later',
  broken: 'The answers of the source are not those of API v2; check --base-url, or try again later',
  silent: `The source did not answer within ${answerWithinMs / 1000} seconds; check the network, or try again later`,
  lost: 'The source cannot be reached; check --base-url and the network',
};

/** Doubles, with jitter, so that several clients do not retry at once. */
function backoff(tries: number): number {
  return Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs) * (0.5 + Math.random() / 2);
}

/** A signal for one request; AbortSignal.any would leak a reference for each request. */
function withinLimit(signal: AbortSignal): Disposable & { signal: AbortSignal } {
  const own = new AbortController();
  const stop = () => own.abort();
  const timer = setTimeout(stop, answerWithinMs);
  signal.addEventListener('abort', stop, { once: true });
  return {
    signal: own.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}
