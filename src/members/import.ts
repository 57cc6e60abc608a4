import { type NewEvent, unchanged, type Written } from '../events/event.ts';
import type { Batch, Imported } from '../imports.ts';
import { write } from '../operation.ts';
import { nextRevision } from '../revision.ts';
import { sessionsEnded } from '../sign-in/session.ts';
import { newId } from '../values/identifier.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { endBeyond, findBeyond } from './made-by.ts';
import { type MemberDraft, memberKey, planMembers } from './matching.ts';
import { hasLostRole, type Member, type MemberStatus, type StoredMember } from './member.ts';

export const importMembers = write({
  name: 'importMembers',
  scope: 'members:write',
  run: async (
    unit,
    actor,
    batch: Batch<MemberDraft & Partial<StoredMember>, Member>,
  ): Promise<Written<Imported<Member>>> => {
    const { members, projects, signIn } = unit;
    const { projectId } = actor;
    const emails = batch.rows.map(({ draft }) => draft.email);
    const stored = await members.findForWriting(projectId, { emails });
    const byKey = new Map(stored.map((member) => [memberKey(member), member]));
    const seats = await projects.seats(projectId);
    const room = seats ? Math.max(0, seats.max - seats.used) : 0;
    const { imported, changed } = planMembers(batch, stored, room);
    if (batch.isDry) return unchanged(imported);
    const now = formatTimestamp(new Date());
    const saved = changed.map(({ email, status, roles, ...own }): StoredMember => {
      const before = byKey.get(memberKey({ email }));
      const { id = newId(), invited_at = null, joined_at = null, revision } = before ?? own;
      const change = changeOf(before, status);
      return {
        id,
        email,
        status,
        roles,
        invited_at: change === 'member.invited' ? (invited_at ?? now) : invited_at,
        joined_at: change === 'member.activated' ? (own.joined_at ?? now) : joined_at,
        revision: nextRevision(revision),
      };
    });
    await members.save(projectId, saved);
    const ended: NewEvent[] = [];
    for (const member of saved) {
      const before = byKey.get(memberKey(member));
      if (!before || !hasLostRole(before, member)) continue;
      ended.push(...sessionsEnded(member.id, await signIn.endSessions(projectId, member.id)));
      ended.push(...(await endBeyond(unit, actor, await findBeyond(unit, actor, [before, member]))));
    }
    const told = Map.groupBy(saved, (member) => changeOf(byKey.get(memberKey(member)), member.status));
    await members.endInvitations(projectId, idsOf(told.get('member.activated')));
    const changes = importChanges.map((type): NewEvent => ({ type, member_ids: idsOf(told.get(type)) }));
    return { output: imported, changes: [...changes.filter(({ member_ids: ids }) => ids?.length), ...ended] };
  },
});

const importChanges = ['member.invited', 'member.activated', 'member.updated'] as const;

function changeOf(before: Member | undefined, status: MemberStatus): (typeof importChanges)[number] {
  if (before?.status === status) return 'member.updated';
  if (status === 'Active') return 'member.activated';
  return before ? 'member.updated' : 'member.invited';
}

function idsOf(members: readonly StoredMember[] = []): string[] {
  return members.map(({ id }) => id);
}
