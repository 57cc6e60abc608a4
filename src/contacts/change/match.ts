import { AppError } from '../../errors.ts';
import type { StoredContact } from '../contact.ts';
import type { Change } from './given.ts';
import type { WorkingSet } from './working-set.ts';

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
