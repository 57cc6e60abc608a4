import { invited } from '../actor.ts';
import { AppError } from '../errors.ts';
import { checkInput, type Ran } from '../operation.ts';
import type { Store } from '../store.ts';
import { hashSecret } from '../values/secret.ts';
import { readShortBody } from './body.ts';
import { HttpError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { inputOf } from './input.ts';
import { perform } from './perform.ts';
import type { CountRefusal } from './rate-limit.ts';
import type { Params, Route } from './routes.ts';
import { sendWritten } from './send.ts';

export interface InvitedParts {
  readonly store: Store;
  readonly countRefusal: CountRefusal;
}

/** Serves a request without a key: the token of an invitation, in the body, names the member who acts. */
export async function serveInvited(
  { store, countRefusal }: InvitedParts,
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
