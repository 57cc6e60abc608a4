import type { FastifyInstance } from 'fastify';

import { listMembers } from '../../members/list.ts';
import { memberStatuses, roles } from '../../members/member.ts';
import type { MemberStore } from '../../members/store.ts';
import { emailLengthMax } from '../../values/email.ts';
import { pageMax, perPageDefault, perPageMax } from '../../values/page.ts';
import type { LaneOperation } from '../arrivals/express-lane.ts';
import { callerOf } from '../authentication.ts';
import { Success, success } from '../envelope.ts';
import { failureResponses, withHeaders } from '../openapi/responses.ts';
import { closed, list, object, partial, type SchemaTypes, text } from '../openapi/schema.ts';
import { serialize } from '../openapi/serialization.ts';
import { Member, Pages, wholeNumber, wordOf } from './schemas.ts';

const Query = partial({
  page: wholeNumber(pageMax, 1, 'Page, from 1. Past the end the list is empty.'),
  per_page: wholeNumber(perPageMax, perPageDefault, 'Members on a page.'),
  status: wordOf(memberStatuses, 'Only members of this status.'),
  role: wordOf(roles, 'Only members who hold this role.'),
  email: text({
    minLength: 1,
    maxLength: emailLengthMax,
    pattern: '^[^\\u0000]+$',
    description: 'Only the member of this address, without regard to letter case.',
    'x-expected': `1 to ${emailLengthMax} characters`,
  }),
});

const schema = {
  operationId: 'listMembers',
  summary: 'List members',
  description:
    'The members of the project of the key, a page at a time: the Owner first, then in the order in which they joined or were invited. Unknown query parameters are ignored. HEAD is answered as well.',
  tags: ['Members'],
  querystring: Query,
  response: {
    200: withHeaders(
      Success(
        object({ pages: Pages, members: list(Member, { maxItems: perPageMax }) }, closed),
        'One page of members.',
      ),
      {
        status: 'success',
        data: {
          pages: { current_page: 1, last_page: 1, per_page: 15 },
          members: [
            { email: 'ada@example.com', status: 'Active', roles: ['Owner', 'Billing'] },
            { email: 'grace@example.com', status: 'Pending', roles: ['Editor'] },
          ],
        },
      },
    ),
    ...failureResponses('validation_failed'),
  },
};

export function registerListMembers(scope: FastifyInstance, store: MemberStore): void {
  scope
    .withTypeProvider<SchemaTypes>()
    .get('/members', { schema, config: { scope: 'members:read' } }, async (request) => {
      const { page = 1, per_page: perPage = perPageDefault, ...filter } = request.query;
      return success(await listMembers(store, callerOf(request), filter, { page, perPage }));
    });
}

const render = serialize({ schema: schema.response[200], method: 'GET', url: '' });
const plainUrl = /^\/v2\/members(?:\?page=([1-9]\d{0,8}))?$/;

/** For pages of everybody, of the usual size. */
export function listMembersInLane(store: MemberStore): LaneOperation {
  return {
    scope: 'members:read',
    route: '/v2/members',
    read: (url) => plainUrl.exec(url)?.slice(1),
    answer: async (projectId, [page = '1']) => {
      const asked = { page: Number(page), perPage: perPageDefault };
      return render(success(await listMembers(store, { projectId }, {}, asked)));
    },
  };
}
