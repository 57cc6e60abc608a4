import type { Actor } from '../actor.ts';
import { AppError, type FieldError } from '../errors.ts';
import type { NewEvent, Written } from '../events/event.ts';
import { memberView, type StoredMember } from '../members/member.ts';
import { lockByEmail, lockOwner } from '../members/require.ts';
import { transferOwnership } from '../members/transfer.ts';
import { write } from '../operation.ts';
import { createProject } from '../projects/create.ts';
import { requireProject } from '../projects/require.ts';
import { nextRevision } from '../revision.ts';
import type { UnitOfWork } from '../store.ts';
import { invalid } from '../validation.ts';
import { objectionToEmail } from '../values/email.ts';
import { newId } from '../values/identifier.ts';
import { formatTimestamp } from '../values/timestamp.ts';

export interface FirstOwner {
  /** Needed where the project has no Owner. */
  email?: string;
  /** Needed where there is no project yet. */
  project_name?: string;
}

/** Makes the Owner, and the project if missing. Throws `invalid` for missing input, `not_found` if there is an Owner. */
export async function makeOwner(unit: UnitOfWork, actor: Actor, given: FirstOwner): Promise<Written<StoredMember>> {
  const { projectId } = actor;
  const owner = await lockOwner(unit, actor);
  if (owner) throw new AppError('not_found', 'This link cannot be used', { about: 'member' });
  const isNew = (await unit.projects.find(projectId)) === undefined;
  const { email, project_name: name } = requireGiven(given, isNew);
  const changes: NewEvent[] = [];
  if (isNew) {
    changes.push(...(await createProject.run(unit, actor, { name, owner: email }, {})).changes);
  } else {
    changes.push(await makeActive(unit, actor, email));
    changes.push(...(await transferOwnership.run(unit, actor, { email }, {})).changes);
  }
  const member = await lockOwner(unit, actor);
  if (!member) throw new Error('the Owner was not stored');
  return { output: member, changes };
}

/** Throws `not_found`, `invalid`, or `owner_protected` if there is an Owner. */
export const appointOwner = write({
  name: 'appointOwner',
  scope: null,
  run: async (unit, actor, { email }: { email: string }) => {
    await requireProject(unit.projects, actor.projectId);
    const owner = await lockOwner(unit, actor);
    if (owner) throw new AppError('owner_protected', 'The project has an Owner already', { about: 'member' });
    const { output, changes } = await makeOwner(unit, actor, { email });
    return { output: memberView(output), changes };
  },
});

function requireGiven({ email, project_name: name }: FirstOwner, isNew: boolean) {
  const errors: FieldError[] = [];
  const missing = (field: string) => errors.push({ field, code: 'required', message: 'is required' });
  if (email === undefined) missing('email');
  else if (objectionToEmail(email) !== undefined) {
    errors.push({ field: 'email', code: 'format', message: 'must be an e-mail address' });
  }
  if (isNew && name === undefined) missing('project_name');
  if (errors.length > 0 || email === undefined) throw invalid(errors);
  return { email, project_name: name ?? '' };
}

async function makeActive(unit: UnitOfWork, actor: Actor, email: string): Promise<NewEvent> {
  const { members } = unit;
  const { projectId } = actor;
  const known = await lockByEmail(unit, actor, email);
  const before = known ?? { id: newId(), email, roles: ['Admin' as const], invited_at: null, joined_at: null };
  const joinedAt = before.joined_at ?? formatTimestamp(new Date());
  const revision = nextRevision(known?.revision);
  await members.save(projectId, [{ ...before, status: 'Active', joined_at: joinedAt, revision }]);
  await members.endInvitations(projectId, [before.id]);
  return { type: 'member.activated', member_id: before.id };
}
