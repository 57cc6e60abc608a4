import type { Actor } from '../actor.ts';
import { type Ran } from '../operation.ts';
import { readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { charge, type Gate, requireCovering } from './gate.ts';
import { inputOf } from './input.ts';
import { type InvitedParts, serveInvited } from './invited.ts';
import { perform } from './perform.ts';
import type { Endpoint } from './router.ts';
import type { Route } from './routes.ts';
import { sendRead, sendWritten } from './send.ts';
import type { Waiting } from './waiting.ts';

export interface PipelineParts extends InvitedParts {
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
