import { operator } from '../actor.ts';
import type { Link } from '../members/invitation.ts';
import { isOwner, type StoredMember } from '../members/member.ts';
import { run } from '../operation.ts';
import { createSetupLink } from '../sign-in/link.ts';
import type { Store } from '../store.ts';
import { newId } from '../values/identifier.ts';

/** The link of the first run, for the oldest project whose Owner cannot sign in; for a new one where there is none. */
export async function setupLink(store: Store, publicUrl: string): Promise<Link | undefined> {
  const projects = await store.projects.list();
  const id = projects.length === 0 ? newId() : await waitingProject(store);
  return id === undefined ? undefined : setupLinkOf(store, id, publicUrl);
}

export async function waitingProject(store: Store): Promise<string | undefined> {
  for (const { id } of await store.projects.list()) if (await waits(store, id, await ownerOf(store, id))) return id;
  return undefined;
}

/** Makes a set-up link for this project. Undefined if its Owner can sign in or has a Pending invitation. */
export async function setupLinkOf(store: Store, projectId: string, publicUrl: string): Promise<Link | undefined> {
  const owner = await ownerOf(store, projectId);
  if (!(await waits(store, projectId, owner))) return undefined;
  const input = { memberId: owner?.id ?? null };
  return (await run(createSetupLink, store, operator(projectId), input, { publicUrl })).output;
}

export async function ownerOf({ members }: Store, projectId: string): Promise<StoredMember | undefined> {
  const { members: found } = await members.list(projectId, { role: 'Owner' }, 1, 0);
  return found.find(isOwner);
}

async function waits(store: Store, projectId: string, owner: StoredMember | undefined): Promise<boolean> {
  return !owner || (owner.status === 'Active' && !(await canSignIn(store, projectId, owner.id)));
}

async function canSignIn({ signIn }: Store, projectId: string, memberId: string): Promise<boolean> {
  const passkeys = await signIn.listPasskeys(projectId, memberId);
  return passkeys.length > 0 || (await signIn.listSessions(projectId, memberId)).length > 0;
}
