import { roster } from '../../api.ts';
import type { Contact, SearchContactsInput } from '../../types.ts';

export type Sort = 'date_desc' | 'date_asc';

/** The state of the list in the URL. The query is not in it, as it may be a person's address. */
export interface Filters {
  readonly tag: string;
  /** Days as `2024-06-08`, in the time zone of the reader; both are part of what is shown. */
  readonly after: string;
  readonly before: string;
  readonly sort: Sort;
  readonly isBin: boolean;
}

export interface View extends Filters {
  readonly chatbotId: string;
  readonly query: string;
}

const day = /^\d{4}-\d{2}-\d{2}$/;

export function filtersIn(query: Readonly<Record<string, string | undefined>>): Filters {
  const dayIn = (name: string) => (day.test(query[name] ?? '') ? (query[name] ?? '') : '');
  return {
    tag: (query['tag'] ?? '').trim().toLowerCase(),
    after: dayIn('after'),
    before: dayIn('before'),
    sort: query['sort'] === 'date_asc' ? 'date_asc' : 'date_desc',
    isBin: query['state'] === 'deleted',
  };
}

export function addressOf(chatbotId: string, { tag, after, before, sort, isBin }: Filters): string {
  const query = new URLSearchParams();
  if (chatbotId !== '') query.set('chatbot', chatbotId);
  // The bin takes no filter.
  if (isBin) query.set('state', 'deleted');
  else {
    if (tag !== '') query.set('tag', tag);
    if (after !== '') query.set('after', after);
    if (before !== '') query.set('before', before);
    if (sort === 'date_asc') query.set('sort', sort);
  }
  const text = query.toString();
  return text === '' ? '/console/contacts' : `/console/contacts?${text}`;
}

/** The page of a contact. */
export function contactAddress(chatbotId: string, contactId: string): string {
  return `/console/contacts/${encodeURIComponent(chatbotId)}/${encodeURIComponent(contactId)}`;
}

export const noFilters: Filters = { tag: '', after: '', before: '', sort: 'date_desc', isBin: false };

/** How many filters narrow the list. */
export function countOf({ tag, after, before }: Filters): number {
  return [tag, after, before].filter((one) => one !== '').length;
}

export interface Page<Row> {
  contacts: Row[];
  next_cursor?: string | null;
}

const atOnce = 100;

/** A page of the list. Only a search needs the index, so everybody is listed without it. */
export async function askFor<Row extends Contact>(
  view: View,
  cursor: string,
  include: NonNullable<SearchContactsInput['include']>,
  signal?: AbortSignal,
): Promise<Page<Row>> {
  const { chatbotId, query, tag, after, before, sort, isBin } = view;
  const page = { chatbotId, cursor, include };
  const isNarrow = query.trim() !== '' || countOf(view) > 0;
  const found =
    isBin || !isNarrow
      ? roster.listContacts({ ...page, per_page: atOnce, ...(isBin ? { state: 'deleted' } : { sort }) }, { signal })
      : roster.searchContacts(
          {
            ...page,
            query: query.trim() || undefined,
            tag: tag || undefined,
            created_after: after === '' ? undefined : startOf(after, 0, -1),
            created_before: before === '' ? undefined : startOf(before, 1, 0),
            sort,
            limit: atOnce,
          },
          { signal },
        );
  return (await found) as Page<Row>;
}

/** The start of a day here, so many days and seconds later, as a time of the interface. */
function startOf(text: string, days: number, seconds: number): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  const time = new Date(year, month - 1, date + days, 0, 0, seconds);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('.000Z', 'Z');
}
