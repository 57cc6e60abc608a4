import type { IncomingMessage } from 'node:http';

import type { ApiKey, ApiKeyStore, Refusal, Scope } from '../../api-keys/api-key.ts';
import type { OnAnswered } from '../../observability/access-log.ts';
import { etagOf } from '../conditional-requests.ts';
import type { Counted, RateLimit } from '../rate-limit.ts';
import { isWellFormed } from '../request-checks.ts';
import { requestId } from '../request-id.ts';
import { standingHeaders } from '../response-headers.ts';
import type { Arrival } from './admission.ts';
import { type KnownAnswer, knownAnswers, toAnswer } from './known-answers.ts';
import { knownKeys } from './known-keys.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set where the lane has looked at the request before the app. */
    foundOut?: FoundOut;
  }
}

/** What is known of a request that the lane leaves to the app, so that nothing is asked or counted twice for it. */
export interface FoundOut {
  /** Undefined where a failure came first. */
  key?: ApiKey | Refusal;
  counted?: Counted;
  /** What was thrown on the way to the answer. */
  failure?: unknown;
}

/** An operation as the lane needs it. */
export interface LaneOperation {
  scope: Scope;
  route: string;
  /** The parameters in a URL that needs no decoding and no checking; undefined for any other. */
  read(url: string): readonly string[] | undefined;
  /** The body of its good answer. */
  answer(projectId: string, parameters: readonly string[]): Promise<string>;
}

interface LaneOptions {
  limit: RateLimit;
  onAnswered: OnAnswered;
  isStopping: () => boolean;
  /** Those that it has taken and not yet answered or handed on. */
  inLane: { count: number };
}

interface Accepted {
  key: ApiKey;
  operation: LaneOperation;
  parameters: readonly string[];
  counted: Counted;
}

/**
 * The way of good requests past Fastify, whose hooks, validator and reply take as long as all the rest of an answer
 * (docs/performance.md). Returned is what takes an arrival, with the version that the store told after it had come:
 * true where it answers, false where the app is to, which is then told what was found out: because the request is
 * anything but a plain GET of an operation by a key that may do so now, because it is over its limit, or because
 * there is no good answer.
 */
export function expressLane(
  store: ApiKeyStore,
  operations: readonly LaneOperation[],
  { limit, onAnswered, isStopping, inLane }: LaneOptions,
) {
  const answers = knownAnswers();
  const keyOf = knownKeys(store);

  const accept = async (
    { request, caller: { keyName } }: Arrival,
    version: number | undefined,
  ): Promise<Accepted | undefined> => {
    const { url = '' } = request;
    for (const operation of operations) {
      const parameters = operation.read(url);
      if (!parameters || !isPlain(request)) continue;
      const foundOut: FoundOut = (request.foundOut = {});
      const known = await keyOf(request, keyName, version);
      if (typeof known === 'string') {
        foundOut.key = known;
        return undefined;
      }
      request.onGoodKey?.();
      const key = (foundOut.key = known.key);
      // The use of one that is due is the guard's to note.
      if (!key.scopes.includes(operation.scope) || known.touchDueAt <= Date.now()) return undefined;
      const counted = (foundOut.counted = await limit.countRequest(key.id));
      return counted.isAllowed ? { key, operation, parameters, counted } : undefined;
    }
    return undefined;
  };
  const find = async (url: string, accepted: Accepted, version: number | undefined): Promise<KnownAnswer> => {
    const { key, operation, parameters } = accepted;
    const known = version === undefined ? undefined : answers.find(key.project_id, url, version);
    if (known) return known;
    const body = await operation.answer(key.project_id, parameters);
    const answer = toAnswer(body, etagOf(body));
    if (version !== undefined) answers.learn(key.project_id, url, version, answer);
    return answer;
  };

  return async (arrival: Arrival, version: number | undefined): Promise<boolean> => {
    inLane.count++;
    try {
      const accepted = await accept(arrival, version);
      if (!accepted) return false;
      const answer = await find(arrival.request.url ?? '', accepted, version);
      // It took too long, and was answered meanwhile.
      if (arrival.response.headersSent) return true;
      // Else a connection that is kept would hold up the stop.
      if (isStopping()) arrival.response.shouldKeepAlive = false;
      const id = send(arrival, accepted.counted, answer);
      onAnswered({
        requestId: id,
        method: 'GET',
        route: accepted.operation.route,
        status: 200,
        durationMs: performance.now() - arrival.at,
        keyId: accepted.key.id,
        projectId: accepted.key.project_id,
      });
      return true;
    } catch (failure) {
      // Nothing is sent yet. The app tells what is wrong.
      arrival.request.foundOut = { ...arrival.request.foundOut, failure };
      return false;
    } finally {
      inLane.count--;
    }
  };
}

/** Whether nothing but the URL and the key decides about the answer. */
function isPlain(request: IncomingMessage): boolean {
  const { method, headers } = request;
  return (
    method === 'GET' &&
    headers.authorization !== undefined &&
    headers['if-none-match'] === undefined &&
    headers.origin === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.upgrade === undefined &&
    isWellFormed(request)
  );
}

/** Sends the answer as the app would; returns the request's id. */
function send({ request, response }: Arrival, counted: Counted, answer: KnownAnswer): string {
  const id = requestId(request);
  response.writeHead(200, {
    ...standingHeaders,
    'x-request-id': id,
    ...counted.headers,
    'content-type': 'application/json; charset=utf-8',
    etag: answer.etag,
    'content-length': answer.bytes,
  });
  response.end(answer.body, answer.encoding);
  return id;
}
