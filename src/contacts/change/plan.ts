import { AppError } from '../../errors.ts';
import { invalid } from '../../validation.ts';
import { giveWay } from '../../values/give-way.ts';
import { newId } from '../../values/identifier.ts';
import type { Timestamp } from '../../values/timestamp.ts';
import { type StoredContact, touched, unknownContact } from '../contact.ts';
import { differences } from './differences.ts';
import type { Given } from './given.ts';
import { find } from './match.ts';
import { put } from './put.ts';
import type { WorkingSet } from './working-set.ts';

/**
 * Whose word counts: a caller sets what is given; a file completes what is known, since an empty cell says nothing; a
 * mirror makes the contact what it is at the source, attribute by attribute.
 */
export type Mode = 'set' | 'complete' | 'mirror';

export interface Change {
  readonly op: 'create' | 'update' | 'upsert' | 'delete' | 'restore';
  readonly mode: Mode;
  /** The keys by which it finds its contact, the most telling first. */
  readonly keys: readonly string[];
  readonly given: Given;
  /** What somebody new has beside it. An id that is in the bin restores that contact. */
  readonly ifNew?: Partial<Pick<StoredContact, 'id' | 'created_at' | 'email' | 'external_id'>>;
}

/** What a change would make of the contacts. */
export interface Proposal {
  outcome: 'created' | 'restored' | 'updated' | 'unchanged' | 'deleted';
  /** The contact that the change means, as it is; the key that led to it, if others share that key. */
  before?: StoredContact | undefined;
  key?: string;
  isOneOfSeveral?: boolean;
  after: StoredContact;
  differing: readonly string[];
  /** Why it must not be stored, if so. */
  refusal?: AppError | undefined;
}

/** Proposes what becomes of a change, and decides nothing. Throws `not_found` or `ambiguous_match`. */
export function propose(set: WorkingSet, change: Change, at: Timestamp): Proposal {
  const { op, mode, given, ifNew } = change;
  if (op === 'restore') return proposeRestored(set, change, at);
  const found = find(set, change);
  if (!found) {
    if (op === 'update' || op === 'delete') throw notFound();
    const deleted = ifNew?.id === undefined ? undefined : set.inBin(ifNew.id);
    if (deleted) return proposeRestored(set, change, at, deleted);
    const id = ifNew?.id ?? newId();
    const insertedAs = ifNew?.id === undefined ? null : newId();
    const nobody = { ...unknownContact, id, created_at: at, inserted_as: insertedAs, ...ifNew };
    const { after, errors } = put(nobody, given, mode);
    const refusal = errors.length > 0 ? invalidProperties(errors) : conflict(set, after);
    return { outcome: 'created', after: touched(after, at), differing: [], refusal };
  }
  const { contact: before, key, isOneOfSeveral } = found;
  if (op === 'delete') return { outcome: 'deleted', before, after: before, differing: [] };
  const { after, errors } = put(before, given, mode);
  const differing = differences(before, after);
  const proposal = { before, key, isOneOfSeveral, differing };
  if (differing.length === 0) return { ...proposal, outcome: 'unchanged', after };
  const refusal = conflict(set, after, before) ?? (errors.length > 0 ? invalidProperties(errors) : undefined);
  return { ...proposal, outcome: 'updated', after: touched(after, at), refusal };
}

function proposeRestored(
  set: WorkingSet,
  { keys: [key = ''], mode, given }: Change,
  at: Timestamp,
  deleted = deletedIn(set, key.slice('id:'.length)),
): Proposal {
  const { after, errors } = put(deleted, given, mode);
  const differing = differences(deleted, after);
  // A program without a bin may have added somebody whose id is in it.
  const taken =
    set.get(deleted.id) &&
    new AppError('conflict', 'Another contact of the chatbot has this id', { existing: [deleted.id] });
  const refusal = taken ?? conflict(set, after) ?? (errors.length > 0 ? invalidProperties(errors) : undefined);
  const time = differing.length > 0 ? at : (deleted.updated_at ?? at);
  return { outcome: 'restored', after: touched(after, time), differing, refusal };
}

/** Throws `not_found`. */
export function deletedIn(set: WorkingSet, id: string): StoredContact {
  const contact = set.inBin(id);
  if (contact) return contact;
  throw new AppError('not_found', 'The bin has no such contact', { about: 'contact' });
}

/** Takes a proposal into the set, so that later changes meet it. Throws its refusal. */
export function accept(set: WorkingSet, { outcome, before, after, refusal }: Proposal): void {
  if (refusal) throw refusal;
  if (outcome === 'deleted') set.remove(after);
  else if (after !== before) set.put(after, outcome === 'restored');
}

/** Decides changes one after the other; an AppError refuses its change alone. */
export async function plan(
  set: WorkingSet,
  changes: readonly (Change | AppError)[],
  at: Timestamp,
): Promise<(Proposal | AppError)[]> {
  const decided: (Proposal | AppError)[] = [];
  for (const change of changes) {
    await giveWay();
    decided.push(change instanceof AppError ? change : attempt(() => decide(set, change, at)));
  }
  return decided;
}

function decide(set: WorkingSet, change: Change, at: Timestamp): Proposal {
  const proposal = propose(set, change, at);
  accept(set, proposal);
  return proposal;
}

/** What the work returns, or the AppError that it throws. */
export function attempt<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function conflict(set: WorkingSet, { id, external_id: externalId }: StoredContact, before?: StoredContact) {
  if (externalId === null || externalId === before?.external_id) return undefined;
  const [other] = set.idsAt(`external_id:${externalId}`);
  if (other === undefined || other === id) return undefined;
  const message = 'Another contact of the chatbot has this external_id';
  return new AppError('conflict', message, { about: 'contact', existing: [other] });
}

export function notFound(): AppError {
  return new AppError('not_found', 'There is no such contact', { about: 'contact' });
}

function invalidProperties(errors: ReturnType<typeof put>['errors']): AppError {
  return invalid(
    errors.map(({ field, ...error }) => ({ ...error, field: field === '' ? 'properties' : `properties.${field}` })),
  );
}

/** Throws `invalid` for a new contact that cannot be stored, whatever else is stored. */
export function checkNew(given: Given): void {
  const { errors } = put({ ...unknownContact, id: '', created_at: '' }, given, 'set');
  if (errors.length > 0) throw invalidProperties(errors);
}
