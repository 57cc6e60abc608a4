import { type Change, type Written } from '../events/event.ts';
import type { Stored } from '../imports.ts';
import { write } from '../operation.ts';
import type { UnitOfWork } from '../store.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { changedNames } from './apply.ts';
import { type StoredContact, touched } from './contact.ts';
import { binKey } from './import-keys.ts';
import type { ImportWalk } from './import-walk.ts';
import type { ContactWrites } from './store.ts';
import type { Owner } from './working-set.ts';

export interface ContactBatch {
  chatbotId: string;
  keys: readonly string[];
  /** Chooses the contacts to store once everybody under the keys is found, those in the bin too. */
  decide: (stored: Stored<StoredContact>) => readonly StoredContact[];
  /** Where the next import of the chatbot goes on after this batch. */
  walk?: ImportWalk | undefined;
}

/** Stores one batch of an import: one transaction, and one event for each kind of change in it. */
export const importContacts = write({
  name: 'importContacts',
  scope: 'contacts:write',
  queue: 'chatbot',
  run: async (unit, { projectId }, batch: ContactBatch): Promise<Written<void>> => ({
    output: undefined,
    changes: await storeBatch(unit, projectId, batch),
  }),
});

/** Stores the batch, and returns an event for each kind of change. */
export async function storeBatch(
  { contacts, importWalks }: Pick<UnitOfWork, 'contacts' | 'importWalks'>,
  projectId: string,
  { chatbotId, keys, decide, walk }: ContactBatch,
): Promise<Change[]> {
  const owner = { projectId, chatbotId };
  const found = await contacts.findForWriting(projectId, chatbotId, keys);
  const before = new Map([...found.values()].flat().map((contact) => [contact.id, contact]));
  const bin = await findInBin(contacts, owner, keys, found);
  const chosen = decide((key) => found.get(key) ?? bin.get(key) ?? []);
  const at = formatTimestamp(new Date());
  const added = chosen.filter(({ id }) => !before.has(id)).map((one) => touched(one, one.updated_at ?? at));
  const isUpdated = (one: StoredContact) => changedNames(before.get(one.id) ?? one, one).length > 0;
  // A row that only stores its digest records no event, so the revision stays.
  const replaced = chosen
    .filter(({ id }) => before.has(id))
    .map((one) => (isUpdated(one) ? touched(one, one.updated_at ?? at) : one));
  const restored = bin.size === 0 ? [] : added.filter(({ id }) => bin.has(binKey(id)));
  const created = restored.length === 0 ? added : added.filter(({ id }) => !bin.has(binKey(id)));
  // A statement must not meet an external id that another row of it frees.
  const freed = replaced.flatMap((contact) => withoutExternalId(before.get(contact.id), contact));
  await contacts.save(
    projectId,
    chatbotId,
    freed.map((after) => ({ before: before.get(after.id), after })),
  );
  const stored = new Map([...before.values(), ...freed].map((contact) => [contact.id, contact]));
  if (restored.length > 0) await contacts.purge(projectId, chatbotId, idsOf(restored));
  const saved = [...added, ...replaced].map((after) => ({ before: stored.get(after.id), after }));
  await contacts.save(projectId, chatbotId, saved);
  if (walk) await importWalks.save(projectId, chatbotId, walk);
  const updated = replaced.filter(isUpdated);
  return [
    ...changeOf('contact.created', chatbotId, created),
    ...changeOf('contact.restored', chatbotId, restored),
    ...changeOf('contact.updated', chatbotId, updated),
  ];
}

/** Contacts in the bin whose ids are among the keys, and contacts that now have their external ids. */
async function findInBin(
  contacts: ContactWrites,
  { projectId, chatbotId }: Owner,
  keys: readonly string[],
  found: ReadonlyMap<string, readonly StoredContact[]>,
): Promise<ReadonlyMap<string, readonly StoredContact[]>> {
  if (!keys.some(isById) || !(await contacts.hasDeleted(projectId, chatbotId))) return new Map();
  const ids = keys.filter((key) => isById(key) && !found.has(key)).map((key) => key.slice('id:'.length));
  const deleted = await contacts.findDeleted(projectId, chatbotId, [...new Set(ids)]);
  if (deleted.length === 0) return new Map();
  const taken = deleted.flatMap(({ external_id: id }) => (id === null ? [] : `external_id:${id}`));
  const others = await contacts.findForWriting(projectId, chatbotId, taken);
  return new Map([...others, ...deleted.map((contact) => [binKey(contact.id), [contact]] as const)]);
}

function isById(key: string): boolean {
  return key.startsWith('id:');
}

/** The contact as it was, but for an external id that it no longer has after the change. */
function withoutExternalId(before: StoredContact | undefined, after: StoredContact): StoredContact[] {
  const isFreed = before && before.external_id !== null && before.external_id !== after.external_id;
  return isFreed ? [{ ...before, external_id: null }] : [];
}

function idsOf(contacts: readonly StoredContact[]): string[] {
  return contacts.map(({ id }) => id);
}

function changeOf(type: Change['type'], chatbotId: string, contacts: readonly StoredContact[]): Change[] {
  return contacts.length === 0 ? [] : [{ type, chatbot_id: chatbotId, contact_ids: idsOf(contacts) }];
}
