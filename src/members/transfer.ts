import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { changed, type NewEvent, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { sessionsEnded } from '../sign-in/session.ts';
import type { UnitOfWork } from '../store.ts';
import { object } from '../values/object-schema.ts';
import { memberIdSchema, memberView, type Role, rolesInOrder, type StoredMember, touchedMember } from './member.ts';
import { lockByEmail, lockMember, lockOwner } from './require.ts';

/** Makes an Active member the Owner; the former one gets the role Admin. Throws `not_found`, `conflict` if Pending. */
export const transferOwnership = write({
  name: 'transferOwnership',
  scope: 'ownership',
  run: async (unit, actor, { email }: { email: string }) => {
    const member = await lockByEmail(unit, actor, email);
    if (!member) throw new AppError('not_found', 'There is no member with this address', { about: 'member' });
    return handOver(unit, actor, member);
  },
});

export const transferOwnershipTo = write({
  name: 'transferOwnershipTo',
  scope: 'ownership',
  input: object({ memberId: memberIdSchema }),
  run: async (unit, actor, { memberId }) => handOver(unit, actor, await lockMember(unit, actor, memberId)),
});

async function handOver(unit: UnitOfWork, actor: Actor, successor: StoredMember) {
  const { members, signIn } = unit;
  const { projectId, type, id } = actor;
  const owner = await lockOwner(unit, actor);
  // The ownership may have gone to somebody else since the request came.
  if (type === 'member' && owner?.id !== id) {
    throw new AppError('insufficient_scope', 'Only the Owner hands the project over', { scope: 'ownership' });
  }
  if (successor.id === owner?.id) return unchanged(memberView(successor));
  if (successor.status !== 'Active') {
    const message = 'This member is Pending; only an Active one can become the Owner';
    throw new AppError('conflict', message, { about: 'member' });
  }
  const next = withRole(successor, 'Owner', 'Admin');
  await members.handOver(projectId, owner && withRole(owner, 'Admin', 'Owner'), next);
  // Earlier sessions and links must not act as the new Owner.
  const ended: NewEvent[] = [];
  for (const member of [owner, successor]) {
    if (!member) continue;
    ended.push(...sessionsEnded(member.id, await signIn.endSessions(projectId, member.id)));
    await signIn.forgetLink(projectId, member.id);
  }
  return changed(memberView(next), { type: 'owner.transferred', member_id: next.id }, ...ended);
}

function withRole(member: StoredMember, gained: Role, lost: Role): StoredMember {
  return touchedMember({ ...member, roles: rolesInOrder([gained, ...member.roles.filter((role) => role !== lost)]) });
}
