import { type Command, InvalidArgumentError, Option } from 'commander';

import { operator } from '../actor.ts';
import { run } from '../operation.ts';
import { createProject } from '../projects/create.ts';
import { limitProject } from '../projects/limits.ts';
import { listProjects } from '../projects/list.ts';
import { requireProject, unlimited } from '../projects/project.ts';
import { retrieveProjectSettings, updateProjectSettings } from '../projects/settings.ts';
import { retrieveChatbotUsage, retrieveUserSeats } from '../projects/usage.ts';
import { appointOwner } from '../sign-in/set-up.ts';
import type { Store } from '../store.ts';
import { newId } from '../values/identifier.ts';
import { confirmForGood } from './confirm.ts';
import { deleteProjectInSteps, untilStopped } from './contacts/delete-in-steps.ts';
import { runOnStore, withStore } from './open.ts';
import { listing, printResult, UsageError } from './output.ts';
import { describe, type Flags, jsonOption } from './parts.ts';
import { table } from './table.ts';
import { noteCopies } from './upkeep/copies.ts';
import { mergeIndexBriefly } from './upkeep/merge-index.ts';

export function projectsCommand(parent: Command): void {
  const projects = describe(parent.command('projects'), 'create, list, show, change and delete projects', [
    'roster projects create "Example Ltd"',
    'roster projects list',
  ]);
  createCommand(projects);
  describe(projects.command('list'), 'list all projects', ['roster projects list', 'roster projects list --json'])
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const list = await runOnStore(listProjects, '', undefined);
      printResult(list, flags, () => table(list, ['id', 'name', 'created_at']));
    });
  describe(projects.command('show'), 'show a project, and how much of its limits is used', [
    'roster projects show acme',
    'roster projects show acme --json',
  ])
    .argument('<project-id>', 'its id, as "projects list" shows it')
    .addOption(jsonOption())
    .action((projectId: string, flags: Flags) => withStore((store) => show(store, projectId, flags)));
  updateCommand(projects);
  deleteCommand(projects);
}

function createCommand(projects: Command): void {
  describe(projects.command('create'), 'create a project', [
    'roster projects create "Example Ltd"',
    'roster projects create "Example Ltd" --id acme --owner ada@example.com --json',
  ])
    .argument('<name>', 'what people call it')
    .option('--id <id>', 'an id taken over from elsewhere (1 to 64 characters)')
    .option('--owner <email>', 'the address of its Owner, who is Active from the first')
    .addOption(jsonOption())
    .action(async (name: string, flags: Flags<{ id?: string; owner?: string }>) => {
      const input = { name, owner: flags.owner?.trim() };
      const project = await runOnStore(createProject, flags.id ?? newId(), input, { create: true });
      printResult(project, flags, () => listing(project));
    });
}

function updateCommand(projects: Command): void {
  describe(projects.command('update'), 'rename a project, limit it, or give it an Owner', [
    'roster projects update acme --name "Sample Ltd" --owner ada@example.com',
    'roster projects update acme --seats 25 --chatbots unlimited',
  ])
    .argument('<project-id>', 'its id, as "projects list" shows it')
    .option('--name <name>', 'what people call it')
    .option('--owner <email>', 'the e-mail of its first Owner')
    .addOption(new Option('--seats <number>', 'how many members it may have, or "unlimited"').argParser(parseLimit))
    .addOption(new Option('--chatbots <number>', 'how many chatbots it may have, or "unlimited"').argParser(parseLimit))
    .addOption(jsonOption())
    .action(
      async (projectId: string, flags: Flags<{ name?: string; owner?: string; seats?: number; chatbots?: number }>) => {
        const { name, owner, seats, chatbots } = flags;
        if ([name, owner, seats, chatbots].every((one) => one === undefined)) {
          throw new UsageError('Nothing is to be changed; give --name, --owner, --seats or --chatbots.');
        }
        await withStore(async (store) => {
          const actor = operator(projectId);
          if (owner !== undefined) await run(appointOwner, store, actor, { email: owner.trim() });
          if (name !== undefined) await run(updateProjectSettings, store, actor, { name: name.trim() });
          const limits = {
            ...(seats !== undefined && { seats_max: seats }),
            ...(chatbots !== undefined && { chatbots_max: chatbots }),
          };
          await run(limitProject, store, actor, limits);
          await show(store, projectId, flags);
        });
      },
    );
}

function deleteCommand(projects: Command): void {
  describe(projects.command('delete'), 'delete a project and all that belongs to it for good', [
    'roster projects delete acme',
    'roster projects delete acme --yes --json',
  ])
    .argument('<project-id>', 'its id, as "projects list" shows it')
    .option('--yes', 'do not ask for its id')
    .addOption(jsonOption())
    .action((projectId: string, flags: Flags<{ yes?: boolean }>) =>
      withStore(async (store, config) => {
        const { id, name } = await requireProject(store.projects, projectId);
        await confirmForGood(`project "${name}" with its chatbots, people, keys and events`, id, flags);
        const counts = await untilStopped((onStep) => deleteProjectInSteps(store, id, onStep));
        await mergeIndexBriefly(store);
        const deleted = { id, name, ...counts };
        printResult(deleted, flags, () => listing(deleted));
        noteCopies(config);
      }),
    );
}

async function show(store: Store, projectId: string, flags: Flags): Promise<void> {
  const actor = operator(projectId);
  const { output: settings } = await run(retrieveProjectSettings, store, actor, {});
  const { output: seats } = await run(retrieveUserSeats, store, actor, {});
  const { output: chatbots } = await run(retrieveChatbotUsage, store, actor, {});
  const project = { ...settings, seats, chatbots };
  const told = ({ used, max }: typeof seats) => `${used} of ${max === unlimited ? 'any number' : max}`;
  printResult(project, flags, () => listing({ ...settings, seats: told(seats), chatbots: told(chatbots) }));
}

function parseLimit(value: string): number {
  if (value === 'unlimited') return unlimited;
  const limit = /^\d{1,10}$/.test(value) ? Number(value) : unlimited;
  if (limit < unlimited) return limit;
  throw new InvalidArgumentError('Allowed are whole numbers from 0, and "unlimited".');
}
