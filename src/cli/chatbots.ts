import type { Command } from 'commander';

import { createChatbot } from '../chatbots/chatbot.ts';
import { requireProject } from '../projects/project.ts';
import { withStore } from './open.ts';
import { listing, printResult, table } from './output.ts';
import { examples, jsonOption, projectOption } from './parts.ts';

export function chatbotsCommand(parent: Command): void {
  const chatbots = parent
    .command('chatbots')
    .description('create and list the chatbots of a project')
    .addHelpText(
      'after',
      examples(
        'roster chatbots create --project acme --name "Front desk"',
        'roster chatbots list --project acme',
      ),
    );

  chatbots
    .command('create')
    .description('create a chatbot')
    .addOption(projectOption())
    .requiredOption('--name <name>', 'what people call it')
    .option('--id <id>', 'an id taken over from elsewhere (1 to 64 characters)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'roster chatbots create --project acme --name "Front desk"',
        'roster chatbots create --project acme --name "Front desk" --id 8839210412',
      ),
    )
    .action(async (options: { project: string; name: string; id?: string; json?: boolean }) => {
      const chatbot = await withStore((store) => createChatbot(store, options.project, options));
      printResult(chatbot, options, () => listing(chatbot));
    });

  chatbots
    .command('list')
    .description('list the chatbots of a project')
    .addOption(projectOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('roster chatbots list --project acme'))
    .action(async (options: { project: string; json?: boolean }) => {
      const list = await withStore(async (store) => {
        const project = await requireProject(store, options.project);
        return store.listChatbots(project.id);
      });
      printResult(list, options, () => table(list, ['id', 'name', 'created_at']));
    });
}
