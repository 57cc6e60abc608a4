import { type Command, InvalidArgumentError, Option } from 'commander';

import { defaultScopes, operator, type Scope, scopes } from '../../actor.ts';
import { locateApiKey, type NewApiKey } from '../../api-keys/api-key.ts';
import { createApiKey } from '../../api-keys/create.ts';
import { revokeApiKey } from '../../api-keys/revoke.ts';
import { rotateApiKey } from '../../api-keys/rotate.ts';
import { updateApiKey } from '../../api-keys/update.ts';
import { type Operation, run } from '../../operation.ts';
import { parseDuration } from '../../values/timestamp.ts';
import { runOnStore, withStore } from '../open.ts';
import { listing, note, printResult } from '../output.ts';
import { collect, describe, type Flags, jsonOption, projectOption } from '../parts.ts';
import { findCommand, inspectCommand, listCommand, readToken } from './look-up.ts';

const keyIdMeaning = 'its id, as "keys list" shows it';

export function keysCommand(parent: Command): void {
  const keys = describe(parent.command('keys'), 'create, list, change, rotate and revoke API keys', [
    'roster keys create --project acme --name "CRM sync"',
    'roster keys list',
  ]);
  createCommand(keys);
  listCommand(keys);
  revokeCommand(keys);
  rotateCommand(keys);
  updateCommand(keys);
  findCommand(keys);
  inspectCommand(keys);
}

interface Creation {
  project: string;
  name: string;
  scope?: Scope[];
  expires?: number;
  tokenFile?: string;
}

function createCommand(keys: Command): void {
  describe(keys.command('create'), 'create an API key; its token is shown only once', [
    'roster keys create --project acme --name "CRM sync"',
    'roster keys create --project acme --name chatbot --scope contacts:read --expires 90d',
    'roster keys create --project acme --name "as before" --token-file old-key.txt',
  ])
    .addOption(projectOption())
    .requiredOption('--name <name>', 'what it is for')
    .addOption(scopeOption(`what it may do (default: ${defaultScopes.join(', ')})`))
    .option('--expires <span>', 'how long it is valid, such as 90d, 12h, 2w (default: for ever)', parseExpiry)
    .option('--token-file <file>', 'take over the existing token in this file (- is stdin)')
    .addOption(jsonOption())
    .action(async (flags: Flags<Creation>) => {
      const { project, name, scope, expires, tokenFile } = flags;
      const token = tokenFile === undefined ? undefined : await readToken(tokenFile);
      const input = { name, scopes: scope, expiresInSeconds: expires, token };
      const created = await runOnStore(createApiKey, project, input);
      if (token === undefined) printNewKey(created, flags);
      else printTakenOver(created, flags);
    });
}

function revokeCommand(keys: Command): void {
  describe(keys.command('revoke'), 'revoke a key at once and for good', [
    'roster keys revoke 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90',
    'roster keys revoke 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90 --json',
  ])
    .argument('<key-id>', keyIdMeaning)
    .addOption(jsonOption())
    .action(async (keyId: string, flags: Flags) => {
      const key = await runOnKey(revokeApiKey, { keyId });
      printResult(key, flags, () => listing(key));
    });
}

function rotateCommand(keys: Command): void {
  describe(keys.command('rotate'), 'create a successor of a key; both work until the overlap ends', [
    'roster keys rotate 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90',
    'roster keys rotate 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90 --overlap 7d',
  ])
    .argument('<key-id>', keyIdMeaning)
    .addOption(
      new Option('--overlap <span>', 'how long the old key still works').argParser(parseSpan).default(86_400, '24h'),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nThe successor has the name and the scopes of the old key. If the old key was\nmade to last 90 days, the successor lasts 90 days from now.',
    )
    .action(async (keyId: string, flags: Flags<{ overlap: number }>) => {
      const rotated = await runOnKey(rotateApiKey, { keyId, overlapSeconds: flags.overlap });
      const { replaced } = rotated;
      const lines = { replaces: replaced.id, old_key_works_until: replaced.expires_at };
      printNewKey(rotated, flags, { replaced }, lines);
    });
}

function updateCommand(keys: Command): void {
  describe(keys.command('update'), 'replace the scopes of a key; its token stays', [
    'roster keys update 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90 --scope contacts:read',
    'roster keys update 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90 --scope all',
  ])
    .argument('<key-id>', keyIdMeaning)
    .addOption(scopeOption('what it may do from now on').makeOptionMandatory())
    .addOption(jsonOption())
    .action(async (keyId: string, flags: Flags<{ scope: Scope[] }>) => {
      const key = await runOnKey(updateApiKey, { keyId, scopes: flags.scope });
      printResult(key, flags, () => listing(key));
    });
}

function runOnKey<Input extends { keyId: string }, Output>(
  operation: Operation<Input, Output>,
  input: Input,
): Promise<Output> {
  return withStore(async (store) => {
    const { project_id } = await locateApiKey(store.apiKeys, input.keyId);
    const { output } = await run(operation, store, operator(project_id), input);
    return output;
  });
}

function resultOf({ key, token }: NewApiKey) {
  const { id, name, project_id, scopes: allowed, expires_at } = key;
  return { id, name, project_id, scopes: allowed, expires_at, token };
}

/** The operator has the token: a terminal need not show it. */
function printTakenOver(created: NewApiKey, flags: Flags): void {
  const { token, ...shown } = resultOf(created);
  if (flags.json !== true) note('The token was taken over as it is; it is not printed again.');
  printResult({ ...shown, token }, flags, () => listing(shown));
}

function printNewKey(created: NewApiKey, flags: Flags, fields: object = {}, lines: object = {}): void {
  const result = resultOf(created);
  if (flags.json !== true) note('The token is shown only now; keep it where secrets are kept.');
  const ifLost = `The token is lost, and its key works; end it with: roster keys revoke ${result.id}`;
  printResult({ ...result, ...fields }, flags, () => listing({ ...result, ...lines }), ifLost);
}

function scopeOption(meaning: string): Option {
  const words = `${meaning}: one of ${scopes.join(', ')}, or all; may be repeated`;
  return new Option('--scope <scope>', words).argParser(parseScope);
}

function parseScope(value: string, previous?: Scope[]): Scope[] {
  if (value === 'all') return [...scopes];
  const known = scopes.find((one) => one === value);
  if (known) return collect(known, previous);
  throw new InvalidArgumentError(`Allowed are ${scopes.join(', ')} and all.`);
}

function parseExpiry(value: string): number {
  const seconds = parseSpan(value);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('A key that has expired before it is used is of no use.');
}

function parseSpan(value: string): number {
  const seconds = value === '0' ? 0 : parseDuration(value);
  if (seconds !== undefined) return seconds;
  throw new InvalidArgumentError('Allowed are spans such as 30m, 24h, 90d, 2w, up to 100 years.');
}
