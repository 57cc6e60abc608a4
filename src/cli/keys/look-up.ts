import { operator } from '../../actor.ts';
import { type ApiKey, isUsable, stateOf } from '../../api-keys/api-key.ts';
import { listApiKeys } from '../../api-keys/list.ts';
import { hashToken, inspectToken } from '../../api-keys/token.ts';
import { AppError } from '../../errors.ts';
import { run } from '../../operation.ts';
import { listProjects } from '../../projects/list.ts';
import type { Store } from '../../store.ts';
import { UsageError } from '../failures.ts';
import { withStore } from '../open.ts';
import { listing, printResult } from '../output.ts';
import { command, type Flags, option } from '../parts.ts';
import { anywhere } from '../places.ts';
import { placed } from '../plain.ts';
import { readShort } from '../short-input.ts';
import { table } from '../table.ts';

const fromStdin = {
  usage: '[options] - < FILE',
  args: { '<->': 'always -: the token comes from stdin, so that no shell keeps it in its history' },
};
const tokenFileCharactersMax = 4_096;
const nameCharactersMax = 12;

export const list = placed('list', anywhere, {
  says: 'list the keys of all projects, or of one',
  examples: ['roster keys list', 'roster keys list --project acme --json'],
  options: [option('--project <id>', 'the project, by id (default: all)')],
  act: async ({ store }, given: Flags<{ project?: string }>) => {
    const keys = await keysOf(store, given.project);
    const rows = await Promise.all(keys.map((key) => rowOf(store, key)));
    printResult(keys, given, () => table(rows, given.project === undefined ? columns : columnsOfOne, ['maker']));
  },
});

async function keysOf(store: Store, project: string | undefined): Promise<ApiKey[]> {
  const projects =
    project === undefined ? (await run(listProjects, store, operator(''), undefined)).output : [{ id: project }];
  const lists: ApiKey[][] = [];
  for (const { id } of projects) lists.push((await run(listApiKeys, store, operator(id), undefined)).output.keys);
  return lists.flat();
}

const columns = ['id', 'name', 'project', 'scopes', 'last4', 'state', 'last_used', 'maker'] as const;
const columnsOfOne = columns.filter((column) => column !== 'project');

async function rowOf(store: Store, key: ApiKey) {
  const { id, name, project_id: project, scopes, last4, last_used_at } = key;
  const letters = Array.from(name);
  return {
    id,
    name: letters.length > nameCharactersMax ? `${letters.slice(0, nameCharactersMax - 1).join('')}…` : name,
    project,
    scopes: scopes.length,
    last4,
    state: shownState(key),
    last_used: last_used_at?.slice(0, 10),
    maker: await makerText(store, key),
  };
}

async function makerText({ members }: Store, { project_id: projectId, created_by: maker }: ApiKey): Promise<string> {
  if (maker?.type !== 'member') return maker?.id ?? '-';
  return (await members.find(projectId, maker.id))?.email ?? 'a former member';
}

function shownState(key: ApiKey): string {
  const state = stateOf(key);
  if (key.expires_at === null || !isUsable(key)) return state;
  const left = spanText((Date.parse(key.expires_at) - Date.now()) / 1000);
  return state === 'rotated' ? `rotated (${left})` : `expires in ${left}`;
}

function spanText(seconds: number): string {
  if (seconds >= 2 * 86_400) return `${Math.round(seconds / 86_400)}d`;
  return seconds >= 7_200 ? `${Math.round(seconds / 3_600)}h` : `${Math.ceil(seconds / 60)}m`;
}

export const find = command<{ '-': string }>('find', {
  says: 'say which key a token belongs to, even if the key has ended',
  examples: ['roster keys find - < key.txt', 'roster keys find - --json < key.txt'],
  exits: { failed: 'failed, or no key has this token' },
  ...fromStdin,
  act: async (given) => {
    const token = await readTokenOfStdin(given['-'], 'find');
    const key = await withStore((store) => store.apiKeys.locateByHash(hashToken(token)));
    if (!key) throw new AppError('not_found', unknownToken[inspectToken(token).checksum ?? 'valid']);
    const { id, name, project_id, scopes, last4, expires_at, revoked_at } = key;
    const found = { id, name, project_id, last4, state: stateOf(key), expires_at, revoked_at, scopes };
    printResult(found, given, () => listing({ ...found, state: shownState(key) }));
  },
});

const unknownToken = {
  valid: 'No key of this database has this token; check that DATABASE_URL is that of the service',
  invalid: 'No key has this token: its checksum is wrong; look for what was cut off or changed',
};

export const inspect = command<{ '-': string }>('inspect', {
  says: "check a token's format and checksum offline",
  examples: ['roster keys inspect - < key.txt', 'roster keys inspect - --json < key.txt'],
  settings: [],
  ...fromStdin,
  act: async (given) => printResult(inspectToken(await readTokenOfStdin(given['-'], 'inspect')), given),
});

function readTokenOfStdin(source: string, command: string): Promise<string> {
  if (source === '-') return readToken('-');
  throw new UsageError(`A token is read from stdin only; write: roster keys ${command} - < FILE.`);
}

/** Reads the token in a file, or on stdin for `-`, without the blanks around it. `option` names the file in errors. */
export async function readToken(file: string, option = '--token-file'): Promise<string> {
  const token = (await readShort(file, 'a token', tokenFileCharactersMax, option)).trim();
  if (token !== '') return token;
  throw new AppError('invalid', 'The file or stdin holds no token; it must hold one token and nothing else.');
}
