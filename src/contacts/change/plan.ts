import { AppError } from '../../errors.ts';
import { invalid } from '../../validation.ts';
import { newId } from '../../values/identifier.ts';
import type { Timestamp } from '../../values/timestamp.ts';
import { type StoredContact, touched, unknownContact } from '../contact.ts';
import { type Change, differences, type Given } from './given.ts';
import { find } from './match.ts';
import { put } from './put.ts';
import { throughAliases } from './through-aliases.ts';
import { noContact, type WorkingSet } from './working-set.ts';

export interface Proposal {
  outcome: 'created' | 'restored' | 'updated' | 'unchanged' | 'deleted';
  before?: StoredContact | undefined;
  key?: string | undefined;
  isOneOfSeveral?: boolean | undefined;
  isAlias?: boolean | undefined;
  after: StoredContact;
  differing: readonly string[];
  refusal?: AppError | undefined;
}

/** Proposes the outcome of a change, and changes nothing. Throws `not_found` or `ambiguous_match`. */
export function propose(set: WorkingSet, change: Change, at: Timestamp): Proposal {
  const { op } = change;
  const found = op === 'restore' ? undefined : find(set, change);
  if (!found && (op === 'update' || op === 'delete' || (op === 'upsert' && !change.ifNew))) throw noContact();
  const { contact: before, key, isOneOfSeveral } = found ?? {};
  if (before && op === 'delete') return { outcome: 'deleted', before, after: before, differing: [] };
  const deleted = before ? undefined : deletedFor(set, change);
  const known = before ?? deleted;
  const isAlias = found?.isAlias ?? (deleted !== undefined && op !== 'restore' && deleted.id !== change.ifNew?.id);
  const { given, mode } = known ? throughAliases(set, change, known, isAlias) : change;
  const { after, errors } = put(known ?? nobody(change, at), given, mode);
  const differing = known ? differences(known, after) : [];
  const about = { before, key, isOneOfSeveral, isAlias, differing };
  if (before && differing.length === 0) return { ...about, outcome: 'unchanged', after };
  const outcome = before ? 'updated' : deleted ? 'restored' : 'created';
  const taken = conflict(set, after, before);
  const fault = errors.length > 0 ? invalidProperties(errors) : undefined;
  const refusal = outcome === 'created' ? (fault ?? taken) : (taken ?? fault);
  // A contact restored without a change keeps the time of its last change.
  const time = deleted && differing.length === 0 ? (deleted.updated_at ?? at) : at;
  return { ...about, outcome, after: touched(after, time), refusal };
}

function nobody({ ifNew: { id, ...more } = {} }: Change, at: Timestamp): StoredContact {
  const identity = { id: id ?? newId(), created_at: at, inserted_as: id === undefined ? null : newId() };
  return { ...unknownContact, ...identity, ...more };
}

/** The contact in the bin that a change restores. Throws `not_found` where it must be there. */
export function deletedFor(set: WorkingSet, { op, keys: [key = ''], ifNew }: Change): StoredContact | undefined {
  const id = op === 'restore' ? key.slice('id:'.length) : (ifNew?.id ?? '');
  if (op !== 'restore') return set.inBin(set.aliases.targetsOf(`id:${id}`)[0] ?? id);
  set.aliases.requireUnmerged(id);
  const contact = set.inBin(id);
  if (contact) return contact;
  throw new AppError('not_found', 'The bin has no such contact', { about: 'contact' });
}

/** Like `propose`, and refuses to add a contact where the project has no room. */
export async function proposeWithin(set: WorkingSet, change: Change, at: Timestamp): Promise<Proposal> {
  const proposal = propose(set, change, at);
  if (!isAddition(proposal) || proposal.refusal || (await set.room()) > set.added) return proposal;
  return { ...proposal, refusal: contactsExhausted() };
}

function isAddition({ outcome }: Proposal): boolean {
  return outcome === 'created' || outcome === 'restored';
}

export function contactsExhausted(): AppError {
  return new AppError('contacts_exhausted', 'The project has as many contacts as it may have', { about: 'project' });
}

/** Puts a proposal into the set, so that later changes see it. Throws its refusal. */
export function accept(set: WorkingSet, proposal: Proposal): void {
  const { outcome, before, after, refusal } = proposal;
  if (refusal) throw refusal;
  if (isAddition(proposal)) set.added++;
  if (outcome === 'deleted') set.added--;
  if (outcome === 'deleted') set.remove(after);
  else if (after !== before) set.put(after, outcome === 'restored');
}

export function conflict(set: WorkingSet, { id, external_id: externalId }: StoredContact, before?: StoredContact) {
  // An older program, which knows no bin, may have added a contact with the id of one in the bin.
  if (!before && set.get(id)) {
    return new AppError('conflict', 'Another contact of the chatbot has this id', { existing: [id] });
  }
  if (externalId === null || externalId === before?.external_id) return undefined;
  const [other] = set.idsAt(`external_id:${externalId}`);
  if (other === undefined || other === id) return undefined;
  const message = 'Another contact of the chatbot has this external_id';
  return new AppError('conflict', message, { about: 'contact', existing: [other] });
}

function invalidProperties(errors: ReturnType<typeof put>['errors']): AppError {
  return invalid(
    errors.map(({ field, ...error }) => ({ field: field === '' ? 'properties' : `properties.${field}`, ...error })),
  );
}

/** Throws `invalid` for a new contact that could never be stored, whichever contacts exist. */
export function checkNew(given: Given): void {
  const { errors } = put({ ...unknownContact, id: '', created_at: '' }, given, 'set');
  if (errors.length > 0) throw invalidProperties(errors);
}
