import type { Command } from 'commander';

import { createProject } from '../projects/project.ts';
import { withStore } from './open.ts';
import { listing, printResult, table } from './output.ts';
import { examples, jsonOption } from './parts.ts';

export function projectsCommand(parent: Command): void {
  const projects = parent
    .command('projects')
    .description('create and list projects')
    .addHelpText('after', examples('roster projects create "Example Ltd"', 'roster projects list'));

  projects
    .command('create')
    .description('create a project')
    .argument('<name>', 'what people call it')
    .option('--id <id>', 'an id taken over from elsewhere (1 to 64 characters)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'roster projects create "Example Ltd"',
        'roster projects create "Example Ltd" --id acme --json',
      ),
    )
    .action(async (name: string, options: { id?: string; json?: boolean }) => {
      const project = await withStore((store) => createProject(store, { name, id: options.id }));
      printResult(project, options, () => listing(project));
    });

  projects
    .command('list')
    .description('list all projects')
    .addOption(jsonOption())
    .addHelpText('after', examples('roster projects list', 'roster projects list --json'))
    .action(async (options: { json?: boolean }) => {
      const list = await withStore((store) => store.listProjects());
      printResult(list, options, () => table(list, ['id', 'name', 'created_at']));
    });
}
