import type { FastifyInstance } from 'fastify';

import { unknownDetails } from '../../contacts/contact.ts';
import { retrieveContact } from '../../contacts/retrieve.ts';
import type { ContactStore } from '../../contacts/store.ts';
import type { LaneOperation } from '../arrivals/express-lane.ts';
import { callerOf } from '../authentication.ts';
import { Success, success } from '../envelope.ts';
import { failureResponses, withHeaders } from '../openapi/responses.ts';
import { object, type SchemaTypes } from '../openapi/schema.ts';
import { serialize } from '../openapi/serialization.ts';
import { ChatbotId, Contact, ContactId } from './schemas.ts';

const schema = {
  operationId: 'retrieveContact',
  summary: 'Retrieve a contact',
  description:
    'One contact of a chatbot. A contact or chatbot that does not exist and one that belongs to somebody else give the same 404. HEAD is answered as well.',
  tags: ['Contacts'],
  params: object({ chatbotId: ChatbotId, contactId: ContactId }),
  response: {
    200: withHeaders(Success(Contact, 'The contact.'), {
      status: 'success',
      data: {
        id: 'qtr89df0-112d-d197-b541-3f8674663246',
        ...unknownDetails,
        name: 'Ana Lucía Ferreira',
        email: 'ana@example.com',
        phone: '+1 555 0100',
        website: 'https://example.com',
        company: 'Example Ltd',
        created_at: '2024-06-08T13:38:33+00:00',
      },
    }),
    ...failureResponses('not_found'),
  },
};

export function registerRetrieveContact(scope: FastifyInstance, store: ContactStore): void {
  scope
    .withTypeProvider<SchemaTypes>()
    .get(
      '/chatbots/:chatbotId/contacts/:contactId',
      { schema, config: { scope: 'contacts:read' } },
      async (request) => {
        const { chatbotId, contactId } = request.params;
        return success(await retrieveContact(store, callerOf(request), chatbotId, contactId));
      },
    );
}

const render = serialize({ schema: schema.response[200], method: 'GET', url: '' });
const plainUrl = /^\/v2\/chatbots\/([\w-]{1,64})\/contacts\/([\w-]{1,64})$/;

/** For ids of letters, digits, `_` and `-`. */
export function retrieveContactInLane(store: ContactStore): LaneOperation {
  return {
    scope: 'contacts:read',
    route: '/v2/chatbots/:chatbotId/contacts/:contactId',
    read: (url) => plainUrl.exec(url)?.slice(1),
    answer: async (projectId, [chatbotId = '', contactId = '']) =>
      render(success(await retrieveContact(store, { projectId }, chatbotId, contactId))),
  };
}
