import { read } from '../operation.ts';
import { emailLengthMax } from '../values/email.ts';
import { storablePattern } from '../values/field.ts';
import { pageProperties, pagesSchema, paginate, perPageMax, rangeOf } from '../values/page.ts';
import { memberSchema, memberStatuses, roles } from './member.ts';

const perPageDefault = 15;

export const listMembers = read({
  name: 'listMembers',
  scope: 'members:read',
  sameForEveryKey: true,
  document: {
    tag: 'Members',
    summary: 'List members',
    description:
      'The members of the project of the key, a page at a time: the Owner first, then in the order in which they joined or were invited. Unknown query parameters are ignored. HEAD is answered as well.',
    answer: 'One page of members.',
  },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
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
      email: {
        type: 'string',
        minLength: 1,
        maxLength: emailLengthMax,
        pattern: storablePattern,
        description: 'Only the member of this address, without regard to letter case.',
        examples: ['ada@example.com'],
      },
    },
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['pages', 'members'],
    properties: {
      pages: pagesSchema,
      members: { type: 'array', items: memberSchema, maxItems: perPageMax },
    },
  },
  errors: ['invalid'],
  example: {
    pages: { current_page: 1, last_page: 1, per_page: 15 },
    members: [
      { email: 'ada@example.com', status: 'Active', roles: ['Owner', 'Billing'] },
      { email: 'grace@example.com', status: 'Pending', roles: ['Editor'] },
    ],
  },
  run: async ({ members }, { projectId }, { page = 1, per_page: perPage = perPageDefault, ...filter }) => {
    const { limit, offset } = rangeOf(page, perPage);
    const found = await members.list(projectId, filter, limit, offset);
    return { pages: paginate(page, perPage, found.total), members: found.members };
  },
});
