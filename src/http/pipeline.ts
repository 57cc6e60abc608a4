import { type Actor, covers, type RequiredScope } from '../actor.ts';
import type { Ran } from '../operation.ts';
import type { Store } from '../store.ts';
import type { AdmissionParts } from './admit.ts';
import { readBody } from './body.ts';
import type { HttpError } from './errors.ts';
import { bodyOf, etagOf, type Exchange, type Sender, successText } from './exchange.ts';
import { jsonType } from './headers.ts';
import { inputOf } from './input.ts';
import { serveInvited } from './invited.ts';
import { perform, receive } from './perform.ts';
import { type RateLimit, tooMany } from './rate-limit.ts';
import type { Found } from './router.ts';
import type { Route } from './routes.ts';
import type { Waiting } from './waiting.ts';
import { sendWritten } from './writes.ts';

export interface PipelineParts extends AdmissionParts {
  store: Store;
  sender: Sender;
  waiting: Waiting;
}

/** The caller: a key, or a member who is signed in. The rate limit counts the id. */
export interface Admitted {
  readonly id: string;
  readonly project_id: string;
  readonly scopes: Actor['scopes'];
}

/** Identifies callers: the one difference between `/v2` and the console. */
export interface Gate<Caller extends Admitted> {
  limit: RateLimit;
  /** Identifies the caller and counts the request. Throws `unauthenticated`, `rate_limited`, and what a gate refuses. */
  admit(exchange: Exchange, route: Route): Promise<Caller>;
  /** Identifies the caller again, after a wait. */
  readmit(exchange: Exchange): Promise<Caller>;
  /** Identifies the caller again once the body is there, which may be late. Missing means that it need not. */
  confirm?(exchange: Exchange, route: Route): Promise<Caller>;
  actorOf(caller: Caller, requestId: string): Actor;
  lacking(scope: string): HttpError;
}

/** Takes a request of a route through every step: identify, limit, scope, input, operation, output, send. */
export type Pipeline = (exchange: Exchange, route: Route, params: Found['params']) => Promise<void>;

export function buildPipeline<Caller extends Admitted>(parts: PipelineParts, gate: Gate<Caller>): Pipeline {
  const { store, sender } = parts;
  return async (exchange, route, params) => {
    const { operation } = route;
    if (operation.scope === 'invitation') return serveInvited(parts, exchange, route, params);
    let key = await gate.admit(exchange, route);
    // Before the body is read: 403 comes before 415 and 413.
    const { scope } = operation;
    requireCovering(gate, key, scope);
    const body = hasBody(route) ? await receive(exchange, readBody) : undefined;
    if (body && gate.confirm) {
      key = await gate.confirm(exchange, route);
      requireCovering(gate, key, scope);
    }
    const input = inputOf(route, params, exchange.arrival.request.url ?? '', body?.value);
    if (operation.cost) await countRest(gate, exchange, key, operation.cost(input as never));
    const actor = gate.actorOf(key, exchange.id);
    const ran = await (operation.kind === 'read' && operation.waits === true
      ? performWaiting(parts, gate, exchange, route, actor, input)
      : perform(store, exchange, route, actor, input, body));
    if (operation.kind === 'write') return sendWritten(sender, exchange, route, params, ran);
    return sendRead(sender, exchange, ran);
  };
}

/** The rest of what a request costs, once it is known: many that send their bodies late must not exceed the limit together. */
async function countRest(
  { limit }: Pick<Gate<Admitted>, 'limit'>,
  exchange: Exchange,
  key: Admitted,
  cost: number,
): Promise<void> {
  if (cost <= 1) return;
  const counted = await limit.countRest(key, cost - 1);
  exchange.limitHeaders = counted.headers;
  if (!counted.isAllowed) throw tooMany(counted);
}

function hasBody({ method }: Route): boolean {
  return method === 'POST' || method === 'PATCH';
}

function requireCovering(
  { lacking }: Pick<Gate<never>, 'lacking'>,
  { scopes }: Pick<Actor, 'scopes'>,
  scope: RequiredScope,
): void {
  if (!covers(scopes, scope)) throw lacking(scope ?? '');
}

/** A key that was revoked, expired or narrowed meanwhile gets what it would get now. */
async function performWaiting<Caller extends Admitted>(
  { store, waiting }: PipelineParts,
  gate: Gate<Caller>,
  exchange: Exchange,
  route: Route,
  actor: Actor,
  input: object,
): Promise<Ran<unknown>> {
  const { scope } = route.operation;
  let hasWaited = false;
  exchange.openWaiter = (seconds) => {
    hasWaited = true;
    return waiting.open(exchange, actor, seconds);
  };
  try {
    return await perform(store, exchange, route, actor, input, undefined);
  } finally {
    requireCovering(gate, hasWaited ? await gate.readmit(exchange) : actor, scope);
  }
}

/** Sends in a step of its own: the answers of a turn are all found, then all written, which takes a tenth less. */
async function sendRead({ send }: Sender, exchange: Exchange, { output, revision }: Ran<unknown>): Promise<void> {
  const text = successText(output);
  const etag = etagOf(text, revision);
  await Promise.resolve();
  const { method, headers } = exchange.arrival.request;
  if (method !== 'POST' && isMatch(headers['if-none-match'], etag)) send(exchange, 304, ['etag', etag]);
  else send(exchange, 200, [...jsonType, 'etag', etag], bodyOf(text));
}

// RFC 9110 §13.1.2: a list, compared weakly. Our tags hold no comma.
export function isMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
