import { covers } from '../actor.ts';
import { AppError } from '../errors.ts';
import { changed, unchanged } from '../events/event.ts';
import { memberIdSchema } from '../members/member.ts';
import { lockMember } from '../members/update.ts';
import { write } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { hashSecret, newSecret } from '../values/secret.ts';
import { addSeconds, formatTimestamp, type Timestamp } from '../values/timestamp.ts';
import type { SignInLink } from './store.ts';

const signInSeconds = 15 * 60;
const setupSeconds = 30 * 60;

export interface SignInUrl {
  /** For the member and nobody else; with the token in the fragment, which no server and no log gets to see. */
  url: string;
  expires_at: Timestamp;
}

/**
 * Makes a link that signs a member in. It works once and expires in fifteen minutes; an earlier one is dead. Members make
 * their own, which proves no more than they have proved already; for others it needs `ownership`, as it lets somebody act as
 * them. Throws `not_found`, `insufficient_scope`, and `conflict` for a member who is Pending.
 */
export const createSignInLink = write({
  name: 'createSignInLink',
  scope: 'any-key',
  input: object({ memberId: memberIdSchema }),
  run: async (unit, actor, { memberId }: { memberId: string }, { publicUrl = '' }) => {
    const { projectId, scopes } = actor;
    const isOwn = actor.type === 'member' && actor.id === memberId;
    // Check before any look-up: a member without the right must not learn which ids exist.
    if (!isOwn && !covers(scopes, 'ownership')) {
      throw new AppError('insufficient_scope', 'Only the Owner makes links for others', { scope: 'ownership' });
    }
    const member = await lockMember(unit, actor, memberId);
    if (member.status !== 'Active') {
      throw new AppError(
        'conflict',
        'This member is Pending, and joins by an invitation: make its link with "roster members reinvite"',
        {
          about: 'member',
        },
      );
    }
    const verifiedAt = isOwn ? (actor.session?.verified_at ?? null) : null;
    const link = newLink({ project_id: projectId, member_id: memberId, verified_at: verifiedAt }, signInSeconds);
    await unit.signIn.keepLink(link, hashSecret(link.token));
    const made: SignInUrl = { url: `${publicUrl}/sign-in#${link.token}`, expires_at: link.expires_at };
    return changed(made, { type: 'member.updated', member_id: memberId, changed: ['sign_in_link'] });
  },
});

/**
 * Makes the link of the first run, which expires in thirty minutes: for the Owner, else for whoever becomes it, of a project
 * that need not be there yet. It changes nothing that an event could tell of.
 */
export const createSetupLink = write({
  name: 'createSetupLink',
  scope: null,
  run: async ({ signIn }, { projectId }, { memberId }: { memberId: string | null }, { publicUrl = '' }) => {
    const link = newLink({ project_id: projectId, member_id: memberId, verified_at: null }, setupSeconds);
    await signIn.keepLink(link, hashSecret(link.token));
    const made: SignInUrl = { url: `${publicUrl}/setup#${link.token}`, expires_at: link.expires_at };
    return unchanged(made);
  },
});

function newLink(given: Omit<SignInLink, 'expires_at'>, seconds: number) {
  return { ...given, expires_at: formatTimestamp(addSeconds(new Date(), seconds)), token: newSecret() };
}
