import type { Abortable } from '../values/abortable.ts';
import type { Position } from '../values/cursor.ts';
import type { Contact, OwnedContact, StoredContact } from './contact.ts';
import type { MergedContact, MergeReads, MergeWrites, ReplacedValues } from './merging/store.ts';
import type { Condition } from './where.ts';

/** Newest or oldest first by `created_at`, or those in the bin, by `deleted_at`, newest first. Then by id in the same direction. */
export type ContactList = 'newest' | 'oldest' | 'deleted';

interface DeletedContact extends StoredContact {
  /** A moment, by which the bin is sorted; shown in whole seconds. */
  deleted_at: string;
}

export type ListedContact = Contact | StoredContact | DeletedContact;

export interface ListedAs {
  list: ContactList;
  /** Whether all that is kept is read, and not what every answer shows alone. */
  isWhole: boolean;
}

export function positionIn(list: ContactList, contact: ListedContact): Position {
  const time = list === 'deleted' && 'deleted_at' in contact ? contact.deleted_at : contact.created_at;
  return [time, contact.id];
}

/** A range of times without its ends. */
export interface Between {
  after: string;
  before: string;
}

export type UpdatePosition = readonly [updated: string, id: string, chatbotId: string];

/** A search: each of its folded words begins a word of the contact, which has the tag and meets the conditions. */
export interface ContactSearch {
  /** Missing means all chatbots of the project. */
  chatbotIds?: readonly string[] | undefined;
  words: readonly string[];
  tag?: string | undefined;
  where?: readonly Condition[] | undefined;
  created?: Between | undefined;
  updated?: { from: string; before: string } | undefined;
  order: 'newest' | 'oldest';
  /** The place after which the search goes on. A search by update, which has no words, goes on after `byUpdate`. */
  after?: number | undefined;
  byUpdate?: { after?: UpdatePosition | undefined } | undefined;
  limit: number;
}

type FoundContact = (Contact | StoredContact) & {
  chatbot_id: string;
  updated_at: string | null;
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

export interface Kept {
  contacts: OwnedContact[];
  deleted: (OwnedContact & Pick<DeletedContact, 'deleted_at'>)[];
  merged: MergedContact[];
  /** Of all these, the earliest merge first. */
  replaced: ReplacedValues[];
}

export interface ChatbotRef {
  projectId: string;
  chatbotId: string;
}

export type ContactRef = Pick<OwnedContact, 'chatbot_id' | 'id'>;

export function refKey({ chatbot_id: chatbotId, id }: ContactRef): string {
  return JSON.stringify([chatbotId, id]);
}

export function refsIn({ contacts, deleted, merged }: Kept): ContactRef[] {
  return [...contacts, ...deleted, ...merged];
}

export interface ContactReads extends MergeReads {
  /** Undefined for a contact of another chatbot or project as for none at all. */
  find(projectId: string, chatbotId: string, contactId: string): Promise<RevisedContact | undefined>;
  findWhole(projectId: string, chatbotId: string, contactId: string): Promise<StoredContact | undefined>;
  /** In any order; an id that nobody has is left out. */
  among(projectId: string, chatbotId: string, contactIds: readonly string[]): Promise<OwnedContact[]>;
  /** The contacts with these ids; for a merged contact, the one that stays. Without a chatbot, in each. */
  resolve(
    projectId: string,
    chatbotId: string | undefined,
    ids: readonly string[],
  ): Promise<{ id: string; contact: OwnedContact }[]>;
  /** Newest first; e-mail in any case, phone by digits; else by an alias. Without a chatbot: those of all chatbots. */
  lookup(
    projectId: string,
    chatbotId: string | undefined,
    kind: 'email' | 'phone' | 'external_id',
    value: string,
    /** Look-ups of a project that find thousands take turns, and throw `unavailable` if too many wait. */
    caller?: Abortable,
  ): Promise<OwnedContact[]>;
  /** With a caller, calls take turns as those of `lookup` do. */
  kept(projectId: string, places: readonly ContactRef[], caller?: Abortable): Promise<Kept>;
  /** Like `lookup` without a chatbot, but also in the bin and among merged contacts, which it looks through. */
  findKept(
    projectId: string,
    kind: 'email' | 'phone' | 'external_id',
    value: string,
    caller?: Abortable,
  ): Promise<ContactRef[]>;
  /** A page of a list, and how many there are in all; undefined where there is no such chatbot. */
  page(
    projectId: string,
    chatbotId: string,
    list: ListedAs,
    page: number,
    perPage: number,
  ): Promise<{ total: number; contacts: ListedContact[] } | undefined>;
  /** Without a position, from the beginning of the list. */
  after(
    projectId: string,
    chatbotId: string,
    list: ListedAs,
    position: Position | undefined,
    limit: number,
  ): Promise<ListedContact[]>;
  /** The first contacts that a search finds. Throws `unavailable` while some that it may mean are being indexed. */
  search(projectId: string, search: ContactSearch, isWhole: boolean): Promise<FoundContact[]>;
  /** Without chatbots: of the whole project. */
  count(projectId: string, chatbotIds?: readonly string[]): Promise<number>;
  /** All contacts of a chatbot in pages, by id; a contact that is there throughout comes exactly once. */
  listAll(projectId: string, chatbotId: string): AsyncIterable<StoredContact[]>;
  /** Sorted; with more than `max`, some of them. */
  attributeNames(projectId: string, chatbotId: string, max: number): Promise<string[]>;
  /** Days for which a deleted contact can be restored; 0 is not at all. */
  binDays(): Promise<number>;
}

export interface ContactWrites extends MergeWrites {
  /** The contacts under keys (`KIND:VALUE`); they stay so until the end of a write that names its chatbot as its queue. */
  findForWriting(
    projectId: string,
    chatbotId: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly StoredContact[]>>;
  /** Contacts the project may still get, or Infinity. With a limit, no other write adds any until the end of this. */
  room(projectId: string, chatbotId: string): Promise<number>;
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
  /** Takes contacts out of the bin, for the caller to save. Their ids and external ids must be free. */
  takeOut(projectId: string, chatbotId: string, contactIds: readonly string[]): Promise<void>;
  /** Deletes contacts for good, from the bin too, with what was merged into them. Returns the ids of all that were there. */
  purge(projectId: string, chatbotId: string, contactIds: readonly string[]): Promise<string[]>;
  purgeDeleted(projectId: string, chatbotId: string, contactIds: readonly string[]): Promise<string[]>;
}
