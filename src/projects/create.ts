import { AppError } from '../errors.ts';
import { changed, type NewEvent } from '../events/event.ts';
import type { StoredMember } from '../members/member.ts';
import { write } from '../operation.ts';
import { nextRevision } from '../revision.ts';
import type { UnitOfWork } from '../store.ts';
import { objectionToEmail } from '../values/email.ts';
import { newId } from '../values/identifier.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { type Project, requireId, requireName } from './project.ts';

/** With an Active member if `owner` has an address. Throws `conflict` for a known id, and `invalid`. */
export const createProject = write({
  name: 'createProject',
  scope: null,
  run: async ({ projects, members }, actor, { name, owner }: { name: string; owner?: string | undefined }) => {
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

async function addOwner(members: UnitOfWork['members'], project: Project, email: string): Promise<NewEvent> {
  const objection = objectionToEmail(email);
  if (objection !== undefined) throw new AppError('invalid', `The address of the Owner ${objection}`);
  const member: StoredMember = {
    id: newId(),
    email,
    status: 'Active',
    roles: ['Owner'],
    invited_at: null,
    joined_at: project.created_at,
    revision: nextRevision(),
  };
  await members.save(project.id, [member]);
  return { type: 'member.activated', member_id: member.id };
}
