import type { Actor } from '../actor.ts';
import { requireFound } from '../errors.ts';
import { revised } from '../revision.ts';
import type { Reads, UnitOfWork } from '../store.ts';
import { emailKey } from '../values/email.ts';
import { isOwner, memberView } from './member.ts';

export async function memberNow({ members }: Reads, { projectId }: Actor, memberId: string) {
  const member = await members.find(projectId, memberId);
  return member ? revised(memberView(member), member) : null;
}

export async function lockOwner({ members }: UnitOfWork, { projectId }: Actor) {
  return (await members.findForWriting(projectId, {})).find(isOwner);
}

export async function lockByEmail({ members }: UnitOfWork, { projectId }: Actor, email: string) {
  const found = await members.findForWriting(projectId, { emails: [email] });
  return found.find((one) => emailKey(one.email) === emailKey(email));
}

export async function lockMember({ members }: UnitOfWork, { projectId }: Actor, memberId: string) {
  const found = await members.findForWriting(projectId, { ids: [memberId] });
  const member = found.find(({ id }) => id === memberId);
  return requireFound(member, 'member');
}
