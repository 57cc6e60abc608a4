import { hash } from 'node:crypto';

import type { ApiKey } from '../api-keys/api-key.ts';
import type { Refusal } from '../api-keys/authenticate.ts';
import { AppError } from '../errors.ts';
import type { IdempotentRequest } from '../idempotency.ts';
import type { Answered, Log, OnAnswered } from '../observability/access-log.ts';
import type { RunOptions } from '../operation.ts';
import type { Session } from '../sign-in/session.ts';
import type { Arrival } from './edge/edge.ts';
import { errorBody, HttpError, statusOf, toHttpError, unavailable } from './errors.ts';
import { type HeaderList, jsonType, keptByNobody, requestId, standingHeaders } from './headers.ts';
import { outageTeller } from './outages.ts';

/** A request and its answer on the way through the pipeline. */
export class Exchange implements RunOptions {
  readonly arrival: Arrival;
  readonly id: string;
  readonly #sender: Sender;
  readonly #outcomeWithinMs: number;
  readonly #publicUrl: () => string;
  /** The pattern of the path, which stands for it in log and metrics. */
  route: string | null = null;
  /** Set once a write runs, which is answered when its outcome is known. */
  isWriting = false;
  openWaiter: RunOptions['openWaiter'];
  idempotent: IdempotentRequest | undefined;
  isExpected: RunOptions['isExpected'];
  key: ApiKey | undefined;
  /** The member who is signed in, in place of a key. */
  session: Session | undefined;
  refusal: Refusal | undefined;
  caching = keptByNobody;
  allowance: HeaderList = [];
  limitHeaders: HeaderList = [];
  #controller: AbortController | undefined;

  /** `outcomeWithinMs` is how long a write that was given up may take to tell its outcome. */
  constructor(arrival: Arrival, sender: Sender, outcomeWithinMs: number, publicUrl: () => string) {
    this.arrival = arrival;
    this.id = requestId(arrival.request);
    this.#sender = sender;
    this.#outcomeWithinMs = outcomeWithinMs;
    this.#publicUrl = publicUrl;
    arrival.exchange = this;
  }

  get publicUrl(): string {
    return this.#publicUrl();
  }

  /** Aborted when the request is given up. Made when asked for, as one for each request is dear. */
  get signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal;
  }

  /**
   * Ends a request that took too long. A read, and a write that has not begun, is answered at once: 503, or 408 where its
   * body did not come. A write that has not committed ends with 503 by itself; one that is committing is waited for, and
   * then is `outcome_unknown`.
   */
  giveUp(code: 'unavailable' | 'request_timeout'): void {
    (this.#controller ??= new AbortController()).abort(new AppError('unavailable', 'The request took too long'));
    if (!this.isWriting)
      return this.#sender.sendError(this, code === 'unavailable' ? unavailable() : new HttpError(code));
    const tell = () => this.#sender.sendError(this, new HttpError('outcome_unknown'));
    setTimeout(tell, this.#outcomeWithinMs).unref();
  }

  get isGivenUp(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  throwIfGivenUp(): void {
    this.#controller?.signal.throwIfAborted();
  }
}

export interface Body {
  readonly text: string | Buffer;
  readonly bytes: number;
  readonly encoding: 'latin1' | 'utf8';
}

/** A body with its length; ASCII needs no transcoding on its way out. */
export function bodyOf(text: string): Body {
  const bytes = Buffer.byteLength(text);
  return { text, bytes, encoding: bytes === text.length ? 'latin1' : 'utf8' };
}

/** Without `data` where an operation has no output. */
export function successText(data: unknown): string {
  return JSON.stringify({ status: 'success', data });
}

/** ETag of these bytes; the tag of one thing begins with its revision. */
export function etagOf(text: string | Buffer, revision?: number): string {
  const digest = hash('sha256', text, 'base64url').slice(0, 27);
  return revision === undefined ? `"${digest}"` : `"${revision}.${digest}"`;
}

export interface Sender {
  /** Sends an answer unless one was sent. HEAD gets its headers alone. */
  send: (exchange: Exchange, status: number, headers: HeaderList, body?: Body) => void;
  /** Sends a thrown error as one of ours. Logs every 5xx that the pipeline did not choose, and defects in full. */
  sendError: (exchange: Exchange, error: unknown) => void;
  /** Logs what is for the operator to fix, as `sendError` does, where the error is answered in another way. */
  noteError: (exchange: Exchange, error: unknown) => void;
}

interface SenderParts {
  log: Log;
  onAnswered: OnAnswered;
  /** Is told in place of onAnswered of an answer to a request without a usable key. */
  onRefused: (answered: Answered, refusal: Refusal, authorization: string | undefined) => void;
  isStopping: () => boolean;
}

export function createSender({ log, onAnswered, onRefused, isStopping }: SenderParts): Sender {
  const tellOutage = outageTeller(log);
  const send: Sender['send'] = (exchange, status, headers, body) => {
    const { arrival, id, key, session, route, refusal } = exchange;
    const { request, response } = arrival;
    if (response.headersSent || response.destroyed) return;
    if (isStopping()) response.shouldKeepAlive = false;
    const { caching, allowance, limitHeaders } = exchange;
    const standing = [...caching, ...standingHeaders(allowance), 'x-request-id', id, ...allowance, ...limitHeaders];
    const ofBody = body ? ['content-length', String(body.bytes)] : [];
    response.writeHead(status, [...standing, ...headers, ...ofBody]);
    if (body && request.method !== 'HEAD') response.end(body.text, body.encoding);
    else response.end();
    const { method = null } = request;
    const durationMs = performance.now() - arrival.at;
    const answered = {
      requestId: id,
      method,
      route,
      status,
      durationMs,
      keyId: key?.id,
      memberId: session?.member_id,
      projectId: (key ?? session)?.project_id,
    };
    if (refusal === undefined) onAnswered(answered);
    else onRefused(answered, refusal, request.headers.authorization);
  };
  const noteError: Sender['noteError'] = (exchange, thrown) => {
    const { code } = toHttpError(thrown);
    // An HttpError is an answer that was chosen; any other 5xx is for the operator to fix.
    if (thrown instanceof AppError && thrown.code === 'unavailable') tellOutage(exchange.id, thrown);
    else if (statusOf(code) >= 500 && !(thrown instanceof HttpError)) {
      log.error({ request_id: exchange.id, err: thrown, code }, 'a request failed');
    }
  };
  return {
    send,
    noteError,
    sendError: (exchange, thrown) => {
      if (exchange.isGivenUp && exchange.arrival.response.headersSent) return;
      noteError(exchange, thrown);
      const error = toHttpError(thrown);
      const status = statusOf(error.code);
      const body = JSON.stringify(errorBody(error.code, exchange.id, error));
      const ending = endsConnection.has(error.code) ? ['connection', 'close'] : [];
      send(exchange, status, [...ending, ...jsonType, ...error.headers], bodyOf(body));
    },
  };
}

/** Where such a request ends is a guess, so nothing after it is read. */
const endsConnection: ReadonlySet<string> = new Set(['malformed_request', 'headers_too_large', 'request_timeout']);
