import { hash } from 'node:crypto';

import { emailKey } from '../../values/email.ts';
import type { StoredContact } from '../contact.ts';
import type { Match } from '../properties.ts';
import type { Change } from './given.ts';

export function keyOf({ id, email, external_id }: Match): string {
  if (id !== undefined) return `id:${id}`;
  return email !== undefined ? `email:${emailKey(email)}` : `external_id:${external_id}`;
}

type Keyed = Pick<StoredContact, 'id' | 'email' | 'external_id' | 'import_digest'>;

/** All keys by which a contact is found, the one that never changes first. */
export function keysOf({ id, email, external_id: externalId, import_digest: digest }: Keyed): string[] {
  const keys = [`id:${id}`];
  if (externalId !== null) keys.push(`external_id:${externalId}`);
  if (email !== null) keys.push(`email:${emailKey(email)}`);
  if (digest !== null) keys.push(`digest:${digest}`);
  return keys;
}

/** The keys of all contacts that matter for a change: those it may mean, and the one that has its external id. */
export function keysToLoad({ keys, given: { texts } }: Pick<Change, 'keys' | 'given'>): string[] {
  return texts.external_id == null ? [...keys] : [...keys, `external_id:${texts.external_id}`];
}

const keyHashLength = 22;

/** Stands for a key where code only compares keys, so that no address is kept. */
export function keyHash(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, keyHashLength);
}
