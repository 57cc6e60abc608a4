import { operator } from '../actor.ts';
import { mirrored } from '../imports.ts';
import { importMembers } from '../members/import.ts';
import { memberKey, memberReader } from '../members/matching.ts';
import { isOwner, type Member, type StoredMember } from '../members/member.ts';
import { removeMember } from '../members/remove.ts';
import { transferOwnership } from '../members/transfer.ts';
import { run } from '../operation.ts';
import { isId } from '../values/identifier.ts';
import type { ImportContext } from './context.ts';
import { type Raw, readTime } from './reading.ts';
import type { Source } from './source.ts';

type SourceMember = Member & Partial<StoredMember>;

export async function readMembers(source: Source): Promise<{ members: SourceMember[]; unusable: [Raw, string][] }> {
  const members: SourceMember[] = [];
  const unusable: [Raw, string][] = [];
  for (const raw of await source.members()) {
    const read = readMember(raw);
    if ('objections' in read) unusable.push([raw, read.objections.join('; ')]);
    else members.push(read);
  }
  return { members, unusable };
}

function readMember({ email, status, roles, id, invited_at, joined_at }: Raw): SourceMember | { objections: string[] } {
  const texts = {
    ...(typeof email === 'string' && { email: email.trim() }),
    ...(typeof status === 'string' && { status }),
    ...(Array.isArray(roles) && { roles: roles.map(String).join() }),
  };
  const draft = memberReader.draft({ texts });
  if ('objections' in draft) return draft;
  const times = { invited_at: readTime(invited_at).at ?? null, joined_at: readTime(joined_at).at ?? null };
  return { status: 'Pending', ...draft, ...times, ...(typeof id === 'string' && isId(id) && { id }) };
}

export async function importMembersOf(context: ImportContext): Promise<void> {
  const { source, store, projectId, isDryRun, isReconciling, report, onRejected } = context;
  const { members, unusable } = await readMembers(source);
  const actor = operator(projectId);
  if (!isDryRun) await followOwner(context, members);
  const { output } = await run(importMembers, store, actor, { ...mirrored(members), isDry: isDryRun });
  const { members: counts } = report;
  const reject = (raw: Raw, reason: string) => {
    counts.rejected++;
    onRejected(raw, reason, {});
  };
  counts.read = members.length + unusable.length;
  for (const [raw, reason] of unusable) reject(raw, reason);
  for (const [at, outcome] of output.outcomes.entries()) {
    if (typeof outcome === 'object') reject({ ...members[at] }, outcome.refused);
    else if (outcome !== 'duplicate') counts[outcome]++;
  }
  if (isReconciling) await removeOthers(context, members, unusable);
}

/** Transfers ownership as the source did. An Owner missing at the source keeps the role. */
async function followOwner({ store, projectId }: ImportContext, members: readonly SourceMember[]): Promise<void> {
  const [owner] = (await store.members.list(projectId, { role: 'Owner' }, 1, 0)).members;
  const next = members.find(isOwner);
  if (!owner || !next || next.status !== 'Active' || memberKey(owner) === memberKey(next)) return;
  if (!members.some((member) => memberKey(member) === memberKey(owner))) return;
  const others = next.roles.filter((role) => role !== 'Owner');
  const asMember = { ...next, roles: others.length > 0 ? others : ['Viewer' as const] };
  const actor = operator(projectId);
  await run(importMembers, store, actor, mirrored([asMember]));
  await run(transferOwnership, store, actor, { email: next.email });
}

async function removeOthers(
  { store, projectId, isDryRun, report, onNote }: ImportContext,
  members: readonly SourceMember[],
  unusable: readonly [Raw, string][],
): Promise<void> {
  const kept = new Set(members.map(memberKey));
  // An unreadable member may be any of these, so remove none.
  if (unusable.length > 0) {
    onNote('Roster cannot read a member of the source, so it removes none; correct that member there.');
    return;
  }
  for (const { id, ...member } of await wholeMembers(store, projectId)) {
    if (kept.has(memberKey(member)) || isOwner(member)) continue;
    if (!isDryRun) await run(removeMember, store, operator(projectId), { memberId: id });
    report.members.removed++;
  }
}

const membersAtOnce = 1_000;

export async function wholeMembers(store: ImportContext['store'], projectId: string): Promise<StoredMember[]> {
  const all: StoredMember[] = [];
  for (;;) {
    const { members } = await store.members.list(projectId, {}, membersAtOnce, all.length);
    all.push(...members);
    if (members.length < membersAtOnce) return all;
  }
}
