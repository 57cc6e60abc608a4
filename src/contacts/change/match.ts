import { hash } from 'node:crypto';

import { AppError } from '../../errors.ts';
import { emailKey } from '../../values/email.ts';
import type { StoredContact } from '../contact.ts';
import type { Match } from '../properties.ts';
import type { Change } from './plan.ts';
import type { WorkingSet } from './working-set.ts';

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

/** Finds the contact that a change means, by the first key that finds one. Throws `ambiguous_match`. */
export function find(set: WorkingSet, change: Change) {
  for (const key of change.keys) {
    const own = set.idsAt(key);
    const isAlias = own.length === 0;
    const ids = isAlias ? set.aliases.targetsOf(key).filter((id) => set.get(id)) : own;
    if (isAlias && change.op !== 'upsert' && key.startsWith('id:'))
      set.aliases.requireUnmerged(key.slice('id:'.length));
    if (ids.length === 0) continue;
    if (change.mode === 'set') return { contact: theOne(set, ids), key, isOneOfSeveral: false, isAlias };
    let first: StoredContact | undefined;
    let count = 0;
    for (const id of ids) {
      const contact = set.get(id);
      if (!contact || !mayMean(contact, change, key)) continue;
      count++;
      if (!first || rank(contact) < rank(first)) first = contact;
    }
    // The value may come from a merged contact; then the row is about that one.
    const isOfMerged = first !== undefined && set.aliases.targetsOf(key).includes(first.id);
    if (first) return { contact: first, key, isOneOfSeveral: count > 1, isAlias: isOfMerged };
  }
  return undefined;
}

/** Two people of another system may share an address: another external id means another person. */
function mayMean({ external_id: known }: StoredContact, { given: { texts }, ifNew }: Change, key: string): boolean {
  const { external_id: given } = texts;
  if (ifNew?.id !== undefined || given == null || key === `external_id:${given}`) return true;
  return known === null || known === given;
}

/** Sorts people who share a key by the time of their insertion. An import means the first one. */
function rank({ id, inserted_as: insertedAs }: StoredContact): string {
  return insertedAs ?? id;
}

/** A chatbot may have thousands of contacts with one e-mail, and a bulk request may ask for them in each item. */
const existingMax = 100;

function theOne(set: WorkingSet, ids: readonly string[]): StoredContact {
  const contact = ids.length === 1 ? set.get(ids[0] ?? '') : undefined;
  if (contact) return contact;
  const existing = ids.slice(0, existingMax);
  throw new AppError('ambiguous_match', 'Several contacts match', { about: 'contact', existing: existing.toSorted() });
}

const keyHashLength = 22;

/** Replaces a key where code only compares keys, and hides the address in it. */
export function keyHash(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, keyHashLength);
}
