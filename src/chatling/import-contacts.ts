import { operator } from '../actor.ts';
import { bulkContacts } from '../contacts/bulk.ts';
import type { StoredContact } from '../contacts/contact.ts';
import type { Draft } from '../contacts/draft.ts';
import { rowKeys } from '../contacts/import-keys.ts';
import type { ImportWalk } from '../contacts/import-walk.ts';
import { importContacts, looksKnown } from '../contacts/import.ts';
import { mirrored, type Outcome } from '../imports.ts';
import { run } from '../operation.ts';
import { type ContactStep, contactSteps, vanished } from './contact-steps.ts';
import type { ImportContext, Memory } from './context.ts';
import { idOf, type Raw, readContact } from './reading.ts';

/** An event names at most a thousand contacts, and a page of another Roster has a hundred. */
const contactsFull = 900;
/** An interruption loses at most this much reading. */
const secondsMax = 5;

export async function importContactsOf(context: ImportContext, chatbotId: string): Promise<void> {
  const { source, store, projectId, isDryRun, isReconciling, onProgress } = context;
  using memory = context.openMemory();
  const stored = await store.importWalks.find(projectId, chatbotId);
  const isFresh = isReconciling || isDryRun;
  const batch = openContactBatch(context, chatbotId, memory);
  const keepsPlace = isReconciling && stored?.phase === 'tail' && stored.source === source.listName;
  const areKnown = (items: readonly Raw[]) => areAllKnown(context, chatbotId, { memory, batch }, items);
  let read = 0;
  try {
    for await (const { items, walk, left } of contactSteps(source, chatbotId, areKnown, isFresh ? undefined : stored)) {
      // A reconciliation that is interrupted leaves a finished import finished.
      await batch.add(keepsPlace && walk.phase === 'whole' ? { items } : { items, walk });
      read += items.length;
      onProgress(chatbotId, read, left);
    }
    if (isReconciling) await removeUnmet(context, chatbotId, memory, batch);
  } finally {
    await batch.flush();
  }
}

/** Treats contacts that cannot be stored as known, so that they are not read again. */
async function areAllKnown(
  { source, store, projectId, isDryRun }: ImportContext,
  chatbotId: string,
  { memory, batch }: { memory: Memory; batch: ContactBatch },
  items: readonly Raw[],
): Promise<boolean> {
  const ids = items
    .filter((item) => 'contact' in readContact(item, source.isRoster))
    .flatMap((item) => idOf(item) ?? [])
    .filter((id) => !batch.has(id) && !(isDryRun && memory.plannedAt([`id:${id}`]).length > 0));
  if (ids.length === 0) return true;
  const known = await store.contacts.resolve(projectId, chatbotId, ids);
  return known.length === new Set(ids).size;
}

const removedAtOnce = 100;

/** Moves contacts that the walk did not meet into the bin, if the source answers that they do not exist. */
async function removeUnmet(
  context: ImportContext,
  chatbotId: string,
  memory: Memory,
  batch: ContactBatch,
): Promise<void> {
  const { source, store, projectId, report, isDryRun } = context;
  let gone: string[] = [];
  const remove = async () => {
    const merged = await store.contacts.mergedInto(projectId, chatbotId, gone);
    const led = new Set(merged.flatMap(({ id, merged_into: into }) => (memory.get(id) === undefined ? [] : into)));
    // The contacts merged into them are still at the source.
    const items = gone.filter((id) => !led.has(id)).map((id) => ({ op: 'delete' as const, id }));
    gone = [];
    if (items.length === 0) return;
    // If the chatbot is deleted, every contact looks deleted.
    if (!(await source.chatbot(chatbotId))) throw vanished();
    if (isDryRun) report.contacts.deleted += items.length;
    else {
      const { output } = await run(bulkContacts, store, operator(projectId), { chatbotId, items });
      report.contacts.deleted += output.succeeded;
    }
  };
  await batch.flush();
  for await (const contacts of store.contacts.listAll(projectId, chatbotId)) {
    for (const { id } of contacts.filter((contact) => memory.get(contact.id) === undefined)) {
      const found = await source.contact(chatbotId, id);
      if (found) await batch.add({ items: [found] });
      else gone.push(id);
      if (gone.length >= removedAtOnce) await remove();
    }
  }
  await remove();
}

function openContactBatch(context: ImportContext, chatbotId: string, memory: Memory) {
  let items: Raw[] = [];
  let walk: ImportWalk | undefined;
  let since = 0;
  const flush = async (): Promise<void> => {
    const batch = items;
    items = [];
    if (batch.length > 0 || walk) await storeBatch(context, chatbotId, memory, batch, walk);
    walk = undefined;
  };
  return {
    add: async (step: Pick<ContactStep, 'items'> & { walk?: ImportWalk }): Promise<void> => {
      if (items.length === 0) since = performance.now();
      items.push(...step.items);
      walk = step.walk;
      if (items.length >= contactsFull || performance.now() - since > secondsMax * 1000) await flush();
    },
    flush,
    has: (id: string) => items.some((item) => idOf(item) === id),
  };
}

type ContactBatch = ReturnType<typeof openContactBatch>;

async function storeBatch(
  context: ImportContext,
  chatbotId: string,
  memory: Memory,
  batch: readonly Raw[],
  walk: ImportWalk | undefined,
): Promise<void> {
  const { source, store, projectId, isDryRun: isDry, report } = context;
  const read = batch.map((raw) => ({ raw, reading: readContact(raw, source.isRoster) }));
  const contacts = read.flatMap(({ reading }) => ('contact' in reading ? reading.contact : []));
  const given = mirrored<Draft, StoredContact>(contacts);
  const planned = isDry ? memory.plannedAt(given.rows.flatMap((row) => [...rowKeys(row)])) : [];
  const { output } = await run(importContacts, store, operator(projectId), {
    ...given,
    chatbotId,
    isDry,
    planned,
    created: isDry ? report.contacts.created - report.contacts.deleted : 0,
    // A source that has a limit hands it over at the end.
    isUnlimited: source.project.contactsMax !== undefined,
    walk: isDry ? undefined : walk,
  });
  count(context, chatbotId, memory, read, output.outcomes);
  for (const { line } of output.warnings.filter(({ warning }) => warning === looksKnown)) {
    context.report.look_known.push(contacts[line]?.texts.id ?? '');
  }
  memory.learn({ met: [], planned: output.planned });
}

/** Counts each contact once: the end of a list is read again. */
function count(
  { report, onRejected }: ImportContext,
  chatbotId: string,
  memory: Memory,
  read: readonly { raw: Raw; reading: ReturnType<typeof readContact> }[],
  outcomes: readonly Outcome[],
): void {
  const { contacts } = report;
  const next = outcomes.values();
  for (const { raw, reading } of read) {
    const outcome = 'contact' in reading ? next.next().value : { refused: reading.objection };
    if (outcome === undefined || outcome === 'duplicate') throw new Error('the store decided about other contacts');
    const id = idOf(raw);
    if (id !== undefined && !meet(memory, id)) continue;
    contacts.read++;
    if (typeof outcome === 'string') contacts[outcome]++;
    else {
      contacts.rejected++;
      onRejected(raw, outcome.refused, { chatbot_id: chatbotId });
    }
    if (typeof outcome !== 'string' || !('contact' in reading)) continue;
    if (reading.time === 'mended') contacts.times_mended++;
    if (reading.time === 'unknown') contacts.times_unknown++;
    if (reading.leftOut.length === 0) continue;
    contacts.values_left_out += reading.leftOut.length;
    const reasons = reading.leftOut.map(({ field, reason }) => `${field} ${reason}`).join('; ');
    onRejected(raw, `stored without what is wrong: ${reasons}`, { chatbot_id: chatbotId });
  }
}

/** Whether the contact was not met before. Remembers it, so that a reconciliation keeps it. */
export function meet(memory: Memory, id: string): boolean {
  const isNew = memory.get(id) === undefined;
  if (isNew) memory.learn({ met: [{ id, isNew, line: 0, digests: [] }], planned: [] });
  return isNew;
}
