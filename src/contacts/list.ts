import { requireScope } from '../actor.ts';
import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { requireChatbot } from '../chatbots/require.ts';
import { AppError } from '../errors.ts';
import { read } from '../operation.ts';
import { invalid } from '../validation.ts';
import { cursorSchema, requireOneWay, timeAndId, walkThrough } from '../values/cursor.ts';
import { object } from '../values/object-schema.ts';
import { listSchema, pageProperties, paginate } from '../values/page.ts';
import { type ContactList, type ListedContact, positionIn } from './store.ts';
import { contactSchema, exampleView, includeSchema, viewOf } from './view.ts';

const perPageDefault = 25;
const sorts = { date_desc: 'newest', date_asc: 'oldest' } as const;

export const listContacts = read({
  name: 'listContacts',
  scope: 'contacts:read',
  document: {
    tag: 'Contacts',
    summary: 'List contacts',
    description:
      'The contacts of a chatbot, newest first: a page at a time, or from cursor to cursor, which meets everybody who is there throughout exactly once, whatever changes meanwhile. `state=deleted` lists the bin, newest deletion first, and needs `contacts:write` besides.',
    answer:
      'One page of contacts. `next_cursor` takes the place of `pages` where a cursor was given; it is null at the end.',
  },
  input: object(
    { chatbotId: chatbotIdSchema },
    {
      optional: {
        ...pageProperties(perPageDefault, 'Contacts'),
        sort: {
          type: 'string',
          enum: ['date_desc', 'date_asc'],
          default: 'date_desc',
          description: 'By `created_at`, then by id in the same direction.',
          examples: ['date_desc'],
        },
        cursor: cursorSchema,
        state: {
          type: 'string',
          enum: ['active', 'deleted'],
          default: 'active',
          description: 'Contacts that are there, or those in the bin.',
          examples: ['active'],
        },
        include: includeSchema,
      },
    },
  ),
  check: (input) => {
    requireOneWay(input);
    if (input.state === 'deleted' && input.sort !== undefined) {
      throw invalid([{ field: 'sort', code: 'not_allowed', message: 'cannot be chosen in the bin' }]);
    }
  },
  output: listSchema('contacts', contactSchema),
  errors: ['invalid', 'not_found'],
  example: {
    pages: { current_page: 1, last_page: 1, per_page: perPageDefault },
    contacts: [exampleView],
  },
  run: async ({ chatbots, contacts }, actor, input) => {
    const { projectId } = actor;
    const { chatbotId, page = 1, per_page: perPage = perPageDefault, sort = 'date_desc', cursor, include } = input;
    const list: ContactList = input.state === 'deleted' ? 'deleted' : sorts[sort];
    if (list === 'deleted') requireScope(actor, 'contacts:write');
    const walk =
      cursor === undefined ? undefined : walkThrough(['contacts', projectId, chatbotId, list], cursor, timeAndId);
    const as = { list, isWhole: include !== undefined };
    const isPlain = list !== 'deleted' && include === undefined;
    const show = (found: ListedContact[]) => (isPlain ? found : found.map((one) => viewOf(one, include)));
    if (walk) {
      await requireChatbot(chatbots, projectId, chatbotId);
      const { rows, next_cursor } = await walk.take(
        perPage,
        (position, limit) => contacts.after(projectId, chatbotId, as, position, limit),
        (contact) => positionIn(list, contact),
      );
      return { next_cursor, contacts: show(rows) };
    }
    const found = await contacts.page(projectId, chatbotId, as, page, perPage);
    if (!found) throw new AppError('not_found', 'Not found', { about: 'chatbot' });
    return { pages: paginate(page, perPage, found.total), contacts: show(found.contacts) };
  },
});
