import { type Command, Option } from 'commander';

import { operator } from '../actor.ts';
import { type ChatbotView, locateChatbot, viewOf, visibilities, type Visibility } from '../chatbots/chatbot.ts';
import { createChatbot, takeOverChatbot } from '../chatbots/create.ts';
import { listAllChatbots } from '../chatbots/list.ts';
import { retrieveChatbot } from '../chatbots/retrieve.ts';
import { updateChatbot } from '../chatbots/update.ts';
import { type Operation, run } from '../operation.ts';
import { confirmForGood } from './confirm.ts';
import { deleteChatbotInSteps, untilStopped } from './contacts/delete-in-steps.ts';
import { runOnStore, withStore } from './open.ts';
import { listing, printResult, UsageError } from './output.ts';
import { describe, type Flags, jsonOption, projectOption } from './parts.ts';
import { table } from './table.ts';
import { noteCopies } from './upkeep/copies.ts';
import { mergeIndexBriefly } from './upkeep/merge-index.ts';

export function chatbotsCommand(parent: Command): void {
  const chatbots = describe(parent.command('chatbots'), 'create, list, show, change and delete chatbots', [
    'roster chatbots create --project acme --name "Front desk"',
    'roster chatbots list --project acme',
  ]);

  describe(chatbots.command('create'), 'create a chatbot', [
    'roster chatbots create --project acme --name "Front desk"',
    'roster chatbots create --project acme --name "Front desk" --id 8839210412',
  ])
    .addOption(projectOption())
    .requiredOption('--name <name>', 'what people call it')
    .option('--id <id>', 'an id taken over from elsewhere (1 to 64 characters)')
    .addOption(jsonOption())
    .action(async (flags: Flags<{ project: string; name: string; id?: string }>) => {
      const { project, name, id } = flags;
      const made =
        id === undefined
          ? await runOnStore(createChatbot, project, { name })
          : viewOf(await runOnStore(takeOverChatbot, project, { name, id }));
      const chatbot = withProject(made, project);
      printResult(chatbot, flags, () => listing(chatbot));
    });

  describe(chatbots.command('list'), 'list the chatbots of a project', [
    'roster chatbots list --project acme',
    'roster chatbots list --project acme --json',
  ])
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async (flags: Flags<{ project: string }>) => {
      const list = await runOnStore(listAllChatbots, flags.project, undefined);
      const shown = list.map((one) => withProject(viewOf(one), one.project_id));
      printResult(shown, flags, () => table(shown, ['id', 'name', 'visibility', 'created_at']));
    });

  oneChatbot(chatbots.command('show'), 'show a chatbot', [
    'roster chatbots show 8839210412',
    'roster chatbots show 8839210412 --project acme --json',
  ]).action(async (chatbotId: string, flags: Flags<Place>) => printOne(retrieveChatbot, { chatbotId }, flags));

  oneChatbot(chatbots.command('update'), 'change the name or the visibility of a chatbot', [
    'roster chatbots update 8839210412 --name "Front desk"',
    'roster chatbots update 8839210412 --visibility public',
  ])
    .option('--name <name>', 'what people call it')
    .addOption(new Option('--visibility <visibility>', 'who may see it').choices(visibilities))
    .action(async (chatbotId: string, flags: Flags<Place & { name?: string; visibility?: Visibility }>) => {
      const { name, visibility } = flags;
      if (name === undefined && visibility === undefined) {
        throw new UsageError('Nothing is to be changed; give --name or --visibility.');
      }
      const changes = { ...(name !== undefined && { name: name.trim() }), ...(visibility && { visibility }) };
      await printOne(updateChatbot, { chatbotId, ...changes }, flags);
    });

  oneChatbot(chatbots.command('delete'), 'delete a chatbot and its contacts for good', [
    'roster chatbots delete 8839210412',
    'roster chatbots delete 8839210412 --yes --json',
  ])
    .option('--yes', 'do not ask for its id')
    .action((chatbotId: string, flags: Flags<Place & { yes?: boolean }>) =>
      withStore(async (store, config) => {
        const { id, name, project_id } = await locateChatbot(store.chatbots, chatbotId, flags.project);
        await confirmForGood(`chatbot "${name}" and its contacts`, id, flags);
        const contacts = await untilStopped((onStep) => deleteChatbotInSteps(store, project_id, id, onStep));
        await mergeIndexBriefly(store);
        const deleted = { id, name, contacts };
        printResult(deleted, flags, () => listing(deleted));
        noteCopies(config);
      }),
    );
}

function withProject({ id, name, created_at, ...more }: ChatbotView, projectId: string) {
  return { id, name, project_id: projectId, created_at, ...more };
}

interface Place {
  project?: string;
}

function oneChatbot(command: Command, description: string, examples: readonly string[]): Command {
  return describe(command, description, examples)
    .argument('<chatbot-id>', 'its id, as "chatbots list" shows it')
    .option('--project <id>', 'its project, where several have a chatbot of this id')
    .addOption(jsonOption());
}

async function printOne<Input extends { chatbotId: string }>(
  operation: Operation<Input, ChatbotView>,
  input: Input,
  flags: Flags<Place>,
): Promise<void> {
  await withStore(async (store) => {
    const { project_id } = await locateChatbot(store.chatbots, input.chatbotId, flags.project);
    const { output } = await run(operation, store, operator(project_id), input);
    printResult(output, flags, () => listing(output));
  });
}
