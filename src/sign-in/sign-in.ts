import { AppError } from '../errors.ts';
import type { NewEvent, Written } from '../events/event.ts';
import { acceptInvitation } from '../members/accept.ts';
import type { StoredMember } from '../members/member.ts';
import { lockMember } from '../members/require.ts';
import { write } from '../operation.ts';
import type { UnitOfWork } from '../store.ts';
import { hashSecret, newSecret } from '../values/secret.ts';
import type { Timestamp } from '../values/timestamp.ts';
import { newSession, type Session, type SignInMethod } from './session.ts';
import { type FirstOwner, makeOwner } from './set-up.ts';
import type { Passkey, SignInLink } from './store.ts';

/** The token is what the browser keeps; it is shown only now. */
export interface SignedIn {
  session: Session;
  member: StoredMember;
  token: string;
}

interface SignIn {
  userAgent: string | undefined;
}

export const signInByLink = write({
  name: 'signInByLink',
  scope: null,
  run: async (unit, actor, { token, userAgent }: SignIn & { token: string }) => {
    const member = requireActive(await lockMember(unit, actor, actor.id));
    const { verified_at: verifiedAt } = await useUp(unit, actor.projectId, token);
    return begin(unit, actor.projectId, member, { method: 'link', userAgent, verifiedAt });
  },
});

/** For who becomes the Owner by the link of the first run. Throws `not_found`, and `invalid` for what is missing. */
export const setUpProject = write({
  name: 'setUpProject',
  scope: null,
  run: async (unit, actor, { token, userAgent, ...input }: SignIn & FirstOwner & { token: string }) => {
    const { output: member, changes } = await makeOwner(unit, actor, input);
    await useUp(unit, actor.projectId, token);
    return begin(unit, actor.projectId, member, { method: 'link', userAgent }, changes);
  },
});

export const joinProject = write({
  name: 'joinProject',
  scope: null,
  run: async (unit, actor, { token, userAgent }: SignIn & { token: string }, options) => {
    const { changes } = await acceptInvitation.run(unit, actor, { token }, options);
    const member = requireActive(await unit.members.find(actor.projectId, actor.id));
    return begin(unit, actor.projectId, member, { method: 'invitation', userAgent }, changes);
  },
});

/** Signs in by a passkey whose answer was checked. Throws `not_found` for a replay. */
export const signInByPasskey = write({
  name: 'signInByPasskey',
  scope: null,
  run: async (unit, actor, { passkey, userAgent }: SignIn & { passkey: Passkey }) => {
    const member = requireActive(await lockMember(unit, actor, passkey.member_id));
    if (!(await unit.signIn.usePasskey(passkey))) throw used();
    return begin(unit, actor.projectId, member, { method: 'passkey', userAgent });
  },
});

async function begin(
  { signIn }: UnitOfWork,
  projectId: string,
  member: StoredMember,
  given: SignIn & { method: SignInMethod; verifiedAt?: Timestamp | null },
  earlier: readonly NewEvent[] = [],
): Promise<Written<SignedIn>> {
  const session = newSession(projectId, member, given);
  const token = newSecret();
  await signIn.insertSession(session, hashSecret(token));
  const change: NewEvent = { type: 'session.started', member_id: member.id };
  return { output: { session, member, token }, changes: [...earlier, change] };
}

/** Asked again in the transaction: somebody else may have used the link. */
async function useUp({ signIn }: UnitOfWork, projectId: string, token: string): Promise<SignInLink> {
  const link = await signIn.findLink(hashSecret(token));
  if (!link || !(await signIn.endLink(projectId, hashSecret(token)))) throw used();
  return link;
}

function requireActive(member: StoredMember | undefined): StoredMember {
  if (member?.status === 'Active') return member;
  throw used();
}

function used(): AppError {
  return new AppError('not_found', 'This link or passkey cannot be used', { about: 'member' });
}
