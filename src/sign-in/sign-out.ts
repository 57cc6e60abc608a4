import { covers } from '../actor.ts';
import type { Change } from '../events/event.ts';
import { lockMember, memberIdSchema, requireNotOwner } from '../members/member.ts';
import { write } from '../operation.ts';
import { object } from '../values/object-schema.ts';

/**
 * Ends all sessions and the link of a member; `passkeys` removes those too, so only a new link lets them in. Only the
 * Owner and the command line sign the Owner out. Throws `not_found` and `owner_protected`.
 */
export const signOutMember = write({
  name: 'signOutMember',
  scope: 'administration',
  input: object({ memberId: memberIdSchema }, { optional: { passkeys: { type: 'boolean' } } }),
  run: async (unit, actor, { memberId, passkeys = false }) => {
    const { signIn } = unit;
    const { projectId } = actor;
    const member = await lockMember(unit, actor, memberId);
    if (!covers(actor.scopes, 'ownership')) requireNotOwner(member);
    const sessions = await signIn.endSessions(projectId, memberId);
    await signIn.forgetLink(projectId, memberId);
    const removed = passkeys ? await signIn.removePasskeys(projectId, memberId) : 0;
    const changes: Change[] = Array.from({ length: removed }, () => ({ type: 'passkey.removed', member_id: memberId }));
    if (sessions > 0) changes.push({ type: 'member.updated', member_id: memberId, changed: ['sessions'] });
    return { output: { sessions, passkeys: removed }, changes };
  },
});
