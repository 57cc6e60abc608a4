import { operator } from '../actor.ts';
import { bulkContacts } from '../contacts/bulk.ts';
import { run } from '../operation.ts';
import { type ContactBatch, openContactBatch } from './contact-batch.ts';
import { contactSteps, vanished } from './contact-steps.ts';
import type { ImportContext, Memory } from './context.ts';
import { idOf, type Raw, readContact } from './reading.ts';

/**
 * Imports the contacts of a chatbot: all of them, or those that came after an earlier import. A reconciliation reads all
 * again, and then moves contacts that the source no longer has into the bin.
 */
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

/** Treats contacts that cannot be stored as known, so that they are not read again and again. */
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
  const stored = await store.contacts.among(projectId, chatbotId, ids);
  return stored.length === new Set(ids).size;
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
    const items = gone.map((id) => ({ op: 'delete' as const, id }));
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
