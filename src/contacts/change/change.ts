import { AppError } from '../../errors.ts';
import type { EventType, NewEvent } from '../../events/event.ts';
import { giveWay } from '../../values/give-way.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import type { ChatbotRef, ContactWrites } from '../store.ts';
import { type Change, propertiesAmong } from './given.ts';
import { accept, type Proposal, proposeWithin } from './plan.ts';
import { openWorkingSet, store } from './working-set.ts';

/** Makes one change and stores it, with an event if anything changed. Throws the error if it is refused. */
export async function changeContact(
  contacts: ContactWrites,
  owner: ChatbotRef,
  change: Change,
): Promise<Proposal & { changed: string[]; changes: NewEvent[] }> {
  const { decided, events } = await changeContacts(contacts, owner, [change]);
  const [done] = decided;
  if (!done || !('outcome' in done)) throw done;
  const changes: NewEvent[] = [];
  for (const { contact_ids: _, ...event } of events) changes.push({ ...event, contact_id: done.after.id });
  return { ...done, changed: events[0]?.changed ?? [], changes };
}

/** Makes changes in order and stores them. A refused change changes nothing and does not stop the others. */
export async function changeContacts(
  contacts: ContactWrites,
  owner: ChatbotRef,
  changes: readonly (Change | AppError)[],
): Promise<{ decided: (Proposal | AppError)[]; events: NewEvent[] }> {
  const sound = changes.filter((one) => 'op' in one);
  const set = await openWorkingSet(contacts, owner, sound);
  const at = formatTimestamp(new Date());
  const decided: (Proposal | AppError)[] = [];
  for (const change of changes) {
    await giveWay();
    try {
      if (change instanceof AppError) throw change;
      const proposal = await proposeWithin(set, change, at);
      accept(set, proposal);
      decided.push(proposal);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      decided.push(error);
    }
  }
  const removal = await store(contacts, owner, set);
  const done = decided.flatMap((one) =>
    'outcome' in one ? [[one.outcome, one.after.id, one.differing] as const] : [],
  );
  return { decided, events: eventsOf(owner.chatbotId, done, removal) };
}

export type Done = readonly [outcome: Proposal['outcome'], id: string, differing: readonly string[]];

/** An event for each kind of change, with the ids of all its contacts, and the fields that were changed in any of them. */
export function eventsOf(
  chatbotId: string,
  done: readonly Done[],
  removal: 'deleted' | 'purged' = 'deleted',
): NewEvent[] {
  const types: [Proposal['outcome'], EventType][] = [
    ['created', 'contact.created'],
    ['restored', 'contact.restored'],
    ['updated', 'contact.updated'],
    ['deleted', `contact.${removal}`],
  ];
  return types.flatMap(([outcome, type]): NewEvent[] => {
    const ids = new Set(done.flatMap(([one, id]) => (one === outcome ? id : [])));
    if (ids.size === 0) return [];
    const changed = propertiesAmong(done.flatMap(([one, , differing]) => (one === 'updated' ? differing : [])));
    const event = { type, chatbot_id: chatbotId, contact_ids: [...ids] };
    return [outcome === 'updated' ? { ...event, changed } : event];
  });
}
