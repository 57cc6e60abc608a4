import { job } from '../../actor.ts';
import type { Event } from '../../events/event.ts';
import { unchanged } from '../../events/event.ts';
import { run, write } from '../../operation.ts';
import type { Store } from '../../store.ts';
import { countContacts, countedOfStep } from './pairs.ts';
import type { DuplicateProgress } from './store.ts';

interface Counted {
  chatbotId: string;
  ids: readonly string[];
  onlyChanged: boolean;
  progress: DuplicateProgress | undefined;
}

/** Counts some contacts in, and notes how far it has come. */
export const countDuplicates = write({
  name: 'countDuplicates',
  scope: null,
  queue: 'chatbot',
  run: async (unit, { projectId }, { chatbotId, ids, onlyChanged, progress }: Counted) => {
    if (ids.length > 0) await countContacts(unit, projectId, chatbotId, ids, onlyChanged);
    if (progress) await unit.duplicates.saveProgress(projectId, progress);
    return unchanged(undefined);
  },
});

const eventsOfStep = 100;

/** Counts a project in, in steps: all its contacts at first, or where events are gone, and then those that events name. */
export async function* countProject(store: Store, name: string, projectId: string): AsyncGenerator<number> {
  const step = async (chatbotId: string, ids: readonly string[], more: Partial<Counted>) => {
    const input = { chatbotId, ids, onlyChanged: false, progress: undefined, ...more };
    await run(countDuplicates, store, job(name, projectId), input);
  };
  for (;;) {
    const known = await store.duplicates.progress(projectId);
    if (known && known.until !== null) {
      yield* nextContacts(store, projectId, known, step);
      continue;
    }
    const counted = BigInt(known?.counted ?? 0);
    const page = await store.events.list(projectId, { after: counted, types: [], limit: eventsOfStep });
    if (!known || page.oldest > counted + 1n || page.last < counted) {
      const place = { chatbot_id: '', contact_id: '' };
      await step('', [], { progress: { counted: known?.counted ?? 0, until: Number(page.last), ...place } });
      continue;
    }
    for (const [chatbotId, ids] of contactsIn(page.events)) {
      for (let at = 0; at < ids.length; at += countedOfStep) {
        await step(chatbotId, ids.slice(at, at + countedOfStep), {});
        yield 0;
      }
    }
    const upTo = Number(page.upTo.sequence);
    if (upTo > known.counted) await step('', [], { progress: { ...known, counted: upTo } });
    yield 0;
    if (page.upTo.sequence >= page.last) return;
  }
}

type Step = (chatbotId: string, ids: readonly string[], more: Partial<Counted>) => Promise<void>;

async function* nextContacts({ duplicates }: Store, projectId: string, known: DuplicateProgress, step: Step) {
  const found = await duplicates.contactsAfter(projectId, known, countedOfStep);
  const chatbotId = found[0]?.chatbot_id ?? '';
  const ids = found.filter((contact) => contact.chatbot_id === chatbotId).map(({ id }) => id);
  const last = ids.at(-1);
  const progress: DuplicateProgress =
    last === undefined
      ? { counted: known.until ?? 0, until: null, chatbot_id: '', contact_id: '' }
      : { ...known, chatbot_id: chatbotId, contact_id: last };
  await step(chatbotId, ids, { onlyChanged: true, progress });
  yield ids.length;
}

/** The contacts of each chatbot that events name. */
function contactsIn(events: readonly Event[]): Map<string, string[]> {
  const named = events.flatMap(({ chatbot_id: chatbotId, contact_id: id, contact_ids: ids }) =>
    chatbotId === null ? [] : [...(ids ?? []), ...(id === null ? [] : [id])].map((one) => [chatbotId, one] as const),
  );
  const groups = Map.groupBy(named, ([chatbotId]) => chatbotId);
  return new Map(Array.from(groups, ([chatbotId, all]) => [chatbotId, [...new Set(all.map(([, id]) => id))]]));
}
