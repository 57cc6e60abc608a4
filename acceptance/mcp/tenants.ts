import type { seededRandom } from '../../test/support/random.ts';
import type { Installation } from '../installation.ts';

type Random = ReturnType<typeof seededRandom>;

/** The scope that each tool needs, in the order of the list. */
export const scopeOf: Readonly<Record<string, string>> = {
  find_people: 'contacts:read',
  get_person: 'contacts:read',
  list_recent_people: 'contacts:read',
  save_person: 'contacts:write',
  update_person: 'contacts:write',
  delete_person: 'contacts:write',
  restore_person: 'contacts:write',
  list_members: 'members:read',
  list_chatbots: 'chatbots:read',
  recent_changes: 'events:read',
};

/** These tools do not exist, so no key can call them. */
export const noTools = ['purge_person', 'create_key', 'invite_member', 'delete_chatbot', 'transfer_ownership', 'bulk'];

/** Every project has a chatbot with this id and people with the same ids in it, so only the project tells them apart. */
export const sharedChatbot = 'shared';
const peopleOfChatbot = 20;

export interface Tenant {
  project: string;
  /** The name and email of everybody in the project contain it; nobody in another project has it. */
  mark: string;
  chatbots: readonly string[];
  /** The ids of people whom no call changes. */
  steady: readonly string[];
  changing: readonly string[];
  keys: readonly { token: string; scopes: ReadonlySet<string> }[];
}

export async function aTenant(at: Installation, number: number, random: Random): Promise<Tenant> {
  const project = `project-${number}`;
  const mark = `mark${String(number).padStart(3, '0')}x`;
  await at.json(['projects', 'create', mark, '--id', project]);
  const chatbots = [sharedChatbot, `own-${number}`];
  const ids = Array.from({ length: peopleOfChatbot }, (_, index) => `person-${index}`);
  for (const chatbot of chatbots) {
    await at.json(['chatbots', 'create', '--project', project, '--name', `Desk ${mark}`, '--id', chatbot]);
    const people = ids.map((id) => JSON.stringify({ id, name: `Ana ${mark}`, email: `${id}@${mark}.example.com` }));
    const args = ['contacts', 'import', '-', '--format', 'ndjson', '--project', project, '--chatbot', chatbot];
    await at.json(args, { input: people.join('\n') });
  }
  await at.json(['members', 'import', '-', '--format', 'csv', '--project', project], {
    input: `email,status,roles\nada@${mark}.example.com,Active,Owner`,
  });
  const all = [...new Set(Object.values(scopeOf)), 'project:read', 'members:write'];
  const some = () => all.filter(() => random.below(2) === 0);
  const keys: Tenant['keys'][number][] = [];
  for (const scopes of [all, some(), some(), ['project:read']]) {
    const wanted = scopes.length === 0 ? ['project:read'] : scopes;
    const flags = wanted.flatMap((scope) => ['--scope', scope]);
    const args = ['keys', 'create', '--project', project, '--name', 'k', ...flags];
    const { token } = await at.json<{ token: string }>(args);
    keys.push({ token, scopes: new Set(wanted) });
  }
  return { project, mark, chatbots, steady: ids.slice(0, 8), changing: ids.slice(8), keys };
}
