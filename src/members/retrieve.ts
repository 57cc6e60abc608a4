import { requireFound } from '../errors.ts';
import { read } from '../operation.ts';
import { revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { exampleMember, memberIdSchema, wholeMemberSchema, memberView } from './member.ts';

export const retrieveMember = read({
  name: 'retrieveMember',
  scope: 'members:read',
  document: {
    tag: 'Members',
    summary: 'Retrieve a member',
    description: 'One member by id, with all that is known. HEAD is answered as well.',
    answer: 'The member.',
  },
  input: object({ memberId: memberIdSchema }),
  output: wholeMemberSchema,
  errors: ['not_found'],
  example: memberView(exampleMember),
  run: async ({ members }, { projectId }, { memberId }) => {
    const member = requireFound(await members.find(projectId, memberId), 'member');
    return revised(memberView(member), member);
  },
});
