import { AppError } from '../../errors.ts';
import { giveWay } from '../../values/give-way.ts';
import { once } from '../../values/once.ts';
import { newMoment } from '../../values/timestamp.ts';
import type { StoredContact } from '../contact.ts';
import type { ChatbotRef, ContactReads, ContactWrites } from '../store.ts';
import { type Aliases, findAliases, wasMerged } from './aliases.ts';
import type { Change } from './given.ts';
import { keysOf, keysToLoad } from './keys.ts';

/** Changes that can be stored together: none takes an external id that another frees. Removals come last. */
interface Step {
  saved: Map<string, { before: StoredContact | undefined; after: StoredContact; isRestored: boolean }>;
  removed: Map<string, StoredContact>;
  freed: Set<string>;
}

/** The contacts that a write may change, as earlier changes of the same write left them, and the steps to store. */
export class WorkingSet {
  readonly #contacts = new Map<string, StoredContact>();
  /** Lists, because nearly every key has one id, and a Set takes five times the memory. */
  readonly #idsByKey = new Map<string, readonly string[]>();
  readonly #deleted: ReadonlyMap<string, StoredContact>;
  readonly aliases: Aliases;
  readonly steps: Step[] = [];
  /** How many contacts the project may get by this write; asked only by a change that adds one. */
  readonly room: () => Promise<number>;
  added = 0;

  constructor(aliases: Aliases, room: () => Promise<number>, deleted: readonly StoredContact[] = []) {
    this.aliases = aliases;
    this.room = once(room);
    this.#deleted = new Map(deleted.map((contact) => [contact.id, contact]));
  }

  get(id: string): StoredContact | undefined {
    return this.#contacts.get(id);
  }

  inBin(id: string): StoredContact | undefined {
    return this.#deleted.get(id);
  }

  idsAt(key: string): readonly string[] {
    const id = key.startsWith('id:') ? key.slice('id:'.length) : undefined;
    if (id === undefined) return this.#idsByKey.get(key) ?? [];
    return this.#contacts.has(id) ? [id] : [];
  }

  load(key: string, people: readonly StoredContact[]): void {
    for (const contact of people) this.#contacts.set(contact.id, contact);
    const ids = people.map(({ id }) => id);
    this.#idsByKey.set(key, ids);
  }

  note(contact: StoredContact): void {
    const { id } = contact;
    const before = this.#contacts.get(id);
    this.#contacts.set(id, contact);
    if (before && haveSameKeys(before, contact)) return;
    if (before) this.#forgetKeys(before);
    const [, ...keys] = keysOf(contact);
    for (const key of keys) {
      const ids = this.#idsByKey.get(key);
      this.#idsByKey.set(key, ids ? [...ids, id] : [id]);
    }
  }

  /** Adds a contact, or another state of one, that is to be stored. */
  put(after: StoredContact, isRestored = false): void {
    const { id, external_id: externalId } = after;
    const before = this.#contacts.get(id);
    const isTaken = externalId !== null && externalId !== before?.external_id;
    const step = this.#step(isTaken ? externalId : null);
    if (isTaken) this.aliases.end(externalId, id);
    if (before && before.external_id !== null && before.external_id !== externalId) step.freed.add(before.external_id);
    const earlier = step.saved.get(id);
    if (earlier) earlier.after = after;
    else step.saved.set(id, { before, after, isRestored });
    this.note(after);
  }

  remove(contact: StoredContact): void {
    const step = this.#step(null);
    if (contact.external_id !== null) step.freed.add(contact.external_id);
    step.removed.set(contact.id, contact);
    this.#forgetKeys(contact);
    this.#contacts.delete(contact.id);
  }

  /** The contacts to store, in their new state, with their old and new keys. */
  changed(): { id: string; keys: string[]; person: StoredContact }[] {
    const befores = new Map(
      this.steps.toReversed().flatMap(({ saved }) => Array.from(saved, ([id, one]) => [id, one.before])),
    );
    return Array.from(befores).flatMap(([id, before]) => {
      const person = this.#contacts.get(id);
      return person ? { id, keys: [...keysOf(person), ...(before ? keysOf(before) : [])], person } : [];
    });
  }

  #step(externalId: string | null): Step {
    const last = this.steps.at(-1);
    if (last && (externalId === null || !last.freed.has(externalId))) return last;
    const step = { saved: new Map(), removed: new Map(), freed: new Set<string>() };
    this.steps.push(step);
    return step;
  }

  #forgetKeys(contact: StoredContact): void {
    const [, ...keys] = keysOf(contact);
    for (const key of keys) {
      const others = this.idsAt(key).filter((id) => id !== contact.id);
      this.#idsByKey.set(key, others);
    }
  }
}

function haveSameKeys(one: StoredContact, other: StoredContact): boolean {
  const { email, external_id: externalId, import_digest: digest } = one;
  return email === other.email && externalId === other.external_id && digest === other.import_digest;
}

/** Loads all contacts that matter for the changes. No one else writes them until the transaction ends. */
export async function openWorkingSet(
  contacts: ContactWrites,
  { projectId, chatbotId }: ChatbotRef,
  changes: readonly Pick<Change, 'op' | 'mode' | 'keys' | 'given' | 'ifNew'>[],
): Promise<WorkingSet> {
  const keys = new Set(changes.flatMap(keysToLoad));
  const live = await contacts.findForWriting(projectId, chatbotId, [...keys]);
  const aliases = await findAliases(contacts, { projectId, chatbotId }, changes, live);
  const ids = changes.flatMap(({ op, keys: [key = ''], ifNew }) => {
    if (op === 'restore') return key.slice('id:'.length);
    if (ifNew?.id === undefined || live.has(key)) return [];
    return aliases.targetsOf(`id:${ifNew.id}`)[0] ?? ifNew.id;
  });
  const hasBin = ids.length > 0 && (await contacts.hasDeleted(projectId, chatbotId));
  const deleted = hasBin ? await contacts.findDeleted(projectId, chatbotId, [...new Set(ids)]) : [];
  const set = new WorkingSet(aliases, () => contacts.room(projectId, chatbotId), deleted);
  const others = deleted.flatMap(({ external_id: id }) => (id === null ? [] : `external_id:${id}`));
  const targets = [...keys].flatMap((key) => aliases.targetsOf(key).map((id) => `id:${id}`));
  const unloaded = [...new Set([...others, ...targets])].filter((key) => !live.has(key));
  const more = unloaded.length > 0 ? await contacts.findForWriting(projectId, chatbotId, unloaded) : [];
  for (const [key, people] of [...live, ...more]) {
    await giveWay();
    set.load(key, people);
  }
  return set;
}

/** Stores the steps of the set. Returns whether removed contacts went to the bin or are purged. */
export async function store(
  contacts: ContactWrites,
  { projectId, chatbotId }: ChatbotRef,
  { steps, aliases }: WorkingSet,
): Promise<'deleted' | 'purged'> {
  let removal: 'deleted' | 'purged' = 'deleted';
  const at = newMoment();
  for (const { saved, removed } of steps) {
    const restored = [...saved].flatMap(([id, { isRestored }]) => (isRestored ? id : []));
    if (restored.length > 0) await contacts.takeOut(projectId, chatbotId, restored);
    await contacts.save(projectId, chatbotId, [...saved.values()]);
    if (removed.size > 0) removal = await contacts.remove(projectId, chatbotId, [...removed.values()], at);
  }
  if (aliases.ended.size > 0) await contacts.endAliases(projectId, chatbotId, [...aliases.ended]);
  return removal;
}

/** Returns a contact that no one else writes until the transaction ends, from the bin if asked. Throws `not_found`. */
export async function requireContact(
  contacts: ContactReads & ContactWrites,
  { projectId, chatbotId }: ChatbotRef,
  contactId: string,
  mayBeDeleted = false,
): Promise<StoredContact> {
  const key = `id:${contactId}`;
  const live = (await contacts.findForWriting(projectId, chatbotId, [key])).get(key);
  const [contact] = live ?? (mayBeDeleted ? await contacts.findDeleted(projectId, chatbotId, [contactId]) : []);
  if (contact) return contact;
  const [merged] = await contacts.mergedAmong(projectId, chatbotId, [contactId]);
  if (merged && mayBeDeleted) return merged;
  throw merged ? wasMerged(chatbotId, merged.merged_into) : noContact();
}

export function noContact(): AppError {
  return new AppError('not_found', 'There is no such contact', { about: 'contact' });
}
