import { type Actor, invited } from '../actor.ts';
import { AppError } from '../errors.ts';
import { checkInput, type Ran } from '../operation.ts';
import type { Store } from '../store.ts';
import { hashSecret } from '../values/secret.ts';
import { readBody, readShortBody } from './body.ts';
import { HttpError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { charge, type Gate, requireCovering } from './gate.ts';
import { inputOf } from './input.ts';
import { perform, sendRead, sendWritten } from './perform.ts';
import type { CountRefusal } from './rate-limit.ts';
import type { Endpoint } from './router.ts';
import type { Params, Route } from './routes.ts';
import type { Waiting } from './waiting.ts';

export interface PipelineParts {
  readonly store: Store;
  readonly countRefusal: CountRefusal;
  readonly waiting: Waiting;
}

/** Takes a request of a route through every step: identify, limit, scope, input, operation, output, send. */
export function pipeline(parts: PipelineParts, gate: Gate): (route: Route) => Endpoint {
  return (route) => {
    const { method, path, operation } = route;
    const { scope } = operation;
    if (scope === 'invitation') {
      return { method, path, serve: (exchange, params) => serveInvited(parts, exchange, route, params) };
    }
    const serve: Endpoint['serve'] = async (exchange, params) => {
      let actor = await gate.admit(exchange, route);
      // Before the body is read: 403 comes before 415 and 413.
      requireCovering(gate, actor, scope);
      const hasBody = method === 'POST' || method === 'PATCH';
      const body = hasBody ? await readBody(exchange) : undefined;
      if (hasBody && gate.confirmsAfterBody) {
        actor = await gate.confirm(exchange, route);
        requireCovering(gate, actor, scope);
      }
      const input = inputOf(route, params, exchange.url, body?.value);
      // Counted now, as many that send their bodies late must not exceed the limit together.
      const rest = (operation.cost?.(input as never) ?? 1) - 1;
      if (rest > 0) await charge(exchange, gate.limit.countRest(actor, rest));
      if (operation.kind === 'write') {
        const ran = await perform(parts.store, exchange, route, actor, input, body);
        return sendWritten(exchange, route, params, ran);
      }
      const ran = await (operation.waits === true
        ? performWaiting(parts, gate, exchange, route, actor, input)
        : perform(parts.store, exchange, route, actor, input, body));
      return sendRead(exchange, ran);
    };
    return { method, path, serve };
  };
}

/** A caller who lost the right meanwhile gets what they would get now. */
async function performWaiting(
  { store, waiting }: PipelineParts,
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
    if (hasWaited) requireCovering(gate, await gate.confirm(exchange, route), route.operation.scope);
  }
}

/** Serves a request without a key: the token of an invitation, in the body, names the member who acts. */
async function serveInvited(
  { store, countRefusal }: PipelineParts,
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
