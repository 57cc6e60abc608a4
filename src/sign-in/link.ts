import { covers } from '../actor.ts';
import { AppError } from '../errors.ts';
import { changed, unchanged } from '../events/event.ts';
import { newLink } from '../members/invitation.ts';
import { memberIdSchema } from '../members/member.ts';
import { lockMember } from '../members/require.ts';
import { write } from '../operation.ts';
import { object } from '../values/object-schema.ts';

const signInSeconds = 15 * 60;
const setupSeconds = 30 * 60;

/** For one sign-in within 15 minutes; ends earlier links. Throws `not_found`, `insufficient_scope`, `conflict`. */
export const createSignInLink = write({
  name: 'createSignInLink',
  scope: 'any-key',
  input: object({ memberId: memberIdSchema }),
  run: async (unit, actor, { memberId }, { publicUrl = '' }) => {
    const { projectId, scopes } = actor;
    const isOwn = actor.type === 'member' && actor.id === memberId;
    // Check before any look-up: a member without the right must not learn which ids exist.
    if (!isOwn && !covers(scopes, 'ownership')) {
      throw new AppError('insufficient_scope', 'Only the Owner makes links for others', { scope: 'ownership' });
    }
    const member = await lockMember(unit, actor, memberId);
    if (member.status !== 'Active') {
      const message =
        'This member is Pending, and joins by an invitation: make its link with "roster members reinvite"';
      throw new AppError('conflict', message, { about: 'member' });
    }
    const { link, tokenHash } = newLink('sign-in', publicUrl, signInSeconds);
    const { expires_at } = link;
    const verified_at = isOwn ? (actor.session?.verified_at ?? null) : null;
    await unit.signIn.keepLink({ project_id: projectId, member_id: memberId, verified_at, expires_at }, tokenHash);
    return changed(link, { type: 'member.updated', member_id: memberId, changed: ['sign_in_link'] });
  },
});

/** Makes the link of the first run, for 30 minutes: for the Owner, or for whoever becomes it. The project may be new. */
export const createSetupLink = write({
  name: 'createSetupLink',
  scope: null,
  run: async ({ signIn }, { projectId }, { memberId }: { memberId: string | null }, { publicUrl = '' }) => {
    const { link, tokenHash } = newLink('setup', publicUrl, setupSeconds);
    const { expires_at } = link;
    await signIn.keepLink({ project_id: projectId, member_id: memberId, verified_at: null, expires_at }, tokenHash);
    return unchanged(link);
  },
});
