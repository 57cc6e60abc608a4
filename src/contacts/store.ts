import type { Position } from '../values/cursor.ts';
import type { Timestamp } from '../values/timestamp.ts';
import type { Contact, StoredContact } from './contact.ts';

/** Newest or oldest first by `created_at`, or those in the bin, by `deleted_at`, newest first. Then by id in the same direction. */
export type ContactList = 'newest' | 'oldest' | 'deleted';

interface DeletedContact extends StoredContact {
  /** A moment, by which the bin is sorted; shown in whole seconds. */
  deleted_at: string;
}

export type ListedContact = Contact | StoredContact | DeletedContact;

export interface ListedAs {
  list: ContactList;
  /** Whether all that is kept is read, and not the eight fields alone. */
  isWhole: boolean;
}

export function positionIn(list: ContactList, contact: ListedContact): Position {
  const time = list === 'deleted' && 'deleted_at' in contact ? contact.deleted_at : contact.created_at;
  return [time, contact.id];
}

/** Contacts that have words beginning with all of these, folded, and the tag, by the order in which they were added. */
export interface ContactSearch {
  words: readonly string[];
  tag?: string | undefined;
  order: 'newest' | 'oldest';
  after?: number | undefined;
  /** Between these texts of times, both excluded. */
  created?: { after: string; before: string } | undefined;
  limit: number;
}

type FoundContact = (Contact | StoredContact) & {
  /** The number of its addition: the order of search, over all chatbots. */
  place: number;
};

export interface RevisedContact extends Contact {
  revision: number;
}

/** A contact as a write leaves it, and as it was before; one without `before` is added. */
export interface SavedContact {
  before?: StoredContact | undefined;
  after: StoredContact;
}

export interface OwnedContact extends StoredContact {
  chatbot_id: string;
}

/** A contact that was put into another one. Once nobody can undo that, only its id and keys are left. */
export interface MergedContact extends OwnedContact {
  email_key: string | null;
  /** Its external id, while that leads to the one that stays. */
  alias: string | null;
  merge_id: string;
  /** Whom it was put into, which may have been put into another since. */
  first_into: string;
  /** The one that stays. */
  merged_into: string;
  merged_at: Timestamp;
}

/** All that is kept of some contacts, with what was put into them. */
export interface Kept {
  contacts: OwnedContact[];
  deleted: (OwnedContact & Pick<DeletedContact, 'deleted_at'>)[];
  merged: MergedContact[];
}

export type Place = Pick<OwnedContact, 'chatbot_id' | 'id'>;

/** A merge. Its texts are JSON, and hold no value but `former`. */
export interface StoredMerge {
  id: string;
  /** The one that stays. */
  contact_id: string;
  merged_at: Timestamp;
  request: string;
  result: string;
  /** The values that the merge replaced; null once nobody can undo it. */
  former: string | null;
}

export interface ContactReads {
  /** Undefined for a contact of another chatbot or project as for none at all. */
  find(projectId: string, chatbotId: string, contactId: string): Promise<RevisedContact | undefined>;
  findWhole(projectId: string, chatbotId: string, contactId: string): Promise<StoredContact | undefined>;
  /**
   * Those of these contacts that were put into another one; by `target`, those that were put into these. Without a chatbot, of
   * all.
   */
  mergedAmong(
    projectId: string,
    chatbotId: string | undefined,
    contactIds: readonly string[],
    by?: 'id' | 'target',
  ): Promise<MergedContact[]>;
  findMerge(projectId: string, chatbotId: string, mergeId: string): Promise<StoredMerge | undefined>;
  /** The existing ones of these contacts, in any order; without a chatbot, of all. */
  among(projectId: string, chatbotId: string | undefined, contactIds: readonly string[]): Promise<OwnedContact[]>;
  /**
   * The contacts with this value, newest first: of an e-mail in any letter case, of a phone by its digits. Where nobody has it,
   * those into whom somebody was put who had it. Without a chatbot, those of each.
   */
  lookup(
    projectId: string,
    chatbotId: string | undefined,
    kind: 'email' | 'phone' | 'external_id',
    value: string,
  ): Promise<OwnedContact[]>;
  kept(projectId: string, chatbotId: string, contactIds: readonly string[]): Promise<Kept>;
  /** Like `lookup` without a chatbot, but also in the bin and among merged contacts, which it looks through. */
  findKept(projectId: string, kind: 'email' | 'phone' | 'external_id', value: string): Promise<Place[]>;
  /** A page of a list, and how many there are in all; undefined where there is no such chatbot. */
  page(
    projectId: string,
    chatbotId: string,
    list: ListedAs,
    page: number,
    perPage: number,
  ): Promise<{ total: number; contacts: ListedContact[] } | undefined>;
  /** The first contacts of a list after a position; missing is its beginning. */
  after(
    projectId: string,
    chatbotId: string,
    list: ListedAs,
    position: Position | undefined,
    limit: number,
  ): Promise<ListedContact[]>;
  /** The first contacts that a search finds. Throws `unavailable` while those of the chatbot are being indexed. */
  search(projectId: string, chatbotId: string, search: ContactSearch, isWhole: boolean): Promise<FoundContact[]>;
  /** All contacts of a chatbot in pages, by id; a contact that is there throughout comes exactly once. */
  listAll(projectId: string, chatbotId: string): AsyncIterable<StoredContact[]>;
  /** Sorted; with more than `max`, some of them. */
  attributeNames(projectId: string, chatbotId: string, max: number): Promise<string[]>;
  /** Days for which a deleted contact can be restored; 0 is not at all. */
  binDays(): Promise<number>;
}

export interface ContactWrites {
  /** The contacts under keys (`KIND:VALUE`); they stay so until the end of a write that names its chatbot as its queue. */
  findForWriting(
    projectId: string,
    chatbotId: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly StoredContact[]>>;
  /** Added contacts have `updated_at`; the events of the write hold their number. `before` is exactly what is stored. */
  save(projectId: string, chatbotId: string, contacts: readonly SavedContact[]): Promise<void>;
  /** Puts contacts into the bin, or deletes them for good where none is kept; tells which. */
  remove(
    projectId: string,
    chatbotId: string,
    contacts: readonly StoredContact[],
    at: string,
  ): Promise<'deleted' | 'purged'>;
  hasDeleted(projectId: string, chatbotId: string): Promise<boolean>;
  /** The contacts that are in the bin; none without a bin, even if some are left in it. */
  findDeleted(projectId: string, chatbotId: string, contactIds: readonly string[]): Promise<StoredContact[]>;
  /** Moves contacts back from the bin. Their ids and external ids must be free. */
  restore(projectId: string, chatbotId: string, contacts: readonly StoredContact[]): Promise<void>;
  /** Deletes contacts for good, from the bin too. Returns the number of those that were there. */
  purge(projectId: string, chatbotId: string, contactIds: readonly string[]): Promise<number>;
  /** Like `purge`, but only from the bin. */
  purgeDeleted(projectId: string, chatbotId: string, contactIds: readonly string[]): Promise<number>;
  /** The merged contacts that had one of these keys, and all others that lead where they do or to `targets`. */
  findAliases(
    projectId: string,
    chatbotId: string,
    keys: readonly string[],
    targets: readonly string[],
  ): Promise<MergedContact[]>;
  /** These external ids lead to nobody any more. */
  endAliases(projectId: string, chatbotId: string, externalIds: readonly string[]): Promise<void>;
  /** Puts sources aside, and what leads to them leads to the one that stays, which is saved afterwards. */
  merge(projectId: string, chatbotId: string, merge: StoredMerge, sources: readonly StoredContact[]): Promise<void>;
  /** Takes sources back, with what led to them. Their ids and external ids must be free. */
  unmerge(projectId: string, chatbotId: string, merge: StoredMerge, sources: readonly StoredContact[]): Promise<void>;
  /** Keeps only ids and keys of what was merged before this time, `limit` merges at most. Returns how many. */
  forgetMerged(projectId: string, chatbotId: string, before: Timestamp, limit: number): Promise<number>;
}

/** How far an import has come through the contacts of a chatbot at their source. */
export interface ImportWalk {
  /** Which list it walks through: a place in one says nothing about another. */
  source: string;
  /** `tail` once everybody who was there at the beginning is stored: only newcomers are left. */
  phase: 'whole' | 'tail';
  /** Where it goes on, in the words of the source. */
  place: string;
}

export interface ImportWalkReads {
  find(projectId: string, chatbotId: string): Promise<ImportWalk | undefined>;
}

export interface ImportWalkWrites {
  save(projectId: string, chatbotId: string, walk: ImportWalk): Promise<void>;
}
