import type { IncomingMessage } from 'node:http';

import type { Actor } from '../actor.ts';
import type { KeyRefusal } from '../api-keys/authenticate.ts';
import { AppError } from '../errors.ts';
import type { IdempotentRequest } from '../idempotency.ts';
import type { Answered, Log } from '../observability/access-log.ts';
import type { RunOptions } from '../operation.ts';
import type { Outgoing } from '../webhooks/outgoing.ts';
import { type Arrival, setWaiting } from './edge/edge.ts';
import { errorBody, HttpError, type HttpErrorCode, statusOf, toHttpError, unavailable } from './errors.ts';
import { type HeaderList, jsonType, keptByNobody, requestId, standingHeaders } from './headers.ts';

export interface Service {
  readonly log: Log;
  readonly onAnswered: (answered: Answered, request: IncomingMessage) => void;
  readonly tellOutage: (requestId: string, error: AppError) => void;
  readonly isStopping: () => boolean;
  readonly publicUrl: () => string;
  readonly outcomeWithinMs: number;
  readonly outgoing: Outgoing | undefined;
}

export class Exchange implements RunOptions {
  readonly arrival: Arrival;
  readonly id: string;
  readonly #service: Service;
  route: string | null = null;
  /** Set once a write runs, which is answered when its outcome is known. */
  isWriting = false;
  openWaiter: RunOptions['openWaiter'];
  idempotent: IdempotentRequest | undefined;
  isExpected: RunOptions['isExpected'];
  actor: Actor | undefined;
  refusal: KeyRefusal | undefined;
  #code: HttpErrorCode | undefined;
  caching = keptByNobody;
  allowance: HeaderList = [];
  limitHeaders: HeaderList = [];
  #controller: AbortController | undefined;

  constructor(arrival: Arrival, service: Service) {
    this.arrival = arrival;
    this.id = requestId(arrival.request);
    this.#service = service;
    arrival.exchange = this;
  }

  get url(): string {
    return this.arrival.request.url ?? '/';
  }

  get publicUrl(): string {
    return this.#service.publicUrl();
  }

  /** The time that others take counts neither as work nor against the limit of an answer. */
  get outgoing(): Outgoing | undefined {
    const { outgoing } = this.#service;
    return outgoing && asideOf(this.arrival, outgoing);
  }

  /** Aborted when the request is given up. Made when asked for, as one for each request is dear. */
  get signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal;
  }

  /** A read, or a write not begun, gets 503 now (408 without its body); a write its outcome, or `outcome_unknown`. */
  giveUp(code: 'unavailable' | 'request_timeout'): void {
    (this.#controller ??= new AbortController()).abort(new AppError('unavailable', 'The request took too long'));
    if (!this.isWriting) return this.sendError(code === 'unavailable' ? unavailable() : new HttpError(code));
    const tell = () => this.sendError(new HttpError('outcome_unknown'));
    setTimeout(tell, this.#service.outcomeWithinMs).unref();
  }

  throwIfGivenUp(): void {
    this.#controller?.signal.throwIfAborted();
  }

  send(status: number, headers: HeaderList, text?: string | Buffer): void {
    const { id, caching, allowance, limitHeaders } = this;
    const { request, response } = this.arrival;
    if (response.headersSent || response.destroyed) return;
    if (this.#service.isStopping()) response.shouldKeepAlive = false;
    const standing = [...caching, ...standingHeaders(allowance), 'x-request-id', id, ...allowance, ...limitHeaders];
    const bytes = text === undefined ? undefined : Buffer.byteLength(text);
    const ofBody = bytes === undefined ? [] : ['content-length', String(bytes)];
    response.writeHead(status, [...standing, ...headers, ...ofBody]);
    response.end(request.method === 'HEAD' ? undefined : text, bytes === text?.length ? 'latin1' : 'utf8');
    this.#service.onAnswered(this.#answered(status), request);
  }

  sendData(status: number, data: unknown, headers: HeaderList = []): void {
    this.send(status, [...jsonType, ...headers], successText(data));
  }

  sendError(thrown: unknown): void {
    if (this.#controller?.signal.aborted === true && this.arrival.response.headersSent) return;
    this.noteError(thrown);
    const error = toHttpError(thrown);
    this.#code = error.code;
    const body = JSON.stringify(errorBody(error.code, this.id, error.told));
    const ending = endsConnection.has(error.code) ? ['connection', 'close'] : [];
    this.send(statusOf(error.code), [...ending, ...jsonType, ...error.headers], body);
  }

  /** Logs every 5xx that the pipeline did not choose: an outage in a sentence, a defect in full. */
  noteError(thrown: unknown): void {
    const { log, tellOutage } = this.#service;
    const { code } = toHttpError(thrown);
    if (thrown instanceof AppError && thrown.code === 'unavailable') {
      // A caller that hung up is no outage.
      if (!this.arrival.request.socket.destroyed) tellOutage(this.id, thrown);
    } else if (statusOf(code) >= 500 && !(thrown instanceof HttpError)) {
      log.error({ request_id: this.id, err: thrown, code }, 'a request failed');
    }
  }

  #answered(status: number): Answered {
    const { id: requestId, actor, route, refusal } = this;
    const { request, at } = this.arrival;
    return {
      requestId,
      method: request.method ?? null,
      route,
      status,
      code: this.#code,
      durationMs: performance.now() - at,
      keyId: actor?.type === 'key' ? actor.id : undefined,
      memberId: actor?.type === 'member' ? actor.id : undefined,
      projectId: actor?.projectId,
      refusal,
    };
  }
}

/** Where such a request ends is a guess, so nothing after it is read. */
const endsConnection: ReadonlySet<string> = new Set(['malformed_request', 'headers_too_large', 'request_timeout']);

export function successText(data: unknown): string {
  return JSON.stringify({ status: 'success', data });
}

function asideOf(arrival: Arrival, outgoing: Outgoing): Outgoing {
  const aside = async <Result>(work: Promise<Result>): Promise<Result> => {
    setWaiting(arrival, true);
    return work.finally(() => setWaiting(arrival, false));
  };
  return {
    refusalOf: (url) => aside(outgoing.refusalOf(url)),
    post: (...given) => aside(outgoing.post(...given)),
  };
}
