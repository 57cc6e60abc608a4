import { changed, unchanged, type Written } from '../events/event.ts';
import { doneAgain } from '../idempotency.ts';
import { write } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { type Beyond, beyondOptions, beyondSchema, endBeyond, findBeyond } from './made-by.ts';
import { memberIdSchema, requireNotOwner } from './member.ts';
import { lockMember } from './require.ts';

export const removeMember = write({
  name: 'removeMember',
  scope: 'members:write',
  document: {
    tag: 'Members',
    summary: 'Remove a member',
    description:
      'Removes a member who is not the Owner, or withdraws the invitation: its link stops working at once. Also revokes the keys that the member made, and withdraws Pending invitations by the member or those keys; `keep_keys=true` keeps them. With `dry_run=true` the answer names these keys and invitations, and nothing changes.',
    answer: 'It is done.',
  },
  input: object({ memberId: memberIdSchema }, { optional: beyondOptions }),
  dryOutput: beyondSchema,
  errors: ['not_found', 'owner_protected', 'precondition_failed'],
  repeat: doneAgain,
  current: async (unit, actor, { memberId }) => (await lockMember(unit, actor, memberId)).revision,
  run: async (unit, actor, { memberId, ...options }): Promise<Written<Beyond | undefined>> => {
    const member = await lockMember(unit, actor, memberId);
    requireNotOwner(member);
    const beyond = await findBeyond(unit, actor, [member, { roles: [] }], options);
    if (options.dry_run === true) return unchanged(beyond);
    await unit.members.remove(actor.projectId, memberId);
    const ended = await endBeyond(unit, actor, beyond);
    return changed(undefined, { type: 'member.removed', member_id: memberId }, ...ended);
  },
});
