import { read } from '../operation.ts';
import { revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { chatbotIdSchema, chatbotIncludeSchema, chatbotSchema, chatbotView, exampleChatbot } from './chatbot.ts';
import { requireChatbot } from './require.ts';

export const retrieveChatbot = read({
  name: 'retrieveChatbot',
  scope: 'chatbots:read',
  document: {
    tag: 'Chatbots',
    summary: 'Retrieve a chatbot',
    description: 'One chatbot. One that does not exist and one of another project give the same 404.',
    answer: 'The chatbot.',
  },
  input: object({ chatbotId: chatbotIdSchema }, { optional: { include: chatbotIncludeSchema } }),
  output: chatbotSchema,
  errors: ['not_found'],
  example: exampleChatbot,
  run: async ({ chatbots }, { projectId }, { chatbotId, include }) => {
    const chatbot = await requireChatbot(chatbots, projectId, chatbotId);
    return revised(chatbotView(chatbot, include), chatbot);
  },
});
