import { chatbotIncludes, type ChatbotView, chatbotView } from '../chatbots/chatbot.ts';
import { createChatbot, takeOverChatbot } from '../chatbots/create.ts';
import { listAllChatbots } from '../chatbots/list.ts';
import { retrieveChatbot } from '../chatbots/retrieve.ts';
import { updateChatbot } from '../chatbots/update.ts';
import { forGood, yesOption } from './confirm.ts';
import { deleteChatbotInSteps } from './contacts/delete-in-steps.ts';
import { printResult } from './output.ts';
import { type Flags, group, option, required } from './parts.ts';
import { inProject, type InProject, theChatbot } from './places.ts';
import { placed, plain } from './plain.ts';
import { table } from './table.ts';
import { includedOf } from './taking.ts';

const create = placed('create', inProject, {
  says: 'create a chatbot',
  examples: [
    'roster chatbots create --project acme --name "Front desk"',
    'roster chatbots create --project acme --name "Front desk" --id 8839210412',
  ],
  options: [
    required('--name <name>', 'what people call it'),
    option('--id <id>', 'an id taken over from elsewhere (1 to 64 characters)'),
  ],
  act: async ({ ask, projectId }, given: Flags<InProject & { name: string; id?: string }>) => {
    const { name, id } = given;
    const made =
      id === undefined ? await ask(createChatbot, { name }) : chatbotView(await ask(takeOverChatbot, { name, id }));
    printResult(withProject(made, projectId), given);
  },
});

const list = plain('list', listAllChatbots, inProject, {
  says: 'list the chatbots of a project',
  examples: [
    'roster chatbots list --project acme',
    'roster chatbots list --project acme --json --include contact_count',
  ],
  takes: { include: 'what else to show (default: all; none with --json)' },
  input: includedOf(chatbotIncludes),
  result: (all, { project }) => all.map((one) => withProject(one, project)),
  text: (all) => table(all, ['id', 'name', 'visibility', 'created_at', 'contact_count']),
});

const show = plain('show', retrieveChatbot, theChatbot, {
  says: 'show a chatbot',
  examples: ['roster chatbots show 8839210412', 'roster chatbots show 8839210412 --project acme --json'],
});

const update = plain('update', updateChatbot, theChatbot, {
  says: 'change the name or the visibility of a chatbot',
  examples: [
    'roster chatbots update 8839210412 --name "Front desk"',
    'roster chatbots update 8839210412 --visibility public',
  ],
  takes: { name: 'what people call it', visibility: 'who may see it' },
  changes: true,
});

const remove = placed('delete', theChatbot, {
  says: 'delete a chatbot and its contacts for good',
  examples: ['roster chatbots delete 8839210412', 'roster chatbots delete 8839210412 --yes --json'],
  options: [yesOption],
  act: async (here, given) => {
    const { store, projectId, input, name } = here;
    const id = input.chatbotId;
    await forGood(here, `chatbot "${name}" and its contacts`, id, given, async (onStep) => {
      return { id, name, contacts: await deleteChatbotInSteps(store, projectId, id, onStep) };
    });
  },
});

export const chatbotsCommand = group(
  'chatbots',
  'create, list, show, change and delete chatbots',
  ['roster chatbots create --project acme --name "Front desk"', 'roster chatbots list --project acme'],
  [create, list, show, update, remove],
);

function withProject({ id, name, created_at, ...more }: ChatbotView, projectId: string) {
  return { id, name, project_id: projectId, created_at, ...more };
}
