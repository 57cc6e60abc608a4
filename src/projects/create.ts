import { AppError } from '../errors.ts';
import { type Change, changed } from '../events/event.ts';
import type { StoredMember } from '../members/member.ts';
import { write } from '../operation.ts';
import { nextRevision } from '../revision.ts';
import type { UnitOfWork } from '../store.ts';
import { objectionToEmail } from '../values/email.ts';
import { newId } from '../values/identifier.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { requireId, requireName } from './project.ts';

export interface NewProject {
  name: string;
  /** The address of its first member, who is Active. */
  owner?: string | undefined;
}

/** Creates the actor's project. Throws `conflict` when its id is taken, `invalid` for a wrong name, id or address. */
export const createProject = write({
  name: 'createProject',
  scope: null,
  run: async ({ projects, members }, actor, { name, owner }: NewProject) => {
    const project = {
      id: requireId(actor.projectId, 'project'),
      name: requireName(name),
      created_at: formatTimestamp(new Date()),
    };
    if (!(await projects.insert(project))) {
      throw new AppError('conflict', 'A project with this id exists already', { about: 'project' });
    }
    const joined = owner === undefined ? [] : [await addOwner(members, project, owner)];
    return changed(project, { type: 'project.created' }, ...joined);
  },
});

async function addOwner(
  members: UnitOfWork['members'],
  { id: projectId, created_at }: { id: string; created_at: string },
  email: string,
): Promise<Change> {
  const objection = objectionToEmail(email);
  if (objection !== undefined) throw new AppError('invalid', `The address of the Owner ${objection}`);
  const member: StoredMember = {
    id: newId(),
    email,
    status: 'Active',
    roles: ['Owner'],
    invited_at: null,
    joined_at: created_at,
    revision: nextRevision(),
  };
  await members.save(projectId, [member]);
  return { type: 'member.activated', member_id: member.id };
}
