import { changed } from '../events.ts';
import { write } from '../operation.ts';
import { memberIdSchema, requireNotOwner, wholeView } from './member.ts';
import { lockMember } from './update.ts';

export const removeMember = write({
  name: 'removeMember',
  scope: 'members:write',
  document: {
    tag: 'Members',
    summary: 'Remove a member',
    description: 'Removes a member who is not the Owner, or withdraws the invitation: the link is dead at once.',
    answer: 'It is done.',
  },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['memberId'],
    properties: { memberId: memberIdSchema },
  },
  errors: ['not_found', 'owner_protected', 'precondition_failed'],
  current: async (unit, actor, { memberId }: { memberId: string }) =>
    wholeView(await lockMember(unit, actor, memberId)),
  run: async (unit, actor, { memberId }: { memberId: string }) => {
    requireNotOwner(await lockMember(unit, actor, memberId));
    await unit.members.remove(actor.projectId, memberId);
    return changed(undefined, { type: 'member.removed', member_id: memberId });
  },
});
