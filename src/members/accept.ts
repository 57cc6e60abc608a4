import { requireFound } from '../errors.ts';
import { changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { requireProject } from '../projects/require.ts';
import { textSchema } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { hashSecret } from '../values/secret.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { memberSchema, touchedMember } from './member.ts';
import { lockMember } from './require.ts';

/** Run by the invited person: the actor is the member whom the token names. */
export const acceptInvitation = write({
  name: 'acceptInvitation',
  scope: 'invitation',
  document: {
    tag: 'Members',
    summary: 'Accept an invitation',
    description:
      'Makes the invited person an Active member, once. The token is the part of the link after `#`. An unknown, used, expired or withdrawn token always gets the same 404, and counts like a refused key.',
    answer: 'The project, and the address of the member.',
  },
  input: object({
    token: textSchema(256, 'The part of the link after `#`.', '0123456789ABCDEFGHIJKLMNOPQRST'),
  }),
  output: object(
    {
      project: object({ id: textSchema(idLengthMax, 'Opaque.'), name: textSchema(255, 'For people.') }),
      email: memberSchema.properties.email,
    },
    { title: 'AcceptedInvitation', description: 'The project that the person joined.' },
  ),
  errors: ['not_found'],
  example: { project: { id: 'acme', name: 'Example Ltd' }, email: 'grace@example.com' },
  run: async (unit, actor, { token }) => {
    const { members, projects } = unit;
    const { projectId, id: memberId } = actor;
    const member = await lockMember(unit, actor, memberId);
    // Asked again under the lock: somebody else may have used, replaced or withdrawn it.
    const invitation = await members.findInvitation(hashSecret(token));
    requireFound(invitation?.member_id === memberId && member.status === 'Pending' ? member : undefined, 'member');
    await members.endInvitations(projectId, [memberId]);
    await members.save(projectId, [
      touchedMember({ ...member, status: 'Active', joined_at: formatTimestamp(new Date()) }),
    ]);
    const { id, name } = await requireProject(projects, projectId);
    return changed({ project: { id, name }, email: member.email }, { type: 'member.activated', member_id: memberId });
  },
});
