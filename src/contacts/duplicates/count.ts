import { job } from '../../actor.ts';
import { type Event, unchanged } from '../../events/event.ts';
import { run, write } from '../../operation.ts';
import type { Store } from '../../store.ts';
import { countContacts, countedOfStep } from './pairs.ts';
import type { DuplicateProgress } from './store.ts';

interface Counted {
  chatbotId: string;
  ids: readonly string[];
  progress?: DuplicateProgress;
}

/** Compares some contacts, and stores how far the project has come. */
export const countDuplicates = write({
  name: 'countDuplicates',
  scope: null,
  queue: 'chatbot',
  run: async (unit, { projectId }, { chatbotId, ids, progress }: Counted) => {
    if (ids.length > 0) await countContacts(unit, projectId, chatbotId, ids);
    if (progress) await unit.duplicates.saveProgress(projectId, progress);
    return unchanged(undefined);
  },
});

const eventsOfStep = 100;

/** Keeps the suggestions of a project up, in steps: compares all contacts at first and if events are gone, then those that events name. */
export async function* countProject(store: Store, name: string, projectId: string): AsyncGenerator<number> {
  const step = (counted: Counted) => run(countDuplicates, store, job(name, projectId), counted);
  const note = (progress: DuplicateProgress) => step({ chatbotId: '', ids: [], progress });
  for (;;) {
    const known = await store.duplicates.progress(projectId);
    if (known && known.contact_id !== null) {
      const found = await store.duplicates.contactsAfter(projectId, known, countedOfStep);
      const [{ chatbot_id: chatbotId, id: firstId } = { chatbot_id: null, id: null }] = found;
      const ids = found.filter((contact) => contact.chatbot_id === chatbotId).map(({ id }) => id);
      const progress = { ...known, chatbot_id: chatbotId, contact_id: ids.at(-1) ?? firstId };
      await step({ chatbotId: chatbotId ?? '', ids, progress });
      yield ids.length;
      continue;
    }
    const after = BigInt(known?.counted ?? 0);
    const page = await store.events.list(projectId, { after, types: [], limit: eventsOfStep });
    if (!known || page.oldest > after + 1n || page.last < after) {
      await note({ counted: Number(page.last), chatbot_id: '', contact_id: '' });
      continue;
    }
    for (const [chatbotId, ids] of contactsIn(page.events)) {
      for (let at = 0; at < ids.length; at += countedOfStep) {
        await step({ chatbotId, ids: ids.slice(at, at + countedOfStep) });
        yield 0;
      }
    }
    await note({ ...known, counted: Number(page.upTo.sequence) });
    yield 0;
    if (page.upTo.sequence >= page.last) return;
  }
}

/** The contacts of each chatbot that events name. */
function contactsIn(events: readonly Event[]): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const { chatbot_id: chatbotId, contact_id: id, contact_ids: ids } of events) {
    if (chatbotId === null) continue;
    const named = [...(ids ?? []), ...(id === null ? [] : [id])];
    found.set(chatbotId, (found.get(chatbotId) ?? new Set()).union(new Set(named)));
  }
  return new Map(Array.from(found, ([chatbotId, ids]) => [chatbotId, [...ids]]));
}
