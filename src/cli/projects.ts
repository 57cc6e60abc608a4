import type { Command } from 'commander';

import { createProject } from '../projects/create.ts';
import { listProjects } from '../projects/list.ts';
import { newId } from '../values/identifier.ts';
import { runOnStore } from './open.ts';
import { listing, printResult, table } from './output.ts';
import { describe, type Flags, jsonOption } from './parts.ts';

export function projectsCommand(parent: Command): void {
  const projects = describe(parent.command('projects'), 'create and list projects', [
    'roster projects create "Example Ltd"',
    'roster projects list',
  ]);

  describe(projects.command('create'), 'create a project', [
    'roster projects create "Example Ltd"',
    'roster projects create "Example Ltd" --id acme --json',
  ])
    .argument('<name>', 'what people call it')
    .option('--id <id>', 'an id taken over from elsewhere (1 to 64 characters)')
    .addOption(jsonOption())
    .action(async (name: string, flags: Flags<{ id?: string }>) => {
      const project = await runOnStore(createProject, flags.id ?? newId(), { name }, { create: true });
      printResult(project, flags, () => listing(project));
    });

  describe(projects.command('list'), 'list all projects', ['roster projects list', 'roster projects list --json'])
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const list = await runOnStore(listProjects, '', undefined);
      printResult(list, flags, () => table(list, ['id', 'name', 'created_at']));
    });
}
