import { AppError } from '../errors.ts';
import { newId } from '../values/identifier.ts';
import { apply, changedNames } from './apply.ts';
import { type StoredContact, touched, unknownContact } from './contact.ts';
import { besideMatch, keyOf, type Match, type Properties } from './properties.ts';
import type { WorkingSet } from './working-set.ts';

/** A change of one contact: alone, or as an item of a bulk request. */
export interface ContactChange {
  readonly op: 'create' | 'update' | 'upsert' | 'delete';
  /** Missing for `create`. */
  readonly match?: Match;
  readonly properties?: Properties;
}

/** `changed` has the names of the properties that differ now; it is empty unless the outcome is `updated`. */
export interface Changed {
  outcome: 'created' | 'updated' | 'unchanged' | 'deleted';
  changed: string[];
  contact: StoredContact;
}

/** The keys that the store must load for a change. */
export function keysFor({ op, match, properties }: ContactChange): string[] {
  const externalId = op === 'delete' ? undefined : properties?.external_id;
  return [...(match ? [keyOf(match)] : []), ...(externalId == null ? [] : [`external_id:${externalId}`])];
}

/** Decides one change. Throws `not_found`, `ambiguous_match`, `conflict` or `invalid`; nothing is then changed. */
export async function change(set: WorkingSet, given: ContactChange, at: string): Promise<Changed> {
  const { op, match, properties = {} } = given;
  const found = match && theOne(set, keyOf(match));
  if (op === 'delete') {
    const contact = found ?? missing();
    set.remove(contact);
    return { outcome: 'deleted', changed: [], contact };
  }
  if (!found && op !== 'create' && (op === 'update' || match?.id !== undefined)) missing();
  const rest = match ? besideMatch(properties, match) : properties;
  // A conflict is reported before a fault in the changed contact. Faults in a new contact come first of all.
  if (op !== 'create') set.requireFree(rest.external_id, found?.id);
  if (found) {
    const after = apply(found, rest);
    const changed = changedNames(found, after);
    if (changed.length === 0) return { outcome: 'unchanged', changed, contact: found };
    const contact = touched(after, at);
    await set.put(contact);
    return { outcome: 'updated', changed, contact };
  }
  const contact = touched(apply({ ...unknownContact, id: newId(), created_at: at }, { ...rest, ...match }), at);
  await set.put(contact);
  return { outcome: 'created', changed: [], contact };
}

function missing(): never {
  throw new AppError('not_found', 'There is no such contact', { about: 'contact' });
}

/** A chatbot may have thousands of contacts with one e-mail, and a bulk request may ask for them in each item. */
const existingMax = 100;

/** Finds the contact by a key that the set has loaded. Throws `ambiguous_match`. */
export function theOne(set: WorkingSet, key: string): StoredContact | undefined {
  const ids = set.idsAt(key);
  const [first = ''] = ids;
  if (ids.size < 2) return set.get(first);
  const existing: string[] = [];
  for (const id of ids) if (existing.push(id) === existingMax) break;
  throw new AppError('ambiguous_match', 'Several contacts match', { about: 'contact', existing: existing.toSorted() });
}
