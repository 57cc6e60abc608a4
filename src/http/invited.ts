import { invited } from '../actor.ts';
import { AppError } from '../errors.ts';
import { checkInput, type Ran } from '../operation.ts';
import { hashSecret } from '../values/secret.ts';
import { readShortBody } from './body.ts';
import { HttpError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { inputOf } from './input.ts';
import { perform, receive } from './perform.ts';
import type { PipelineParts } from './pipeline.ts';
import type { Found } from './router.ts';
import type { Route } from './routes.ts';
import { sendWritten } from './writes.ts';

/** Serves a request without a key: the token of an invitation, in the body, names the member who acts. */
export async function serveInvited(
  { store, sender, limit, addressOf }: PipelineParts,
  exchange: Exchange,
  route: Route,
  params: Found['params'],
): Promise<void> {
  const body = await receive(exchange, readShortBody);
  const input = inputOf(route, params, exchange.arrival.request.url ?? '', body.value);
  await checkInput(route.operation, input as never);
  const invitation = await store.members.findInvitation(hashSecret(String(input['token'])));
  let ran: Ran<unknown> | undefined;
  if (invitation) {
    const actor = invited(invitation.member_id, invitation.project_id, exchange.id);
    ran = await perform(store, exchange, route, actor, input, body).catch(unlessMissing);
  }
  if (ran) return sendWritten(sender, exchange, route, params, ran);
  const address = addressOf(exchange);
  if (address !== undefined) await limit.countRefusal(address);
  throw new HttpError('not_found');
}

/** Used, replaced or withdrawn at this moment: no different from a token that nobody has. */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}
