import type { Actor } from '../../actor.ts';
import type { StoredMember } from '../../members/member.ts';
import { firstPasskeyUntil, freshUntil, isTouchDue, mayGoOn, rightsOf, type Session } from '../../sign-in/session.ts';
import type { Store } from '../../store.ts';
import { hashSecret } from '../../values/secret.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { HttpError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { enter, type Gate, type GateParts } from '../gate.ts';
import { type IsOwn, requireSameOrigin } from '../origins.ts';
import type { Route } from '../routes.ts';
import { sessionToken } from './cookie.ts';
import type { Passkeys } from './passkeys.ts';

export interface SignedInMember extends Actor {
  readonly session: Session;
  readonly member: StoredMember;
  readonly hasPasskey?: boolean;
}

export interface ConsoleParts extends GateParts {
  readonly isOwn: IsOwn;
  readonly passkeys: Passkeys;
  readonly programVersion: string | undefined;
}

export interface Wanted {
  readonly operation?: Route['operation'];
  readonly wantsFresh?: (url: string) => boolean;
  /** True for adding a passkey: the first one may be added for longer. */
  readonly addsPasskey?: true;
}

export type ConsoleRoute = Route & Wanted;

export interface ConsoleGate extends Gate {
  admit(exchange: Exchange, wanted: Wanted): Promise<SignedInMember>;
  confirm(exchange: Exchange, wanted: Wanted): Promise<SignedInMember>;
}

export function consoleGate(parts: ConsoleParts): ConsoleGate {
  const { store, limit, isOwn } = parts;
  return {
    limit,
    admit: async (exchange, wanted) => {
      requireSameOrigin(exchange, isOwn);
      const member = await identifyMember(parts, exchange, wanted);
      await enter(exchange, member, limit);
      return requireFresh(store, exchange, wanted, member);
    },
    confirm: async (exchange, wanted) =>
      requireFresh(store, exchange, wanted, await identifyMember(parts, exchange, wanted)),
    confirmsAfterBody: true,
    lacking: () => new HttpError('insufficient_scope', [], { message: 'Your roles do not allow this' }),
  };
}

async function requireFresh(
  { signIn }: Pick<Store, 'signIn'>,
  { url }: Exchange,
  { wantsFresh, addsPasskey }: Wanted,
  admitted: SignedInMember,
): Promise<SignedInMember> {
  if (wantsFresh?.(url) !== true) return admitted;
  const { session, member } = admitted;
  const hasPasskey = (await signIn.listPasskeys(session.project_id, member.id)).length > 0;
  const isAllowed =
    freshUntil(session, hasPasskey) !== null ||
    (addsPasskey === true && firstPasskeyUntil(session, hasPasskey) !== null);
  if (isAllowed) return { ...admitted, hasPasskey };
  throw new HttpError('fresh_sign_in_required');
}

async function identifyMember(parts: ConsoleParts, exchange: Exchange, { operation }: Wanted): Promise<SignedInMember> {
  // A page that was left open waits for ever.
  const isWaiting = operation?.kind === 'read' && operation.waits === true;
  const found = await findMember(parts, exchange, isWaiting);
  if (found) return found;
  // A page that is not signed in asks without a cookie, which is no guess.
  if (sessionToken(exchange) !== undefined) await parts.countRefusal(exchange);
  throw new HttpError('unauthenticated', [], { message: 'Sign in to go on' });
}

/** The member of the cookie, if the session is valid. Waiting for events does not prolong it. */
export async function findMember(
  { store, log }: Pick<GateParts, 'store' | 'log'>,
  exchange: Exchange,
  isWaiting = false,
): Promise<SignedInMember | undefined> {
  const token = sessionToken(exchange);
  const session = token === undefined ? undefined : await store.signIn.findSession(hashSecret(token));
  if (!session) return undefined;
  const member = await store.members.find(session.project_id, session.member_id);
  if (!mayGoOn(session, member)) return undefined;
  if (!isWaiting && isTouchDue(session)) {
    await store.touchSession(session, formatTimestamp(new Date())).catch((err: unknown) => {
      log.warn({ err }, 'the last use of a session could not be noted');
    });
  }
  return signedIn(session, member, exchange.id);
}

export function signedIn(session: Session, member: StoredMember, requestId: string): SignedInMember {
  const { project_id: projectId } = session;
  return { type: 'member', id: member.id, projectId, scopes: rightsOf(member), requestId, session, member };
}
