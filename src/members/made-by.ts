import type { Actor } from '../actor.ts';
import { isUsable } from '../api-keys/api-key.ts';
import type { NewEvent } from '../events/event.ts';
import { lockProject } from '../projects/require.ts';
import type { Right } from '../rights.ts';
import { rightsOf } from '../sign-in/session.ts';
import type { UnitOfWork } from '../store.ts';
import { idSchema } from '../values/field.ts';
import { object } from '../values/object-schema.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { hasLostRole, isOwner, type StoredMember } from './member.ts';

/** Ids of the keys and Pending members that end with a member or their roles. */
export interface Beyond {
  keys: string[];
  invitations: string[];
}

export const beyondOptions = {
  keep_keys: {
    type: 'boolean',
    default: false,
    description: 'Keep keys and invitations that exceed the remaining rights.',
    examples: [false],
  },
  dry_run: {
    type: 'boolean',
    default: false,
    description: 'Only name the keys and invitations that would end, and change nothing.',
    examples: [false],
  },
} as const;

export type BeyondOptions = Partial<Record<keyof typeof beyondOptions, boolean>>;

// A limit that no project reaches.
const ids = { type: 'array', items: idSchema, maxItems: 1_000_000 } as const;

export const beyondSchema = object(
  {
    keys: { ...ids, description: 'Ids of keys.' },
    invitations: { ...ids, description: 'Ids of Pending members.' },
  },
  {
    title: 'Revocations',
    description: 'Keys that the change would revoke, and invitations that it would withdraw. Nothing was changed.',
  },
);

/** Finds what a member made beyond `after`, and locks the project. Makers are also ended keys of the member. */
export async function findBeyond(
  { apiKeys, members, projects }: UnitOfWork,
  { projectId }: Actor,
  [before, after]: readonly [before: StoredMember, after: Pick<StoredMember, 'roles'>],
  { keep_keys: isKept }: BeyondOptions = {},
): Promise<Beyond> {
  if (isKept === true || !hasLostRole(before, after)) return { keys: [], invitations: [] };
  await lockProject(projects, projectId);
  const { id: memberId } = before;
  const rights = rightsOf(after);
  const isBeyond = (needed: readonly Right[]) => !needed.every((right) => rights.includes(right));
  const made = (await apiKeys.list(projectId)).filter(({ created_by: maker }) => maker?.id === memberId);
  const makers = [memberId, ...made.map(({ id }) => id)];
  const invited = await members.listInvitedBy(projectId, makers);
  return {
    keys: made.filter((key) => isUsable(key) && isBeyond(key.scopes)).map(({ id }) => id),
    invitations: invited
      .filter((member) => member.id !== memberId && !isOwner(member) && isBeyond(rightsOf(member)))
      .map(({ id }) => id),
  };
}

export async function endBeyond(
  { apiKeys, members }: UnitOfWork,
  { projectId }: Actor,
  { keys, invitations }: Beyond,
): Promise<NewEvent[]> {
  const now = formatTimestamp(new Date());
  for (const id of keys) await apiKeys.revoke(projectId, id, now);
  for (const id of invitations) await members.remove(projectId, id);
  return [
    ...keys.map((id): NewEvent => ({ type: 'key.revoked', key_id: id, changed: ['revoked_at'] })),
    ...invitations.map((id): NewEvent => ({ type: 'member.removed', member_id: id })),
  ];
}
