import { InvalidArgumentError } from 'commander';

import { createProject } from '../projects/create.ts';
import { limitProject } from '../projects/limits.ts';
import { listProjects } from '../projects/list.ts';
import { unlimited } from '../projects/project.ts';
import { requireProject } from '../projects/require.ts';
import { retrieveProjectSettings, updateProjectSettings } from '../projects/settings.ts';
import { retrieveChatbotUsage, retrieveContactUsage, retrieveUserSeats } from '../projects/usage.ts';
import { appointOwner } from '../sign-in/set-up.ts';
import { newId } from '../values/identifier.ts';
import { forGood, yesOption } from './confirm.ts';
import { deleteProjectInSteps } from './contacts/delete-in-steps.ts';
import { listing, printResult } from './output.ts';
import { type Flags, group, option } from './parts.ts';
import { anywhere, type CommandPlace } from './places.ts';
import { type Here, placed, plain } from './plain.ts';
import { table } from './table.ts';

const theProject: CommandPlace<{ projectId: string }, object> = {
  args: { '<project-id>': 'its id, as "projects list" shows it' },
  options: [],
  find: async ({ projects }, { projectId }) => {
    const { id, name } = await requireProject(projects, projectId);
    return { projectId: id, input: {}, name };
  },
};

const aNewProject: CommandPlace<{ id?: string }, object> = {
  options: [option('--id <id>', 'an id taken over from elsewhere (1 to 64 characters)')],
  creates: true,
  find: async (_store, { id = newId() }) => ({ projectId: id, input: {} }),
};

const create = plain('create', createProject, aNewProject, {
  says: 'create a project',
  examples: [
    'roster projects create "Example Ltd"',
    'roster projects create "Example Ltd" --id acme --owner ada@example.com --json',
  ],
  args: { '<name>': 'what people call it' },
  options: [option('--owner <email>', 'the address of its Owner, who is Active from the first')],
  input: ({ name, owner }: Flags<{ name: string; owner?: string }>) => ({ name, owner: owner?.trim() }),
});

const list = plain('list', listProjects, anywhere, {
  says: 'list all projects',
  examples: ['roster projects list', 'roster projects list --json'],
  text: (all) => table(all, ['id', 'name', 'created_at']),
});

const show = placed('show', theProject, {
  says: 'show a project, and how much of its limits is used',
  examples: ['roster projects show acme', 'roster projects show acme --json'],
  act: printProject,
});

type Changes = Flags<{
  projectId: string;
  name?: string;
  owner?: string;
  seats?: number;
  chatbots?: number;
  contacts?: number;
}>;

const update = placed('update', theProject, {
  says: 'rename a project, limit it, or give it an Owner',
  examples: [
    'roster projects update acme --name "Sample Ltd" --owner ada@example.com',
    'roster projects update acme --seats 25 --chatbots unlimited --contacts 10000',
  ],
  options: [
    option('--name <name>', 'what people call it'),
    option('--owner <email>', 'the e-mail of its first Owner'),
    option('--seats <number>', 'how many members it may have, or "unlimited"').argParser(parseLimit),
    option('--chatbots <number>', 'how many chatbots it may have, or "unlimited"').argParser(parseLimit),
    option('--contacts <number>', 'how many contacts all chatbots may have, or "unlimited"').argParser(parseLimit),
  ],
  changes: true,
  act: async (here, given: Changes) => {
    const { name, owner, seats, chatbots, contacts } = given;
    if (owner !== undefined) await here.ask(appointOwner, { email: owner.trim() });
    if (name !== undefined) await here.ask(updateProjectSettings, { name: name.trim() });
    const limits = {
      ...(seats !== undefined && { seats_max: seats }),
      ...(chatbots !== undefined && { chatbots_max: chatbots }),
      ...(contacts !== undefined && { contacts_max: contacts }),
    };
    await here.ask(limitProject, limits);
    await printProject(here, given);
  },
});

const remove = placed('delete', theProject, {
  says: 'delete a project and all that belongs to it for good',
  examples: ['roster projects delete acme', 'roster projects delete acme --yes --json'],
  options: [yesOption],
  act: async (here, given) => {
    const { store, projectId: id, name } = here;
    const noun = `project "${name}" with its chatbots, people, keys and events`;
    await forGood(here, noun, id, given, async (onStep) => {
      return { id, name, ...(await deleteProjectInSteps(store, id, onStep)) };
    });
  },
});

export const projectsCommand = group(
  'projects',
  'create, list, show, change and delete projects',
  ['roster projects create "Example Ltd"', 'roster projects list'],
  [create, list, show, update, remove],
);

async function printProject({ ask }: Here<object>, given: Flags): Promise<void> {
  const settings = await ask(retrieveProjectSettings);
  const seats = await ask(retrieveUserSeats);
  const chatbots = await ask(retrieveChatbotUsage);
  const contacts = await ask(retrieveContactUsage);
  const told = ({ used, max }: typeof seats) => `${used} of ${max === unlimited ? 'any number' : max}`;
  printResult({ ...settings, seats, chatbots, contacts }, given, () =>
    listing({ ...settings, seats: told(seats), chatbots: told(chatbots), contacts: told(contacts) }),
  );
}

function parseLimit(value: string): number {
  if (value === 'unlimited') return unlimited;
  const limit = /^\d{1,10}$/.test(value) ? Number(value) : unlimited;
  if (limit < unlimited) return limit;
  throw new InvalidArgumentError('Allowed are whole numbers from 0, and "unlimited".');
}
