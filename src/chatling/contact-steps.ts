import type { ImportWalk } from '../contacts/import-walk.ts';
import { type Page, type WalkPlace, walkPages } from './pages.ts';
import { type Raw, readTime } from './reading.ts';
import { SourceError } from './requests.ts';
import type { Source } from './source.ts';

/** Some contacts of a chatbot, and where the next walk continues once they are stored. */
export interface ContactStep {
  items: readonly Raw[];
  walk: ImportWalk;
  /** How many contacts are still to be read, about; undefined where it is not known. */
  left?: number | undefined;
}

/**
 * The contacts of a chatbot: every contact that exists throughout, some twice. Continues an earlier walk of the same
 * list, and then yields only what that did not. Throws `unavailable` where the source no longer has the chatbot.
 */
export function contactSteps(
  source: Source,
  chatbotId: string,
  areKnown: (items: readonly Raw[]) => Promise<boolean>,
  earlier?: ImportWalk,
): AsyncGenerator<ContactStep> {
  const from = earlier?.source === source.listName ? earlier : undefined;
  return source.isRoster ? byCursor(source, chatbotId, from) : byPage(source, chatbotId, areKnown, from);
}

async function* byPage(
  source: Source,
  chatbotId: string,
  areKnown: (items: readonly Raw[]) => Promise<boolean>,
  from?: ImportWalk,
): AsyncGenerator<ContactStep> {
  const read = async (page: number): Promise<Page<Raw>> => {
    const found = await source.contactPage(chatbotId, page);
    if (found) return found;
    const first = page > 1 ? await source.contactPage(chatbotId, 1) : undefined;
    if (!first) throw vanished();
    // The list ends before this page only after many deletions.
    if (first.lastPage >= page)
      throw new SourceError('The source did not return one page of its list; run the command again');
    return { items: [], lastPage: first.lastPage };
  };
  let perPage = 0;
  for await (const { items, place } of walkPages({ read, timeOf, areKnown }, from && placeIn(from))) {
    perPage = Math.max(perPage, items.length);
    const { phase, ...where } = place;
    const walk = { source: source.listName, phase, place: JSON.stringify(where) };
    yield { items, walk, left: phase === 'tail' ? 0 : place.page * perPage };
  }
}

function timeOf(raw: Raw): string | undefined {
  return readTime(raw['created_at']).at;
}

function placeIn({ phase, place }: ImportWalk): WalkPlace {
  return { ...(JSON.parse(place) as Omit<WalkPlace, 'phase'>), phase };
}

async function* byCursor(source: Source, chatbotId: string, from?: ImportWalk): AsyncGenerator<ContactStep> {
  let left = from ? undefined : await source.contactCount(chatbotId);
  for (let cursor = from?.place ?? '*'; ;) {
    const found = await source.contactsAfter(chatbotId, cursor);
    if (!found) throw vanished();
    const { items, next } = found;
    left = left && Math.max(left - items.length, 0);
    // Keep the last cursor: new contacts come after it.
    const walk = { source: source.listName, phase: next === null ? ('tail' as const) : ('whole' as const) };
    yield { items, walk: { ...walk, place: next ?? cursor }, left };
    if (next === null) return;
    cursor = next;
  }
}

export function vanished(): SourceError {
  return new SourceError('The source deleted a chatbot during the run; run the command again');
}
