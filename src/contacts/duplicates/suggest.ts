import { job } from '../../actor.ts';
import { type Event, unchanged } from '../../events/event.ts';
import { run, write } from '../../operation.ts';
import type { Store } from '../../store.ts';
import { byChatbot } from '../in-project.ts';
import type { ContactRef } from '../store.ts';
import { contactsOfStep, updatePairs } from './pairs.ts';
import type { DuplicateProgress } from './store.ts';

interface Compared {
  chatbotId: string;
  ids: readonly string[];
  progress?: DuplicateProgress;
}

export const suggestDuplicates = write({
  name: 'suggestDuplicates',
  scope: null,
  queue: 'chatbot',
  run: async (unit, { projectId }, { chatbotId, ids, progress }: Compared) => {
    if (ids.length > 0) await updatePairs(unit, projectId, chatbotId, ids);
    if (progress) await unit.duplicates.saveProgress(projectId, progress);
    return unchanged(undefined);
  },
});

const eventsOfStep = 100;

/** Keeps the suggestions of a project up, in steps: compares all contacts at first and if events are gone, then those that events name. */
export async function* suggestInProject(store: Store, name: string, projectId: string): AsyncGenerator<number> {
  const step = (compared: Compared) => run(suggestDuplicates, store, job(name, projectId), compared);
  const note = (progress: DuplicateProgress) => step({ chatbotId: '', ids: [], progress });
  for (;;) {
    const known = await store.duplicates.progress(projectId);
    if (known && known.contact_id !== null) {
      const found = await store.duplicates.contactsAfter(projectId, known, contactsOfStep);
      const chatbotId = found[0]?.chatbot_id ?? null;
      const ids = found.filter((one) => one.chatbot_id === chatbotId).map(({ id }) => id);
      const progress = { ...known, chatbot_id: chatbotId, contact_id: ids.at(-1) ?? null };
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
    for (const [chatbotId, ids] of byChatbot(page.events.flatMap(placesIn))) {
      for (let at = 0; at < ids.length; at += contactsOfStep) {
        await step({ chatbotId, ids: ids.slice(at, at + contactsOfStep) });
        yield 0;
      }
    }
    for (let stale: ContactRef[]; (stale = await store.duplicates.staleAmong(projectId, contactsOfStep)).length > 0;) {
      for (const [chatbotId, ids] of byChatbot(stale)) await step({ chatbotId, ids });
      yield 0;
    }
    await note({ ...known, counted: Number(page.upTo.sequence) });
    yield 0;
    if (page.upTo.sequence >= page.last) return;
  }
}

function placesIn({ chatbot_id, contact_id, contact_ids }: Event): ContactRef[] {
  if (chatbot_id === null) return [];
  return [contact_id, ...(contact_ids ?? [])].flatMap((id) => (id === null ? [] : { chatbot_id, id }));
}
