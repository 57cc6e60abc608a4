import { covers } from '../actor.ts';
import { AppError } from '../errors.ts';
import { changed, unchanged } from '../events.ts';
import { isOwner, memberIdSchema } from '../members/member.ts';
import { lockMember } from '../members/update.ts';
import { write } from '../operation.ts';
import { hashSecret, newSecret } from '../values/secret.ts';
import { addSeconds, formatTimestamp, type Timestamp } from '../values/timestamp.ts';

const signInSeconds = 15 * 60;
const setupSeconds = 30 * 60;

export interface SignInUrl {
  /** For the member and nobody else; with the token in the fragment, which no server and no log gets to see. */
  url: string;
  expires_at: Timestamp;
}

/**
 * Makes the link by which a member signs in, once, within fifteen minutes; an earlier one is dead. Members make their own;
 * for others it needs `administration`, and for the Owner `ownership`. Throws `not_found`, `insufficient_scope`, and
 * `conflict` for a member who is Pending.
 */
export const createSignInLink = write({
  name: 'createSignInLink',
  scope: 'any-key',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['memberId'],
    properties: { memberId: memberIdSchema },
  },
  run: async (unit, actor, { memberId }: { memberId: string }, { publicUrl = '' }) => {
    const { projectId, scopes } = actor;
    const member = await lockMember(unit, actor, memberId);
    const needed = isOwner(member) ? 'ownership' : 'administration';
    const isOwn = actor.type === 'member' && actor.id === memberId;
    if (!isOwn && !covers(scopes, needed)) {
      throw new AppError('insufficient_scope', 'Only the Owner makes a link for the Owner', { scope: needed });
    }
    if (member.status !== 'Active') {
      throw new AppError('conflict', 'This member is Pending, and joins by the link of an invitation', {
        about: 'member',
      });
    }
    const link = newLink(projectId, memberId, signInSeconds);
    await unit.signIn.keepLink(link, hashSecret(link.token));
    const made: SignInUrl = { url: `${publicUrl}/sign-in#${link.token}`, expires_at: link.expires_at };
    return changed(made, { type: 'member.updated', member_id: memberId, changed: ['sign_in_link'] });
  },
});

/**
 * Makes the link of the first run, within thirty minutes: for the Owner, else for whoever becomes it, of a project that
 * need not be there yet. It changes nothing that an event could tell of.
 */
export const createSetupLink = write({
  name: 'createSetupLink',
  scope: null,
  run: async ({ signIn }, { projectId }, { memberId }: { memberId: string | null }, { publicUrl = '' }) => {
    const link = newLink(projectId, memberId, setupSeconds);
    await signIn.keepLink(link, hashSecret(link.token));
    const made: SignInUrl = { url: `${publicUrl}/setup#${link.token}`, expires_at: link.expires_at };
    return unchanged(made);
  },
});

function newLink(projectId: string, memberId: string | null, seconds: number) {
  const expiresAt = formatTimestamp(addSeconds(new Date(), seconds));
  return { project_id: projectId, member_id: memberId, expires_at: expiresAt, token: newSecret() };
}
