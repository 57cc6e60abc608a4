import { read } from '../operation.ts';
import { requireProject } from '../projects/project.ts';
import { pageProperties, pagesSchema, paginate, perPageMax, rangeOf } from '../values/page.ts';
import { chatbotSchema, exampleChatbot, viewOf } from './chatbot.ts';

const perPageDefault = 25;

export const listChatbots = read({
  name: 'listChatbots',
  scope: 'chatbots:read',
  sameForEveryKey: true,
  document: {
    tag: 'Chatbots',
    summary: 'List chatbots',
    description: 'The chatbots of the project, a page at a time, newest first.',
    answer: 'One page of chatbots.',
  },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: pageProperties(perPageDefault, 'Chatbots'),
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['pages', 'chatbots'],
    properties: {
      pages: pagesSchema,
      chatbots: { type: 'array', items: chatbotSchema, maxItems: perPageMax },
    },
  },
  errors: ['invalid'],
  example: { pages: { current_page: 1, last_page: 1, per_page: perPageDefault }, chatbots: [exampleChatbot] },
  run: async ({ chatbots }, { projectId }, { page = 1, per_page: perPage = perPageDefault }) => {
    const found = await chatbots.page(projectId, rangeOf(page, perPage));
    return { pages: paginate(page, perPage, found.total), chatbots: found.chatbots.map(viewOf) };
  },
});

/** All chatbots of the project, oldest first. Throws `not_found`. */
export const listAllChatbots = read({
  name: 'listAllChatbots',
  scope: 'chatbots:read',
  run: async ({ chatbots, projects }, { projectId }) => {
    await requireProject(projects, projectId);
    return chatbots.list(projectId);
  },
});
