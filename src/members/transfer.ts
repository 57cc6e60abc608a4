import { AppError } from '../errors.ts';
import { changed, unchanged } from '../events.ts';
import { write } from '../operation.ts';
import type { UnitOfWork } from '../store.ts';
import { emailKey } from '../values/email.ts';
import { inOrder, isOwner, memberIdSchema, requireMember, type Role, type StoredMember, wholeView } from './member.ts';

/**
 * Makes the Active member of this address the Owner, without the role Admin; the former Owner, if there is one, gets that
 * in its place. Throws `not_found`, and `conflict` for a member who is Pending.
 */
export const transferOwnership = write({
  name: 'transferOwnership',
  scope: 'ownership',
  run: async ({ members }, { projectId }, { email }: { email: string }) => {
    const found = await members.findForWriting(projectId, { emails: [email] });
    const successor = found.find((member) => emailKey(member.email) === emailKey(email));
    if (!successor) throw new AppError('not_found', 'There is no member with this address', { about: 'member' });
    return handOver(members, projectId, found.find(isOwner), successor);
  },
});

/** The same for the member of this id. */
export const transferOwnershipTo = write({
  name: 'transferOwnershipTo',
  scope: 'ownership',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['memberId'],
    properties: { memberId: memberIdSchema },
  },
  run: async ({ members }, { projectId }, { memberId }: { memberId: string }) => {
    const found = await members.findForWriting(projectId, { ids: [memberId] });
    const successor = requireMember(found.find(({ id }) => id === memberId));
    return handOver(members, projectId, found.find(isOwner), successor);
  },
});

async function handOver(
  members: UnitOfWork['members'],
  projectId: string,
  owner: StoredMember | undefined,
  successor: StoredMember,
) {
  if (successor === owner) return unchanged(wholeView(owner));
  if (successor.status !== 'Active') {
    throw new AppError('conflict', 'This member is Pending; only an Active one can become the Owner', {
      about: 'member',
    });
  }
  const next = withRole(successor, 'Owner', 'Admin');
  await members.handOver(projectId, owner && withRole(owner, 'Admin', 'Owner'), next);
  return changed(wholeView(next), { type: 'owner.transferred', member_id: next.id });
}

function withRole(member: StoredMember, gained: Role, lost: Role): StoredMember {
  return { ...member, roles: inOrder([gained, ...member.roles.filter((role) => role !== lost)]) };
}
