import type { Actor } from '../../actor.ts';
import type { StoredMember } from '../../members/member.ts';
import type { Log } from '../../observability/access-log.ts';
import { firstPasskeyUntil, freshUntil, isTouchDue, mayGoOn, rightsOf, type Session } from '../../sign-in/session.ts';
import type { Store } from '../../store.ts';
import { hashSecret } from '../../values/secret.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import type { AdmissionParts } from '../admit.ts';
import { HttpError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { IsOwn } from '../own-origins.ts';
import type { Admitted, Gate } from '../pipeline.ts';
import { type RateLimit, tooMany } from '../rate-limit.ts';
import type { Route } from '../routes.ts';
import { sessionToken } from './cookie.ts';
import { requireSameOrigin } from './same-origin.ts';

/** A member who is signed in. */
export interface SignedInMember extends Admitted {
  readonly session: Session;
  readonly member: StoredMember;
  /** Set if the route requires a fresh proof. */
  readonly hasPasskey?: boolean;
}

export interface GateParts extends Pick<AdmissionParts, 'addressOf'> {
  store: Store;
  log: Log;
  limit: RateLimit;
  isOwn: IsOwn;
}

/** A route of the console may require a fresh proof of identity. */
export interface ConsoleRoute extends Route {
  readonly wantsFresh?: (url: string) => boolean;
  /** True for adding a passkey: the first one may be added for longer. */
  readonly addsPasskey?: true;
}

export type ConsoleGate = Gate<SignedInMember> & Required<Pick<Gate<SignedInMember>, 'confirm'>>;

/** The gate of the console: a session in a cookie, from its own pages. */
export function consoleGate(parts: GateParts): ConsoleGate {
  const { limit, isOwn } = parts;
  const admit: Gate<SignedInMember>['admit'] = async (exchange, route) => {
    requireSameOrigin(exchange, isOwn);
    const admitted = await identifyMember(parts, exchange, waits(route));
    exchange.session = admitted.session;
    exchange.arrival.connection.isFlooding = false;
    const counted = await limit.countRequest(admitted);
    if (!counted.isAllowed) throw tooMany(counted);
    return requireFresh(parts.store, exchange, route, admitted);
  };
  return {
    limit,
    admit,
    readmit: (exchange) => identifyMember(parts, exchange, true),
    confirm: async (exchange, route) =>
      requireFresh(parts.store, exchange, route, await identifyMember(parts, exchange)),
    actorOf,
    lacking: () => new HttpError('insufficient_scope', [], { message: 'Your roles do not allow this' }),
  };
}

/** A page that is left open waits on and on for events: nobody uses it. */
function waits({ operation }: Route): boolean {
  return operation.kind === 'read' && operation.waits === true;
}

/** Throws `fresh_sign_in_required`. */
async function requireFresh(
  { signIn }: Pick<Store, 'signIn'>,
  exchange: Exchange,
  route: ConsoleRoute,
  admitted: SignedInMember,
): Promise<SignedInMember> {
  if (route.wantsFresh?.(exchange.arrival.request.url ?? '') !== true) return admitted;
  const { session, member } = admitted;
  const hasPasskey = (await signIn.listPasskeys(session.project_id, member.id)).length > 0;
  const isAllowed =
    freshUntil(session, hasPasskey) !== null ||
    (route.addsPasskey === true && firstPasskeyUntil(session, hasPasskey) !== null);
  if (isAllowed) return { ...admitted, hasPasskey };
  throw new HttpError('fresh_sign_in_required');
}

export function actorOf({ session, member, scopes }: SignedInMember, requestId: string): Actor {
  const { project_id: projectId } = session;
  return { type: 'member', id: member.id, projectId, scopes, requestId, session };
}

/** Throws `unauthenticated`, or `rate_limited` where an address was refused too often. */
async function identifyMember(parts: GateParts, exchange: Exchange, isWaiting = false): Promise<SignedInMember> {
  const found = await findMember(parts, exchange, isWaiting);
  if (found) return found;
  const address = parts.addressOf(exchange);
  const token = sessionToken(exchange.arrival.request, exchange);
  // A page that is not signed in asks without a cookie, which is no guess.
  if (address !== undefined && token !== undefined) await parts.limit.countRefusal(address);
  throw new HttpError('unauthenticated', [], { message: 'Sign in to go on' });
}

/** The member of the cookie, if the session goes on. To wait is no use of it. */
export async function findMember(
  { store, log }: Pick<GateParts, 'store' | 'log'>,
  exchange: Exchange,
  isWaiting = false,
): Promise<SignedInMember | undefined> {
  const token = sessionToken(exchange.arrival.request, exchange);
  const session = token === undefined ? undefined : await store.signIn.findSession(hashSecret(token));
  if (!session) return undefined;
  const member = await store.members.find(session.project_id, session.member_id);
  if (!mayGoOn(session, member)) return undefined;
  if (!isWaiting && isTouchDue(session)) {
    await store.touchSession(session, formatTimestamp(new Date())).catch((err: unknown) => {
      log.warn({ err }, 'the last use of a session could not be noted');
    });
  }
  return { id: member.id, project_id: session.project_id, scopes: rightsOf(member), session, member };
}
