import { InvalidArgumentError, type Option } from 'commander';

import type { NewApiKey } from '../../api-keys/api-key.ts';
import { createApiKey } from '../../api-keys/create.ts';
import { revokeApiKey } from '../../api-keys/revoke.ts';
import { rotateApiKey } from '../../api-keys/rotate.ts';
import { updateApiKey } from '../../api-keys/update.ts';
import { defaultScopes, scopes } from '../../rights.ts';
import { listing } from '../output.ts';
import { type Flags, group, option, required } from '../parts.ts';
import { inProject, theKey } from '../places.ts';
import { plain } from '../plain.ts';
import { overlapOption, parseSpan } from '../spans.ts';
import { optionFor } from '../taking.ts';
import { find, inspect, list, readToken } from './look-up.ts';

type Creation = Flags<{ project: string; tokenFile?: string }>;

const create = plain('create', createApiKey, inProject, {
  says: 'create an API key; its token is shown only once',
  examples: [
    'roster keys create --project acme --name "CRM sync"',
    'roster keys create --project acme --name chatbot --scope contacts:read --expires 90d',
    'roster keys create --project acme --name "as before" --token-file old-key.txt',
  ],
  takes: {
    name: required('--name <name>', 'what it is for'),
    scopes: scopeOption(`what it may do (default: ${defaultScopes.join(', ')})`),
    expiresInSeconds: option(
      '--expires <span>',
      'how long it is valid, such as 90d, 12h, 2w (default: for ever)',
    ).argParser(parseExpiry),
  },
  options: [option('--token-file <file>', 'take over the existing token in this file (- is stdin)')],
  input: async ({ tokenFile }: Creation) => (tokenFile === undefined ? {} : { token: await readToken(tokenFile) }),
  secret: (created, { tokenFile }: Creation) =>
    tokenFile === undefined ? secretOf(created) : { says: 'Your token is kept as it is. It is not printed.' },
  result: resultOf,
  text: (created, { tokenFile }: Creation) => {
    const { token, ...shown } = resultOf(created);
    return listing(tokenFile === undefined ? { ...shown, token } : shown);
  },
});

const revoke = plain('revoke', revokeApiKey, theKey, {
  says: 'revoke a key at once and for good',
  examples: [
    'roster keys revoke 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90',
    'roster keys revoke 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90 --json',
  ],
});

const rotate = plain('rotate', rotateApiKey, theKey, {
  says: 'create a successor of a key; both work until the overlap ends',
  examples: [
    'roster keys rotate 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90',
    'roster keys rotate 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90 --overlap 7d',
  ],
  more: 'The successor has the name and the scopes of the old key. If the old key was\nmade to last 90 days, the successor lasts 90 days from now.',
  takes: {
    overlap: overlapOption('how long the old key still works (default: 24h)'),
  },
  secret: secretOf,
  result: (rotated) => ({ ...resultOf(rotated), replaced: rotated.replaced }),
  text: (rotated) => {
    const { id, expires_at } = rotated.replaced;
    return listing({ ...resultOf(rotated), replaces: id, old_key_works_until: expires_at });
  },
});

const update = plain('update', updateApiKey, theKey, {
  says: 'replace the scopes of a key; its token stays',
  examples: [
    'roster keys update 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90 --scope contacts:read',
    'roster keys update 0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90 --scope all',
  ],
  takes: { scopes: scopeOption('what it may do from now on').makeOptionMandatory() },
});

export const keysCommand = group(
  'keys',
  'create, list, change, rotate and revoke API keys',
  ['roster keys create --project acme --name "CRM sync"', 'roster keys list'],
  [create, list, revoke, rotate, update, find, inspect],
);

function secretOf({ key: { id } }: NewApiKey) {
  return {
    says: 'The token is shown only now; keep it where secrets are kept.',
    ifLost: `The token is lost, and its key works; end it with: roster keys revoke ${id}`,
  };
}

function resultOf({ key, token }: NewApiKey) {
  const { id, name, project_id, scopes: allowed, expires_at } = key;
  return { id, name, project_id, scopes: allowed, expires_at, token };
}

function scopeOption(meaning: string): Option {
  const says = `${meaning}: one of ${scopes.join(', ')}, or all; may be repeated`;
  return optionFor('--scope <scope>', says, { items: { enum: scopes } }, true);
}

function parseExpiry(value: string): number {
  const seconds = parseSpan(value);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('The time until a key expires must be longer than 0, such as 90d.');
}
