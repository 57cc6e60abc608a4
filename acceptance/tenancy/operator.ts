import type { Installation } from '../installation.ts';
import { historyOf } from './history.ts';
import { toNdjson } from './made-up.ts';
import { type Contact, contactOf, tagOf, type Key, type Member, type Project, type Scope, scopes } from './model.ts';

/** What an operator does at the command line, noted in the model with its beginning and its end. */
export interface Operator {
  createProject(project: Project): Promise<void>;
  createChatbot(project: Project, id: string): Promise<void>;
  importContacts(project: Project, chatbotId: string, contacts: readonly Contact[]): Promise<void>;
  /** Known ones are changed, the others join behind, but for an Owner. */
  importMembers(project: Project, members: readonly Member[]): Promise<void>;
  createKey(
    project: Project,
    given?: { scopes?: readonly Scope[]; expiresSeconds?: number; foreignToken?: string },
  ): Promise<Key>;
  revokeKey(key: Key): Promise<void>;
  /** The successor is one of the project's keys too. */
  rotateKey(project: Project, key: Key, overlapSeconds: number): Promise<void>;
}

interface CreatedKey {
  id: string;
  token: string;
  expires_at: string | null;
}

export function operatorOf(at: Installation): Operator {
  // Across a network a key is remembered for so long; on the same machine not at all.
  const revokedWithinMs = at.engine === 'PostgreSQL' ? 3_000 : 0;
  const importing = async (noun: string, people: readonly object[], target: readonly string[]) => {
    const args = [noun, 'import', '-', '--format', 'ndjson', ...target];
    const { rejected } = await at.json<{ rejected: number }>(args, { input: toNdjson(people) });
    if (rejected > 0) throw new Error(`${rejected} rows of ${noun} were refused`);
  };
  return {
    createProject: async ({ id, contactsMax }) => {
      await at.json(['projects', 'create', `Project ${id}`, '--id', id]);
      await at.json(['projects', 'update', id, '--contacts', String(contactsMax)]);
    },
    createChatbot: async (project, id) => {
      const crowd = historyOf<readonly Contact[] | null>(null);
      project.crowds.set(id, crowd);
      const change = crowd.change([]);
      await at.json(['chatbots', 'create', '--project', project.id, '--name', 'Bot', '--id', id]);
      change.end();
      project.chatbots.set(id, new Map());
    },
    importContacts: async (project, chatbotId, contacts) => {
      const changes = contacts.map((given) => {
        const history = contactOf(project, chatbotId, given.id);
        return history.change(merged(history.latest(), given));
      });
      // Few enough for one batch, so all of them change at once.
      const all = [...(project.chatbots.get(chatbotId)?.values() ?? [])].flatMap((history) => history.latest() ?? []);
      const crowd = project.crowds.get(chatbotId)?.change(all);
      const rows = contacts.map((contact) => ({ ...contact, tags: [tagOf(project.id)] }));
      await importing('contacts', rows, ['--project', project.id, '--chatbot', chatbotId]);
      for (const change of [...changes, crowd]) change?.end();
    },
    importMembers: async (project, members) => {
      const change = project.members.change(joined(project.members.latest(), members));
      await importing('members', members, ['--project', project.id]);
      change.end();
    },
    createKey: async (project, { scopes: allowed = scopes, expiresSeconds, foreignToken } = {}) => {
      const args = ['keys', 'create', '--project', project.id, '--name', 'k'];
      args.push(...allowed.flatMap((scope) => ['--scope', scope]));
      if (expiresSeconds !== undefined) args.push('--expires', `${expiresSeconds}s`);
      if (foreignToken !== undefined) args.push('--token-file', '-');
      const { id, token, expires_at } = await at.json<CreatedKey>(args, { input: foreignToken ?? '' });
      const works = historyOf(true);
      if (expires_at !== null) works.changeAt(false, Date.parse(expires_at));
      const kind = expires_at === null ? (foreignToken === undefined ? 'plain' : 'foreign') : 'expiring';
      const key: Key = { id, token, kind, scopes: allowed, works };
      project.keys.push(key);
      return key;
    },
    revokeKey: async (key) => {
      const change = key.works.change(false);
      key.kind = 'revoked';
      await at.json(['keys', 'revoke', key.id ?? '']);
      change.end(revokedWithinMs);
    },
    rotateKey: async (project, key, overlapSeconds) => {
      const change = key.works.change(false);
      key.kind = 'rotated';
      const overlap = overlapSeconds === 0 ? '0' : `${overlapSeconds}s`;
      const { id, token, replaced } = await at.json<CreatedKey & { replaced: { expires_at: string } }>([
        'keys',
        'rotate',
        key.id ?? '',
        '--overlap',
        overlap,
      ]);
      change.end(revokedWithinMs, Date.parse(replaced.expires_at));
      project.keys.push({ id, token, kind: 'successor', scopes: key.scopes, works: historyOf(true) });
    },
  };
}

/** What a row leaves open stays, and `created_at` in any case. */
function merged(before: Contact | null, given: Contact): Contact {
  if (before === null) return given;
  const said = Object.entries(given).filter(([, text]) => text !== null);
  return { ...before, ...(Object.fromEntries(said) as Partial<Contact>), created_at: before.created_at };
}

function joined(before: readonly Member[], given: readonly Member[]): readonly Member[] {
  const givenOf = new Map(given.map((member) => [member.email, member]));
  const isKnown = new Set(before.map(({ email }) => email));
  return [
    ...before.map((member) => givenOf.get(member.email) ?? member),
    ...given.filter(({ email }) => !isKnown.has(email)),
  ];
}
