import { type ChatbotView, viewOf } from '../chatbots/chatbot.ts';
import { createChatbot, takeOverChatbot } from '../chatbots/create.ts';
import { listAllChatbots } from '../chatbots/list.ts';
import { retrieveChatbot } from '../chatbots/retrieve.ts';
import { updateChatbot } from '../chatbots/update.ts';
import { forGood } from './confirm.ts';
import { deleteChatbotInSteps } from './contacts/delete-in-steps.ts';
import { printResult, UsageError } from './output.ts';
import { command, group, option, required } from './parts.ts';
import { at, inProject, theChatbot } from './places.ts';
import { plain } from './plain.ts';
import { table } from './table.ts';

const create = command<{ project: string; name: string; id?: string }>('create', {
  says: 'create a chatbot',
  examples: [
    'roster chatbots create --project acme --name "Front desk"',
    'roster chatbots create --project acme --name "Front desk" --id 8839210412',
  ],
  place: inProject,
  options: [
    required('--name <name>', 'what people call it'),
    option('--id <id>', 'an id taken over from elsewhere (1 to 64 characters)'),
  ],
  act: async (given) => {
    const { project, name, id } = given;
    const made = await at(inProject, given, async ({ ask }) =>
      id === undefined ? ask(createChatbot, { name }) : viewOf(await ask(takeOverChatbot, { name, id })),
    );
    printResult(withProject(made, project), given);
  },
});

const list = plain('list', listAllChatbots, inProject, {
  says: 'list the chatbots of a project',
  examples: ['roster chatbots list --project acme', 'roster chatbots list --project acme --json'],
  result: (all) => all.map((one) => withProject(viewOf(one), one.project_id)),
  text: (all) => table(all.map(viewOf), ['id', 'name', 'visibility', 'created_at']),
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
  input: (_, { name, visibility }) => {
    if (name !== undefined || visibility !== undefined) return {};
    throw new UsageError('Nothing is to be changed; give --name or --visibility.');
  },
});

const remove = command<{ chatbotId: string; project?: string; yes?: boolean }>('delete', {
  says: 'delete a chatbot and its contacts for good',
  examples: ['roster chatbots delete 8839210412', 'roster chatbots delete 8839210412 --yes --json'],
  place: theChatbot,
  options: [option('--yes', 'do not ask for its id')],
  act: (given) =>
    at(theChatbot, given, async ({ store, config, projectId, input: { chatbotId: id }, name }) => {
      const noun = `chatbot "${name}" and its contacts`;
      await forGood({ store, config, noun, id, given }, async (onStep) => ({
        id,
        name,
        contacts: await deleteChatbotInSteps(store, projectId, id, onStep),
      }));
    }),
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
