import { read } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { pageProperties, pagesSchema, paginate } from '../values/page.ts';

const perPage = 25;
const { page: pageSchema } = pageProperties(perPage, 'Templates');

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
  input: object({}, { optional: { page: pageSchema } }),
  output: object({ pages: pagesSchema, templates: { type: 'array', items: { type: 'object' }, maxItems: 0 } }),
  errors: ['invalid'],
  example: { pages: paginate(1, perPage, 0), templates: [] as object[] },
  run: async (_reads, _actor, { page = 1 }) => ({ pages: paginate(page, perPage, 0), templates: [] }),
});
