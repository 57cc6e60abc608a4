import type { Actor } from '../actor.ts';
import { changed, unchanged } from '../events.ts';
import { write } from '../operation.ts';
import type { UnitOfWork } from '../store.ts';
import {
  exampleMember,
  type GivenRole,
  givenRolesSchema,
  inOrder,
  memberIdSchema,
  requireMember,
  hasLostRole,
  requireNotOwner,
  type StoredMember,
  wholeMemberSchema,
  wholeView,
} from './member.ts';

export interface MemberRoles {
  memberId: string;
  roles: readonly GivenRole[];
}

export const updateMember = write({
  name: 'updateMember',
  scope: 'members:write',
  document: {
    tag: 'Members',
    summary: 'Change the roles of a member',
    description: 'Replaces the roles of a member who is not the Owner.',
    answer: 'The member.',
  },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['memberId', 'roles'],
    properties: { memberId: memberIdSchema, roles: givenRolesSchema },
  },
  output: wholeMemberSchema,
  errors: ['not_found', 'owner_protected', 'precondition_failed'],
  example: wholeView(exampleMember),
  current: async (unit, actor, { memberId }: MemberRoles) => wholeView(await lockMember(unit, actor, memberId)),
  run: async (unit, actor, { memberId, roles }: MemberRoles) => {
    const before = await lockMember(unit, actor, memberId);
    requireNotOwner(before);
    const after = { ...before, roles: inOrder(roles) };
    if (after.roles.join() === before.roles.join()) return unchanged(wholeView(before));
    await unit.members.save(actor.projectId, [after]);
    if (hasLostRole(before, after)) await unit.signIn.endSessions(actor.projectId, memberId);
    return changed(wholeView(after), { type: 'member.updated', member_id: memberId, changed: ['roles'] });
  },
});

/** The member, whom nobody else changes until the transaction ends. Throws `not_found`. */
export async function lockMember(
  { members }: Pick<UnitOfWork, 'members'>,
  { projectId }: Pick<Actor, 'projectId'>,
  memberId: string,
): Promise<StoredMember> {
  const found = await members.findForWriting(projectId, { ids: [memberId] });
  return requireMember(found.find(({ id }) => id === memberId));
}
