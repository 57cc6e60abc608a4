import type { ImportWalk } from '../contacts/import-walk.ts';
import { type Page, type WalkPlace, walkPages } from './pages.ts';
import { type Raw, readTime } from './reading.ts';
import { SourceError } from './requests.ts';
import type { Source } from './source.ts';

export interface ContactStep {
  items: readonly Raw[];
  /** Where the next walk continues once they are stored. */
  walk: ImportWalk;
  left: number;
}

/** All contacts of a chatbot, some twice, or those after an earlier walk. Throws `unavailable` without the chatbot. */
export function contactSteps(
  source: Source,
  chatbotId: string,
  areKnown: (items: readonly Raw[]) => Promise<boolean>,
  earlier?: ImportWalk,
): AsyncGenerator<ContactStep> {
  const from = earlier?.source === source.listName ? earlier : undefined;
  return source.isRoster ? byCursor(source, chatbotId, from) : byPage(source, chatbotId, areKnown, from);
}

const timeOf = (raw: Raw) => readTime(raw['created_at']).at;

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
    if (first.lastPage >= page)
      throw new SourceError('The source did not return one page of its list; run the command again');
    return { items: [], lastPage: first.lastPage };
  };
  const begin = from && { ...(JSON.parse(from.place) as Omit<WalkPlace, 'phase'>), phase: from.phase };
  let perPage = 0;
  for await (const { items, place } of walkPages({ read, timeOf, areKnown }, begin)) {
    perPage = Math.max(perPage, items.length);
    const { phase, ...where } = place;
    const walk = { source: source.listName, phase, place: JSON.stringify(where) };
    yield { items, walk, left: phase === 'tail' ? 0 : place.page * perPage };
  }
}

async function* byCursor(source: Source, chatbotId: string, from?: ImportWalk): AsyncGenerator<ContactStep> {
  let left = from?.phase === 'tail' ? 0 : ((await source.contactCount(chatbotId)) ?? 0);
  for (let cursor = from?.place ?? '*'; ;) {
    const found = await source.contactsAfter(chatbotId, cursor);
    if (!found) throw vanished();
    const { items, next } = found;
    left = next === null ? 0 : Math.max(left - items.length, 0);
    // At the end keep the last cursor: new contacts come after it.
    const walk = { source: source.listName, phase: next === null ? ('tail' as const) : ('whole' as const) };
    yield { items, walk: { ...walk, place: next ?? cursor }, left };
    if (next === null) return;
    cursor = next;
  }
}

export function vanished(): SourceError {
  return new SourceError('The source deleted a chatbot during the run; run the command again');
}
