import { operator } from '../actor.ts';
import type { StoredContact } from '../contacts/contact.ts';
import type { Draft } from '../contacts/draft.ts';
import { rowKeys } from '../contacts/import-keys.ts';
import type { ImportWalk } from '../contacts/import-walk.ts';
import { importContacts } from '../contacts/import.ts';
import { mirrored, type Outcome } from '../imports.ts';
import { run } from '../operation.ts';
import type { ContactStep } from './contact-steps.ts';
import type { ImportContext, Memory } from './context.ts';
import { idOf, type Raw, readContact } from './reading.ts';

/** An event names at most a thousand contacts, and a page of another Roster has a hundred. */
const contactsFull = 900;
/** An interruption loses at most this much reading. */
const secondsMax = 5;

/** Collects contacts and stores them together, with the place where the next import continues. */
export function openContactBatch(context: ImportContext, chatbotId: string, memory: Memory) {
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

export type ContactBatch = ReturnType<typeof openContactBatch>;

type Reading = ReturnType<typeof readContact>;

async function storeBatch(
  context: ImportContext,
  chatbotId: string,
  memory: Memory,
  batch: readonly Raw[],
  walk: ImportWalk | undefined,
): Promise<void> {
  const { source, store, projectId, isDryRun: isDry } = context;
  const read = batch.map((raw) => ({ raw, reading: readContact(raw, source.isRoster) }));
  const contacts = read.flatMap(({ reading }) => ('contact' in reading ? reading.contact : []));
  const given = mirrored<Draft, StoredContact>(contacts);
  const planned = isDry ? memory.plannedAt(given.rows.flatMap((row) => [...rowKeys(row)])) : [];
  const { output } = await run(importContacts, store, operator(projectId), {
    ...given,
    chatbotId,
    isDry,
    planned,
    walk: isDry ? undefined : walk,
  });
  count(context, chatbotId, memory, { read, outcomes: output.outcomes });
  memory.learn({ met: [], planned: output.planned });
}

/** Counts each contact once: the end of a list is read again. */
function count(
  { report, onRejected }: ImportContext,
  chatbotId: string,
  memory: Memory,
  { read, outcomes }: { read: readonly { raw: Raw; reading: Reading }[]; outcomes: readonly Outcome[] },
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
      continue;
    }
    if (!('contact' in reading)) continue;
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
