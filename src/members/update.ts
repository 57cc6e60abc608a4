import { changed, type NewEvent, unchanged, type Written } from '../events/event.ts';
import { write } from '../operation.ts';
import { type Revised, revised } from '../revision.ts';
import { sessionsEnded } from '../sign-in/session.ts';
import { object } from '../values/object-schema.ts';
import { requireMayGive, requireStill } from './giving.ts';
import { type Beyond, beyondOptions, beyondSchema, endBeyond, findBeyond } from './made-by.ts';
import {
  exampleMember,
  givenRolesSchema,
  hasLostRole,
  memberIdSchema,
  memberView,
  requireNotOwner,
  rolesInOrder,
  touchedMember,
  wholeMemberSchema,
} from './member.ts';
import { lockMember, memberNow } from './require.ts';

type UpdatedMember = ReturnType<typeof memberView> | Beyond;

export const updateMember = write({
  name: 'updateMember',
  scope: 'members:write',
  document: {
    tag: 'Members',
    summary: 'Change the roles of a member',
    description:
      'Replaces the roles of a member who is not the Owner. Also ends keys that the member made, and Pending invitations by the member or those keys, if they exceed the remaining rights; `keep_keys=true` keeps them. A key can give a role only if it has the scopes of that role. With `dry_run=true` the answer names these keys and invitations, and nothing changes.',
    answer: 'The member.',
  },
  input: object({ memberId: memberIdSchema, roles: givenRolesSchema }, { optional: beyondOptions }),
  output: wholeMemberSchema,
  dryOutput: beyondSchema,
  errors: ['not_found', 'owner_protected', 'precondition_failed'],
  example: memberView(exampleMember),
  repeat: {
    mayBeGone: true,
    keep: () => ({}),
    render: (reads, actor, _kept, { memberId }) => memberNow(reads, actor, memberId),
  },
  current: async (unit, actor, { memberId }) => (await lockMember(unit, actor, memberId)).revision,
  run: async (
    unit,
    actor,
    { memberId, roles, ...options },
  ): Promise<Written<UpdatedMember | Revised<UpdatedMember>>> => {
    const before = await lockMember(unit, actor, memberId);
    const gained = roles.filter((role) => !before.roles.includes(role));
    requireMayGive(actor, gained);
    await requireStill(unit, actor, 'members:write');
    requireNotOwner(before);
    const after = touchedMember({ ...before, roles: rolesInOrder(roles) });
    const beyond = await findBeyond(unit, actor, [before, after], options);
    if (options.dry_run === true) return unchanged(revised(beyond, before));
    if (after.roles.join() === before.roles.join()) return unchanged(revised(memberView(before), before));
    await unit.members.save(actor.projectId, [after]);
    const sessions = hasLostRole(before, after) ? await unit.signIn.endSessions(actor.projectId, memberId) : 0;
    const ended = await endBeyond(unit, actor, beyond);
    const change: NewEvent = { type: 'member.updated', member_id: memberId, changed: ['roles'] };
    return changed(revised(memberView(after), after), change, ...ended, ...sessionsEnded(memberId, sessions));
  },
});
