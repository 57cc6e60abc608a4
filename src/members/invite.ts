import { covers } from '../actor.ts';
import { AppError } from '../errors.ts';
import { changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { shownById } from '../repeat.ts';
import { nextRevision, revised } from '../revision.ts';
import { emailLengthMax } from '../values/email.ts';
import { newId } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { requireMayGive, requireStill } from './giving.ts';
import { exampleLink, expirySchema, invitationSchema, type Link, makeLink, requireExpiry } from './invitation.ts';
import {
  exampleMember,
  givenRolesSchema,
  memberIdSchema,
  memberView,
  requireNotOwner,
  rolesInOrder,
  type StoredMember,
  touchedMember,
  wholeMemberSchema,
} from './member.ts';
import { lockByEmail, lockMember } from './require.ts';

type Invited = ReturnType<typeof memberView> & { invitation: Link | null };

export const inviteMember = write({
  name: 'inviteMember',
  scope: 'members:write',
  document: {
    tag: 'Members',
    summary: 'Invite a member',
    description:
      'Adds a Pending member and makes the link by which the invited person joins. Roster sends no e-mail: pass the link on yourself. It is shown only in this answer. A key can give a role only if it has the scopes of that role; otherwise 403 names the missing scopes.',
    answer: 'The member, with the link.',
  },
  input: object(
    {
      email: {
        type: 'string',
        format: 'email',
        minLength: 1,
        maxLength: emailLengthMax,
        description: 'Unique in the project without regard to letter case.',
        examples: ['heidi@example.com'],
      },
      roles: givenRolesSchema,
    },
    { optional: { expires_in: expirySchema } },
  ),
  check: (input) => void requireExpiry(input),
  output: object(
    { ...wholeMemberSchema.properties, invitation: invitationSchema },
    { title: 'InvitedMember', description: 'A member, with the link of the invitation.' },
  ),
  errors: ['conflict', 'seats_exhausted'],
  example: { ...memberView(exampleMember), invitation: exampleLink },
  repeat: shownById(
    ({ members }) => members,
    (member): Invited => ({ ...memberView(member), invitation: null }),
  ),
  run: async (unit, actor, input, { publicUrl = '' }) => {
    const { members, projects } = unit;
    const { projectId } = actor;
    const { email } = input;
    requireMayGive(actor, input.roles);
    const same = await lockByEmail(unit, actor, email);
    await requireStill(unit, actor, 'members:write');
    if (same) {
      throw new AppError('conflict', 'There is a member with this address', { about: 'member', existing: [same.id] });
    }
    const seats = await projects.seats(projectId);
    if (seats && seats.used >= seats.max) {
      const message = `The project has ${seats.max} seats, and all are taken`;
      throw new AppError('seats_exhausted', message, { about: 'project' });
    }
    const now = formatTimestamp(new Date());
    const roles = rolesInOrder(input.roles);
    const id = newId();
    const revision = nextRevision();
    const member: StoredMember = { id, email, status: 'Pending', roles, invited_at: now, joined_at: null, revision };
    await members.save(projectId, [member]);
    const invitation = await makeLink(members, actor, member, { seconds: requireExpiry(input), publicUrl });
    const output: Invited = { ...memberView(member), invitation };
    return changed(revised(output, member), { type: 'member.invited', member_id: member.id });
  },
});

const noLink: { invitation: Link | null } = { invitation: null };

export const reinviteMember = write({
  name: 'reinviteMember',
  scope: 'members:write',
  document: {
    tag: 'Members',
    summary: 'Make a new link for a Pending member',
    description:
      'The earlier link stops working. Members who were imported as Pending can get one, too. A key needs the scopes of their roles, as for an invitation.',
    answer: 'The link.',
  },
  input: object({ memberId: memberIdSchema }, { optional: { expires_in: expirySchema } }),
  check: (input) => void requireExpiry(input),
  output: object({ invitation: invitationSchema }),
  errors: ['not_found', 'conflict', 'owner_protected', 'precondition_failed'],
  example: { invitation: exampleLink },
  repeat: {
    keep: () => ({}),
    render: async ({ members }, { projectId }, _kept, { memberId }) => {
      const member = await members.find(projectId, memberId);
      return member ? revised(noLink, member) : noLink;
    },
  },
  current: async (unit, actor, { memberId }) => (await lockMember(unit, actor, memberId)).revision,
  run: async (unit, actor, input, { publicUrl = '' }) => {
    const { projectId, scopes } = actor;
    const before = await lockMember(unit, actor, input.memberId);
    requireMayGive(actor, before.roles);
    await requireStill(unit, actor, 'members:write');
    if (before.status === 'Active') {
      throw new AppError('conflict', 'This member is Active already', { about: 'member', existing: [before.id] });
    }
    // The Owner's link makes its holder the Owner.
    if (!covers(scopes, 'ownership')) requireNotOwner(before);
    const member = touchedMember({ ...before, invited_at: formatTimestamp(new Date()) });
    await unit.members.save(projectId, [member]);
    const given = { seconds: requireExpiry(input), publicUrl };
    const made: typeof noLink = { invitation: await makeLink(unit.members, actor, member, given) };
    return changed(revised(made, member), { type: 'member.invited', member_id: member.id });
  },
});
