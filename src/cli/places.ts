import type { Option } from 'commander';

import { locateApiKey } from '../api-keys/require.ts';
import { locateChatbot } from '../chatbots/require.ts';
import { AppError } from '../errors.ts';
import type { StoredMember } from '../members/member.ts';
import { requireProject } from '../projects/require.ts';
import type { Store } from '../store.ts';
import { UsageError } from './failures.ts';
import { option, required } from './parts.ts';

/** The project in which a command acts, and its subject there. */
export interface CommandPlace<Given, Input> {
  readonly args?: Readonly<Record<string, string>>;
  readonly options: readonly Option[];
  /** Whether its commands make a database where there is none. */
  readonly creates?: true;
  find(store: Store, given: Given): Promise<{ projectId: string; input: Input; name?: string }>;
}

export const anywhere: CommandPlace<object, object> = { options: [], find: async () => ({ projectId: '', input: {} }) };

export interface InProject {
  project: string;
}

interface InOneOf {
  project?: string;
}

export interface InChatbot extends InOneOf {
  chatbot: string;
}

export const inProject: CommandPlace<InProject, object> = {
  options: [required('--project <id>', 'the project, by id')],
  find: async (store, { project }) => ({ projectId: (await requireProject(store.projects, project)).id, input: {} }),
};

const projectIfSeveral = option('--project <id>', 'its project, where several have a chatbot of this id');

export const inChatbot: CommandPlace<InChatbot, { chatbotId: string }> = {
  options: [required('--chatbot <id>', 'the chatbot, by id'), projectIfSeveral],
  find: (store, { chatbot, project }) => chatbotOf(store, chatbot, project),
};

/** The one project there is, unless a flag names it. */
export const inAProject: CommandPlace<InOneOf, object> = {
  options: [option('--project <id>', 'the project, by id, where there are several')],
  find: async ({ projects }, { project }) => {
    if (project !== undefined) return { projectId: (await requireProject(projects, project)).id, input: {} };
    const all = await projects.list();
    const [first, other] = all;
    if (!first) throw new AppError('not_found', 'There is no project', { about: 'project' });
    if (!other) return { projectId: first.id, input: {} };
    const existing = all.map(({ id }) => id);
    throw new AppError('ambiguous_match', `There are ${all.length} projects`, { about: 'project', existing });
  },
};

export interface InChatbotOrAll extends InOneOf {
  chatbot?: string;
  allChatbots?: boolean;
}

export const inChatbotOrAll: CommandPlace<InChatbotOrAll, { chatbotId?: string }> = {
  options: [
    option('--chatbot <id>', 'the chatbot, by id').conflicts('allChatbots'),
    option('--all-chatbots', 'in all chatbots of the project'),
    option('--project <id>', 'the project, by id, where there are several'),
  ],
  find: (store, { chatbot, allChatbots, project }) => {
    if (chatbot !== undefined) return chatbotOf(store, chatbot, project);
    if (allChatbots === true) return inAProject.find(store, { ...(project !== undefined && { project }) });
    throw new UsageError('Say where: give --chatbot, or --all-chatbots.');
  },
};

export const theChatbot: CommandPlace<InOneOf & { chatbotId: string }, { chatbotId: string }> = {
  args: { '<chatbot-id>': 'its id, as "chatbots list" shows it' },
  options: [projectIfSeveral],
  find: (store, { chatbotId, project }) => chatbotOf(store, chatbotId, project),
};

async function chatbotOf({ chatbots }: Store, chatbotId: string, project: string | undefined) {
  const { id, name, project_id: projectId } = await locateChatbot(chatbots, chatbotId, project);
  return { projectId, input: { chatbotId: id }, name };
}

export const theKey: CommandPlace<{ keyId: string }, { keyId: string }> = {
  args: { '<key-id>': 'its id, as "keys list" shows it' },
  options: [],
  find: async ({ apiKeys }, { keyId }) => ({
    projectId: (await locateApiKey(apiKeys, keyId)).project_id,
    input: { keyId },
  }),
};

export function thing<Given, Found, Key extends string>(
  place: CommandPlace<Given, Found>,
  key: Key,
  words: string,
  says: string,
) {
  const one: CommandPlace<Given & Record<Key, string>, Found & Record<Key, string>> = {
    ...place,
    args: { [words]: says },
    find: async (store, given) => {
      const found = await place.find(store, given);
      return { ...found, input: { ...found.input, [key]: given[key] } as Found & Record<Key, string> };
    },
  };
  return one;
}

export const theContact = thing(inChatbot, 'contactId', '<contact-id>', 'its id, as "contacts list" shows it');
export const theMember = thing(inProject, 'memberId', '<member-id>', 'its id, as "members list" shows it');

const projectOfMember = option('--project <id>', 'the project, if several have a member with this address');

export const theMemberAt: CommandPlace<InOneOf & { email: string }, { memberId: string }> = {
  args: { '<email>': 'the address of the member' },
  options: [projectOfMember],
  find: (store, { email, project }) => memberAt(store, email.trim(), project),
};
export const someMemberAt: CommandPlace<InOneOf & { member: string }, { memberId: string }> = {
  options: [required('--member <email>', 'the address of the member'), projectOfMember],
  find: (store, { member, project }) => memberAt(store, member.trim(), project),
};

/** The member of this address in any project. Throws `not_found`, and `ambiguous_match` where there are several. */
async function memberAt({ projects, members }: Store, email: string, project: string | undefined) {
  const located: { projectId: string; member: StoredMember }[] = [];
  for (const { id } of await projects.list()) {
    if (project !== undefined && id !== project) continue;
    const { members: found } = await members.list(id, { email }, 1, 0);
    const [one] = found;
    if (one) located.push({ projectId: id, member: one });
  }
  const [first, other] = located;
  if (!first) throw new AppError('not_found', 'There is no member with this address', { about: 'member' });
  if (!other) return { projectId: first.projectId, input: { memberId: first.member.id } };
  throw new AppError('ambiguous_match', `${located.length} projects have a member with this address`, {
    about: 'member',
    existing: located.map(({ projectId }) => projectId),
  });
}
