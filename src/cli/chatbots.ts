import type { Command } from 'commander';

import { createChatbot } from '../chatbots/create.ts';
import { listChatbots } from '../chatbots/list.ts';
import { runOnStore } from './open.ts';
import { listing, printResult, table } from './output.ts';
import { describe, type Flags, jsonOption, projectOption } from './parts.ts';

export function chatbotsCommand(parent: Command): void {
  const chatbots = describe(parent.command('chatbots'), 'create and list the chatbots of a project', [
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
      const chatbot = await runOnStore(createChatbot, project, { name, id });
      printResult(chatbot, flags, () => listing(chatbot));
    });

  describe(chatbots.command('list'), 'list the chatbots of a project', [
    'roster chatbots list --project acme',
    'roster chatbots list --project acme --json',
  ])
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async (flags: Flags<{ project: string }>) => {
      const list = await runOnStore(listChatbots, flags.project, undefined);
      printResult(list, flags, () => table(list, ['id', 'name', 'created_at']));
    });
}
