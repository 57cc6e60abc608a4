import { read } from '../operation.ts';
import { emailLengthMax } from '../values/email.ts';
import { textSchema } from '../values/field.ts';
import { object } from '../values/object-schema.ts';
import { pageProperties, pagesSchema, paginate, perPageMax, rangeOf } from '../values/page.ts';
import {
  type Member,
  memberFields,
  memberIncludes,
  memberSchema,
  memberStatuses,
  roles,
  type StoredMember,
} from './member.ts';

const perPageDefault = 15;

export const listMembers = read({
  name: 'listMembers',
  scope: 'members:read',
  document: {
    tag: 'Members',
    summary: 'List members',
    description:
      'The members of the project of the key, a page at a time: the Owner first, then in the order in which they joined or were invited. Unknown query parameters are ignored. HEAD is answered as well.',
    answer: 'One page of members.',
  },
  input: object(
    {},
    {
      optional: {
        ...pageProperties(perPageDefault, 'Members'),
        status: {
          type: 'string',
          enum: memberStatuses,
          description: 'Only members of this status, in any letter case.',
          examples: ['Active'],
        },
        role: {
          type: 'string',
          enum: roles,
          description: 'Only members who hold this role, in any letter case.',
          examples: ['Owner'],
        },
        email: textSchema(
          emailLengthMax,
          'Only the member of this address, without regard to letter case.',
          'ada@example.com',
        ),
        include: {
          type: 'array',
          items: { type: 'string', enum: memberIncludes },
          minItems: 1,
          maxItems: memberIncludes.length,
          uniqueItems: true,
          description: 'Keys to show beside the three fields, separated by commas or by repeating the parameter.',
          examples: [['id', 'joined_at']],
        },
      },
    },
  ),
  output: object({
    pages: pagesSchema,
    members: { type: 'array', items: memberSchema, maxItems: perPageMax },
  }),
  errors: ['invalid'],
  example: {
    pages: { current_page: 1, last_page: 1, per_page: 15 },
    members: [
      { email: 'ada@example.com', status: 'Active', roles: ['Owner', 'Billing'] },
      { email: 'grace@example.com', status: 'Pending', roles: ['Editor'] },
    ],
  },
  run: async (
    { members },
    { projectId },
    { page = 1, per_page: perPage = perPageDefault, include = [], ...filter },
  ) => {
    const { limit, offset } = rangeOf(page, perPage);
    const found = await members.list(projectId, filter, limit, offset);
    const keys = [...memberFields, ...memberIncludes.filter((one) => include.includes(one))];
    return { pages: paginate(page, perPage, found.total), members: found.members.map((one) => picked(one, keys)) };
  },
});

function picked(member: StoredMember, keys: readonly (keyof StoredMember)[]): Member & Partial<StoredMember> {
  return Object.fromEntries(keys.map((key) => [key, member[key]])) as unknown as StoredMember;
}
