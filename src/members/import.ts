import { type Change, type Written } from '../events/event.ts';
import type { Stored } from '../imports.ts';
import { write } from '../operation.ts';
import { nextRevision } from '../revision.ts';
import { newId } from '../values/identifier.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { endBeyond, findBeyond } from './made-by.ts';
import { memberKey, ownerKey } from './matching.ts';
import { hasLostRole, isOwner, type Member, type StoredMember } from './member.ts';

export interface MemberBatch {
  emails: readonly string[];
  /** Chooses the members to store once those with these addresses, and the Owner, are found; `room` of them may be new. */
  decide: (stored: Stored<Member>, room: number) => readonly (Member & Partial<StoredMember>)[];
}

/** Stores one batch of an import: one transaction, and one event for each kind of change in it. */
export const importMembers = write({
  name: 'importMembers',
  scope: 'members:write',
  run: async (unit, actor, { emails, decide }: MemberBatch): Promise<Written<void>> => {
    const { members, projects, signIn } = unit;
    const { projectId } = actor;
    const stored = await members.findForWriting(projectId, { emails });
    const byKey = new Map(stored.map((member) => [memberKey(member), member]));
    const owner = stored.find(isOwner);
    if (owner) byKey.set(ownerKey, owner);
    const seats = await projects.seats(projectId);
    const room = seats ? Math.max(0, seats.max - seats.used) : 0;
    const chosen = decide((key) => [byKey.get(key) ?? []].flat(), room);
    const now = formatTimestamp(new Date());
    const saved = chosen.map(({ email, status, roles, ...own }): StoredMember => {
      const before = byKey.get(memberKey({ email }));
      const { id = newId(), invited_at = null, joined_at = null, revision } = before ?? own;
      const [wasPending, isPending] = [before?.status === 'Pending', status === 'Pending'];
      return {
        id,
        email,
        status,
        roles,
        invited_at: isPending && !before ? (invited_at ?? now) : invited_at,
        revision: nextRevision(revision),
        joined_at: !isPending && (!before || wasPending) ? (own.joined_at ?? now) : joined_at,
      };
    });
    await members.save(projectId, saved);
    const ended: Change[] = [];
    for (const member of saved) {
      const before = byKey.get(memberKey(member));
      if (!before || !hasLostRole(before, member)) continue;
      await signIn.endSessions(projectId, member.id);
      ended.push(...(await endBeyond(unit, actor, await findBeyond(unit, actor, [before, member]))));
    }
    const isNew = (member: Member) => !byKey.has(memberKey(member));
    const invited = saved.filter((member) => isNew(member) && member.status === 'Pending');
    const joined = saved.filter((member) => isNew(member) && member.status === 'Active');
    const activated = saved.filter(
      (member) => member.status === 'Active' && byKey.get(memberKey(member))?.status === 'Pending',
    );
    if (activated.length > 0) await members.endInvitations(projectId, idsOf(activated));
    const others = saved.filter((member) => !isNew(member) && !activated.includes(member));
    return {
      output: undefined,
      changes: [
        ...changeOf('member.invited', invited),
        ...changeOf('member.activated', [...joined, ...activated]),
        ...changeOf('member.updated', others),
        ...ended,
      ],
    };
  },
});

function changeOf(type: Change['type'], members: readonly StoredMember[]): Change[] {
  return members.length === 0 ? [] : [{ type, member_ids: idsOf(members) }];
}

function idsOf(members: readonly StoredMember[]): string[] {
  return members.map(({ id }) => id);
}
