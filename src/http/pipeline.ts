import { type Actor, invited } from '../actor.ts';
import { AppError } from '../errors.ts';
import { checkInput, type Ran, run } from '../operation.ts';
import type { Store } from '../store.ts';
import { hashSecret } from '../values/secret.ts';
import { readBody, readShortBody, type RequestBody } from './body.ts';
import { HttpError, toHttpError } from './errors.ts';
import { type Exchange, successText } from './exchange.ts';
import { charge, type Gate, type GateParts, requireCovering } from './gate.ts';
import { etagOf, isExpected, isMatch, jsonType } from './headers.ts';
import { idempotencyOf, inputOf } from './input.ts';
import type { Endpoint } from './router.ts';
import { type Params, type Route, routes } from './routes.ts';

export function pipeline(parts: GateParts, gate: Gate): (route: Route) => Endpoint {
  return (route) => {
    const { method, path, operation } = route;
    if (operation.scope === 'invitation') {
      return { method, path, serve: (exchange, params) => serveInvited(parts, exchange, route, params) };
    }
    const serve: Endpoint['serve'] = async (exchange, params) => {
      let actor = await gate.admit(exchange, route);
      // Before the body is read: 403 comes before 415 and 413.
      requireCovering(gate, actor, operation);
      const hasBody = method === 'POST' || method === 'PATCH';
      const body = hasBody ? await readBody(exchange) : undefined;
      if (hasBody && gate.confirmsAfterBody) {
        actor = await gate.confirm(exchange, route);
        requireCovering(gate, actor, operation);
      }
      const input = inputOf(route, params, exchange.url, body?.value);
      // Counted now, as many that send their bodies late must not exceed the limit together.
      const rest = (operation.cost?.(input as never) ?? 1) - 1;
      if (rest > 0) await charge(exchange, gate.limit(actor, rest));
      const waits = operation.kind === 'read' && operation.waits === true;
      const ran = await (waits
        ? performWaiting(parts, gate, exchange, route, actor, input)
        : perform(parts.store, exchange, route, actor, input, body));
      return operation.kind === 'write' ? sendWritten(exchange, route, params, ran) : sendRead(exchange, ran);
    };
    return { method, path, serve };
  };
}

/** A caller who lost the right meanwhile gets what they would get now. */
async function performWaiting(
  { store, waiting }: GateParts,
  gate: Gate,
  exchange: Exchange,
  route: Route,
  actor: Actor,
  input: object,
): Promise<Ran<unknown>> {
  let hasWaited = false;
  exchange.openWaiter = (seconds) => {
    hasWaited = true;
    return waiting.open(exchange, actor, seconds);
  };
  try {
    return await perform(store, exchange, route, actor, input, undefined);
  } finally {
    if (hasWaited) requireCovering(gate, await gate.confirm(exchange, route), route.operation);
  }
}

/** Serves a request without a key: the token of an invitation, in the body, names the member who acts. */
async function serveInvited(
  { store, countRefusal }: GateParts,
  exchange: Exchange,
  route: Route,
  params: Params,
): Promise<void> {
  const body = await readShortBody(exchange);
  const input = inputOf(route, params, exchange.url, body.value);
  await checkInput(route.operation, input as never);
  const invitation = await store.members.findInvitation(hashSecret(String(input['token'])));
  let ran: Ran<unknown> | undefined;
  if (invitation) {
    const actor = invited(invitation.member_id, invitation.project_id, exchange.id);
    ran = await perform(store, exchange, route, actor, input, body).catch(unlessMissing);
  }
  if (ran) return sendWritten(exchange, route, params, ran);
  await countRefusal(exchange);
  throw new HttpError('not_found');
}

/** Used, replaced or withdrawn at this moment: no different from a token that nobody has. */
export function unlessMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}

async function perform(
  store: Store,
  exchange: Exchange,
  { operation, path }: Route,
  actor: Actor,
  input: object,
  body: RequestBody | undefined,
): Promise<Ran<unknown>> {
  exchange.throwIfGivenUp();
  exchange.isWriting = operation.kind === 'write';
  const isDry = 'dry_run' in input && input.dry_run === true;
  if (operation.kind === 'write' && operation.repeat && !isDry) exchange.idempotent = idempotencyOf(exchange, body);
  const expected = exchange.arrival.request.headers['if-match'];
  if (expected !== undefined) exchange.isExpected = (revision) => isExpected(expected, revision);
  try {
    return await run(operation, store, actor, input as never, exchange);
  } catch (error) {
    // An id that breaks its limits belongs to nobody.
    const inPath = path.split('/');
    const fields = error instanceof AppError ? (error.errors ?? []) : [];
    const isAboutPath = fields.length > 0 && fields.every(({ field }) => inPath.includes(`:${field}`));
    const isMissing = isAboutPath || toHttpError(error).code === 'not_found';
    const message = isMissing ? otherMethod(path, input) : undefined;
    throw isAboutPath || message !== undefined ? new HttpError('not_found', [], { message }) : error;
  }
}

/** A word such as `search` was read as the id of a contact. */
function otherMethod(path: string, input: object): string | undefined {
  const word = 'contactId' in input && path.endsWith('/:contactId') ? String(input.contactId) : '';
  if (!/^[a-z]+$/.test(word)) return undefined;
  const meant = routes.find((one) => one.path === path.replace(/:contactId$/, word));
  return meant && `Not found; ${word} is a ${meant.method}`;
}

async function sendRead(exchange: Exchange, { output, revision }: Ran<unknown>): Promise<void> {
  const text = successText(output);
  const etag = etagOf(text, revision);
  // In a step of its own: the answers of a turn are all found, then all written, which takes a tenth less.
  await Promise.resolve();
  const { method, headers } = exchange.arrival.request;
  if (method !== 'POST' && isMatch(headers['if-none-match'], etag)) exchange.send(304, ['etag', etag]);
  else exchange.send(200, [...jsonType, 'etag', etag], text);
}

function sendWritten(
  exchange: Exchange,
  { status, creates, isCreated }: Route,
  params: Params,
  { output, revision, replayed }: Ran<unknown>,
): void {
  const text = successText(output);
  const headers = [...jsonType];
  if (replayed) headers.push('idempotent-replayed', 'true');
  if (revision !== undefined) headers.push('etag', etagOf(text, revision));
  if (creates !== undefined && output && isCreated === undefined)
    headers.push('location', locationOf(creates, { ...params, ...output }));
  const isNew = isCreated?.(output as never) ?? true;
  exchange.send(isNew ? status : 200, headers, text);
}

function locationOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}
