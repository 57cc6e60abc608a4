import { type Command, InvalidArgumentError, Option } from 'commander';

import {
  createApiKey,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
  type Scope,
  scopes,
} from '../api-keys/api-key.ts';
import { inspectToken } from '../api-keys/token.ts';
import { requireProject } from '../projects/project.ts';
import { parseDuration } from '../values/timestamp.ts';
import { withStore } from './open.ts';
import { listing, note, printResult, table, UsageError } from './output.ts';
import { collect, examples, jsonOption, projectOption } from './parts.ts';
import { readToken } from './token-file.ts';

const expiryMaxSeconds = 100 * 365 * 86_400;
const listColumns = [
  'id',
  'name',
  'scopes',
  'last4',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
  'replaced_by',
] as const;

export function keysCommand(parent: Command): void {
  const keys = parent
    .command('keys')
    .description('create, list, rotate and revoke API keys')
    .addHelpText(
      'after',
      examples('roster keys create --project acme --name "CRM sync"', 'roster keys list --project acme'),
    );
  createCommand(keys);
  listCommand(keys);
  revokeCommand(keys);
  rotateCommand(keys);
  inspectCommand(keys);
}

function createCommand(keys: Command): void {
  keys
    .command('create')
    .description('create an API key; its token is shown this once')
    .addOption(projectOption())
    .requiredOption('--name <name>', 'what it is for')
    .addOption(
      new Option('--scope <scope>', `one of ${scopes.join(', ')}; may be repeated (default: all)`).argParser(
        scope,
      ),
    )
    .option('--expires <span>', 'how long it is valid, such as 90d, 12h, 2w (default: for ever)', expiry)
    .option('--token-file <file>', 'take over the existing token in this file (- is stdin)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'roster keys create --project acme --name "CRM sync"',
        'roster keys create --project acme --name chatbot --scope contacts:read --expires 90d',
        'roster keys create --project acme --name "as before" --token-file old-key.txt',
      ),
    )
    .action(
      async (options: {
        project: string;
        name: string;
        scope?: Scope[];
        expires?: number;
        tokenFile?: string;
        json?: boolean;
      }) => {
        const token = options.tokenFile === undefined ? undefined : await readToken(options.tokenFile);
        const created = await withStore((store) =>
          createApiKey(store, options.project, {
            name: options.name,
            ...(options.scope && { scopes: options.scope }),
            expiresInSeconds: options.expires,
            token,
          }),
        );
        if (options.json !== true) note('The token is shown only now; keep it where secrets are kept.');
        printResult(newKey(created), options, () => listing(newKey(created)), ifLost(created));
      },
    );
}

function listCommand(keys: Command): void {
  keys
    .command('list')
    .description('list the keys of a project')
    .addOption(projectOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('roster keys list --project acme'))
    .action(async (options: { project: string; json?: boolean }) => {
      const list = await withStore(async (store) => {
        const project = await requireProject(store, options.project);
        return store.listApiKeys(project.id);
      });
      printResult(list, options, () => table(list, listColumns));
    });
}

function revokeCommand(keys: Command): void {
  keys
    .command('revoke')
    .description('revoke a key at once and for good')
    .argument('<key-id>', 'its id, as "keys list" shows it')
    .addOption(jsonOption())
    .addHelpText('after', examples('roster keys revoke 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90'))
    .action(async (keyId: string, options: { json?: boolean }) => {
      const key = await withStore((store) => revokeApiKey(store, keyId));
      printResult(key, options, () => listing(key));
    });
}

function rotateCommand(keys: Command): void {
  keys
    .command('rotate')
    .description('create a successor of a key; both work until the overlap ends')
    .argument('<key-id>', 'its id, as "keys list" shows it')
    .addOption(
      new Option('--overlap <span>', 'how long the old key still works')
        .argParser(span)
        .default(86_400, '24h'),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'roster keys rotate 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90',
        'roster keys rotate 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90 --overlap 7d',
      ),
    )
    .action(async (keyId: string, options: { overlap: number; json?: boolean }) => {
      const rotated = await withStore((store) => rotateApiKey(store, keyId, options.overlap));
      const result = { ...newKey(rotated), replaced: rotated.replaced };
      if (options.json !== true) note('The token is shown only now; keep it where secrets are kept.');
      const text = () =>
        listing({
          ...newKey(rotated),
          replaces: rotated.replaced.id,
          old_key_works_until: rotated.replaced.expires_at,
        });
      printResult(result, options, text, ifLost(rotated));
    });
}

function inspectCommand(keys: Command): void {
  keys
    .command('inspect')
    .description('say of a token on stdin, offline, whether it has the form and checksum of a Roster key')
    .argument('<source>', 'always -, so that no token comes into the history of the shell')
    .addOption(jsonOption())
    .addHelpText('after', examples('roster keys inspect - < key.txt'))
    .action(async (source: string, options: { json?: boolean }) => {
      if (source !== '-')
        throw new UsageError('A token is read from stdin only; write: roster keys inspect - < FILE.');
      const inspection = inspectToken(await readToken('-'));
      printResult(inspection, options, () => listing(inspection));
    });
}

function newKey({ key, token }: NewApiKey) {
  const { id, name, project_id, scopes: allowed, expires_at } = key;
  return { id, name, project_id, scopes: allowed, expires_at, token };
}

function ifLost({ key }: NewApiKey): string {
  return `The token is lost, and its key works; end it with: roster keys revoke ${key.id}`;
}

function scope(value: string, previous: Scope[] = []): Scope[] {
  const known = scopes.find((one) => one === value);
  if (known) return collect(known, previous);
  throw new InvalidArgumentError(`Allowed are ${scopes.join(', ')}.`);
}

function expiry(value: string): number {
  const seconds = span(value);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('A key that has expired before it is used is of no use.');
}

function span(value: string): number {
  const seconds = value === '0' ? 0 : parseDuration(value);
  if (seconds !== undefined && seconds <= expiryMaxSeconds) return seconds;
  throw new InvalidArgumentError('Allowed are spans such as 30m, 24h, 90d, 2w, up to 100 years.');
}
