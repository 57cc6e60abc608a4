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

export const noFilters: Filters = { tag: '', after: '', before: '', sort: 'date_desc', isBin: false };

/** How many filters narrow the list. */
export function countOf({ tag, after, before }: Filters): number {
  return [tag, after, before].filter((one) => one !== '').length;
}

export interface Asking {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string | number>>;
}

/** The request for a page of the list. Only a search needs the index, so everybody is listed without it. */
export function askingFor(view: View, cursor: string, include: string, perPage = 100): Asking {
  const path = `/chatbots/${encodeURIComponent(view.chatbotId)}/contacts`;
  const { query, tag, after, before, sort, isBin } = view;
  if (isBin) {
    return { method: 'GET', path, query: { state: 'deleted', cursor, per_page: String(perPage), include } };
  }
  if (query.trim() === '' && countOf(view) === 0) {
    return { method: 'GET', path, query: { sort, cursor, per_page: String(perPage), include } };
  }
  const body = {
    ...(query.trim() !== '' && { query: query.trim() }),
    ...(tag !== '' && { tag }),
    ...(after !== '' && { created_after: startOf(after, 0, -1) }),
    ...(before !== '' && { created_before: startOf(before, 1, 0) }),
    sort,
    limit: perPage,
    cursor,
  };
  return { method: 'POST', path: `${path}/search`, query: { include }, body };
}

/** The start of a day here, so many days and seconds later, as a time of the interface. */
function startOf(text: string, days: number, seconds: number): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  const time = new Date(year, month - 1, date + days, 0, 0, seconds);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('.000Z', 'Z');
}
