import { read } from '../operation.ts';
import { requireProject } from '../projects/require.ts';
import { cursorSchema, requireOneWay, timeAndId, walkThrough } from '../values/cursor.ts';
import { object } from '../values/object-schema.ts';
import { listSchema, pageProperties, pagesSchema, paginate, rangeOf } from '../values/page.ts';
import { chatbotIncludeSchema, chatbotSchema, chatbotView, exampleChatbot } from './chatbot.ts';

const perPageDefault = 25;

export const listChatbots = read({
  name: 'listChatbots',
  scope: 'chatbots:read',
  document: {
    tag: 'Chatbots',
    summary: 'List chatbots',
    description:
      'The chatbots of the project, newest first: a page at a time, or from cursor to cursor, which meets every chatbot that is there throughout exactly once.',
    answer:
      'One page of chatbots. `next_cursor` takes the place of `pages` where a cursor was given; it is null at the end.',
  },
  input: object(
    {},
    {
      optional: {
        ...pageProperties(perPageDefault, 'Chatbots'),
        cursor: cursorSchema,
        include: chatbotIncludeSchema,
      },
    },
  ),
  check: requireOneWay,
  output: listSchema('chatbots', chatbotSchema),
  errors: ['invalid'],
  example: { pages: { current_page: 1, last_page: 1, per_page: perPageDefault }, chatbots: [exampleChatbot] },
  run: async (
    { chatbots },
    { projectId },
    { page = 1, per_page: perPage = perPageDefault, cursor, include },
  ): Promise<object> => {
    if (cursor !== undefined) {
      const { rows, next_cursor } = await walkThrough(['chatbots', projectId], cursor, timeAndId).take(
        perPage,
        (position, limit) => chatbots.after(projectId, position, limit),
        ({ created_at, id }) => [created_at, id],
      );
      return { next_cursor, chatbots: rows.map((one) => chatbotView(one, include)) };
    }
    const found = await chatbots.page(projectId, rangeOf(page, perPage));
    const shown = found.chatbots.map((one) => chatbotView(one, include));
    return { pages: paginate(page, perPage, found.total), chatbots: shown };
  },
});

export const listAllChatbots = read({
  name: 'listAllChatbots',
  scope: 'chatbots:read',
  input: object({}, { optional: { include: chatbotIncludeSchema } }),
  run: async ({ chatbots, projects }, { projectId }, { include }) => {
    await requireProject(projects, projectId);
    return (await chatbots.list(projectId)).map((one) => chatbotView(one, include));
  },
});

/** Always empty: connectors that are written for Chatling load this list before they create a chatbot. */
export const listChatbotTemplates = read({
  name: 'listChatbotTemplates',
  scope: 'chatbots:read',
  document: {
    tag: 'Chatbots',
    summary: 'List templates',
    description:
      'Always an empty list: Roster has no chatbot templates, but connectors for Chatling load this list for their menus.',
    answer: 'An empty list.',
  },
  input: object({}, { optional: { page: pageProperties(perPageDefault, 'Templates').page } }),
  output: object({ pages: pagesSchema, templates: { type: 'array', items: { type: 'object' }, maxItems: 0 } }),
  errors: ['invalid'],
  example: { pages: paginate(1, perPageDefault, 0), templates: [] as object[] },
  run: async (_reads, _actor, { page = 1 }) => ({ pages: paginate(page, perPageDefault, 0), templates: [] }),
});
