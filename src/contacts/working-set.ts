import { AppError } from '../errors.ts';
import { emailKey } from '../values/email.ts';
import { giveWay } from '../values/give-way.ts';
import { newMoment } from '../values/timestamp.ts';
import type { StoredContact } from './contact.ts';
import type { ContactWrites } from './store.ts';

/** A chatbot of a project. */
export interface Owner {
  projectId: string;
  chatbotId: string;
}

/**
 * The contacts that a write may change, as earlier parts of the same write left them. What is decided here is stored by
 * `flush`, in few statements.
 */
export interface WorkingSet {
  /** The ids of the contacts under a key of the store (`id:…`, `email:…`, `external_id:…`) that was asked for. */
  idsAt(key: string): ReadonlySet<string>;
  get(id: string): StoredContact | undefined;
  /** Throws `conflict` where another contact than this one has the external id. */
  requireFree(externalId: string | null | undefined, contactId?: string): void;
  /** Stores a new contact or another state of one. Throws `conflict` where somebody else has its external id. */
  put(contact: StoredContact): Promise<void>;
  remove(contact: StoredContact): void;
  /** Stores what was decided so far. */
  flush(): Promise<void>;
  /** Whether those removed are in the bin or gone for good; known after `flush`. */
  removal(): 'deleted' | 'purged';
}

const nobody: ReadonlySet<string> = new Set();

/** Loads the contacts under these keys, which nobody else writes until the transaction ends. */
export async function openWorkingSet(
  contacts: ContactWrites,
  { projectId, chatbotId }: Owner,
  keys: Iterable<string>,
): Promise<WorkingSet> {
  const current = new Map<string, StoredContact>();
  const idsByKey = new Map<string, Set<string>>();
  /** As the store has them. */
  const stored = new Map<string, StoredContact>();
  const pending = new Map<string, StoredContact>();
  const removed = new Map<string, StoredContact>();
  const released = new Set<string>();
  let removal: 'deleted' | 'purged' = 'deleted';
  let deletedAt: string | undefined;

  const forget = (id: string) => {
    const contact = current.get(id);
    if (!contact) return;
    for (const key of keysOf(contact)) idsByKey.get(key)?.delete(id);
    current.delete(id);
  };
  const note = (contact: StoredContact) => {
    forget(contact.id);
    current.set(contact.id, contact);
    for (const key of keysOf(contact)) idsByKey.set(key, (idsByKey.get(key) ?? new Set()).add(contact.id));
  };
  const release = (externalId: string | null | undefined) => {
    if (externalId != null) released.add(externalId);
  };
  const idsAt = (key: string) => idsByKey.get(key) ?? nobody;
  const requireFree: WorkingSet['requireFree'] = (externalId, contactId) => {
    const [other] = externalId == null ? [] : idsAt(`external_id:${externalId}`);
    if (other !== undefined && other !== contactId) throw externalIdTaken(other);
  };
  const flush = async () => {
    const saved = [...pending.values()].map((after) => ({ before: stored.get(after.id), after }));
    await contacts.save(projectId, chatbotId, saved);
    for (const { after } of saved) stored.set(after.id, after);
    if (removed.size > 0) {
      deletedAt ??= newMoment();
      removal = await contacts.remove(projectId, chatbotId, [...removed.values()], deletedAt);
    }
    for (const set of [pending, removed, released]) set.clear();
  };

  const found = await contacts.findForWriting(projectId, chatbotId, [...new Set(keys)]);
  for (const contact of [...found.values()].flat()) {
    await giveWay();
    note(contact);
    stored.set(contact.id, contact);
  }
  return {
    idsAt,
    get: (id) => current.get(id),
    requireFree,
    put: async (contact) => {
      const { id, external_id: externalId } = contact;
      const before = current.get(id);
      requireFree(externalId, id);
      // A statement must not meet an external id that another one frees.
      if (externalId !== null && before?.external_id !== externalId && released.has(externalId)) await flush();
      if (before && before.external_id !== externalId) release(before.external_id);
      pending.set(id, contact);
      note(contact);
    },
    remove: (contact) => {
      forget(contact.id);
      release(contact.external_id);
      removed.set(contact.id, contact);
    },
    flush,
    removal: () => removal,
  };
}

export function externalIdTaken(existing: string): AppError {
  return new AppError('conflict', 'Another contact of the chatbot has this external_id', {
    about: 'contact',
    existing: [existing],
  });
}

function keysOf({ id, email, external_id: externalId }: StoredContact): string[] {
  const keys = [`id:${id}`];
  if (email !== null) keys.push(`email:${emailKey(email)}`);
  if (externalId !== null) keys.push(`external_id:${externalId}`);
  return keys;
}

/** The contact, which nobody else writes until the transaction ends, from the bin too where asked. Throws `not_found`. */
export async function requireContact(
  contacts: ContactWrites,
  { projectId, chatbotId }: Owner,
  contactId: string,
  mayBeDeleted = false,
): Promise<StoredContact> {
  const key = `id:${contactId}`;
  const live = (await contacts.findForWriting(projectId, chatbotId, [key])).get(key);
  const [contact] = live ?? (mayBeDeleted ? await contacts.findDeleted(projectId, chatbotId, [contactId]) : []);
  if (contact) return contact;
  throw new AppError('not_found', 'There is no such contact', { about: 'contact' });
}
