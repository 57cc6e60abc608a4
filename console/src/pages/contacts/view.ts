import { call, roster } from '../../api.ts';
import type { Contact, SearchContactsInput } from '../../types.ts';
import { type Chip, isInAddress, searchFor } from './chips.ts';
import type { Person } from './person.ts';

const sorts = ['added_desc', 'added_asc', 'updated_desc', 'updated_asc'] as const;
export type Sort = (typeof sorts)[number];

export interface Filters {
  /** Empty means all chatbots. */
  readonly chatbotId: string;
  readonly chips: readonly Chip[];
  readonly sort: Sort;
  readonly isBin: boolean;
}

export interface View extends Filters {
  readonly query: string;
}

export const noFilters: Filters = { chatbotId: '', chips: [], sort: 'added_desc', isBin: false };

/** The filters of an address. It holds nothing that may be about a person: no query, and of values only tags. */
export function filtersIn(query: Readonly<Record<string, string | undefined>>): Filters {
  const listIn = (name: string) => (query[name] ?? '').split(',').filter((one) => one !== '');
  const chips: Chip[] = [
    ...listIn('tag').map((tag) => ({ field: 'tags', is: tag.trim().toLowerCase() })),
    ...listIn('has').map((field) => ({ field, known: true })),
    ...listIn('lacks').map((field) => ({ field, known: false })),
    ...(['created_at', 'updated_at'] as const).flatMap((field) => daysIn(field, query[field.slice(0, -3)])),
  ];
  const sort = sorts.find((one) => one === query['sort']) ?? noFilters.sort;
  return { chatbotId: query['chatbot'] ?? '', chips, sort, isBin: query['state'] === 'deleted' };
}

const range = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/;

function daysIn(field: 'created_at' | 'updated_at', text = ''): Chip[] {
  const [, from = '', until = ''] = range.exec(text) ?? [];
  return from === '' && until === '' ? [] : [{ field, from, until }];
}

export function addressOf({ chatbotId, chips, sort, isBin }: Filters): string {
  const query = new URLSearchParams();
  const setList = (name: string, list: readonly unknown[]) => {
    if (list.length > 0) query.set(name, list.join(','));
  };
  if (chatbotId !== '') query.set('chatbot', chatbotId);
  // The bin takes no filter.
  if (isBin) query.set('state', 'deleted');
  else {
    const shown = chips.filter(isInAddress);
    setList(
      'tag',
      shown.flatMap((chip) => ('is' in chip ? [chip.is] : [])),
    );
    for (const [name, isKnown] of [
      ['has', true],
      ['lacks', false],
    ] as const) {
      setList(
        name,
        shown.flatMap((chip) => ('known' in chip && chip.known === isKnown ? [chip.field] : [])),
      );
    }
    for (const chip of shown) if ('from' in chip) query.set(chip.field.slice(0, -3), `${chip.from}..${chip.until}`);
    if (sort !== noFilters.sort) query.set('sort', sort);
  }
  const text = query.toString();
  return text === '' ? '/console/contacts' : `/console/contacts?${text}`;
}

/** The page of a contact. */
export function contactAddress(chatbotId: string, contactId: string): string {
  return `/console/contacts/${encodeURIComponent(chatbotId)}/${encodeURIComponent(contactId)}`;
}

export function isNarrow({ query, chips }: View): boolean {
  return query.trim() !== '' || chips.length > 0;
}

export interface Page<Row> {
  contacts: Row[];
  next_cursor?: string | null;
}

const atOnce = 100;

type Include = NonNullable<SearchContactsInput['include']>;

/** A page of the list. The interface has the bin of one chatbot at a time. */
export async function askFor<Row extends Person>(
  view: View,
  cursor: string,
  include: Include,
  signal?: AbortSignal,
): Promise<Page<Row>> {
  if (!view.isBin) {
    const input = { ...searchOf(view), cursor, include, limit: atOnce };
    return (await roster.searchAllContacts(input, { signal })) as Page<unknown> as Page<Row>;
  }
  const { chatbotId } = view;
  const input = { chatbotId, cursor, include, per_page: atOnce, state: 'deleted' } as const;
  const { contacts, next_cursor: next } = await roster.listContacts(input, { signal });
  const inProject = contacts.map((one: Contact) => Object.assign(one, { chatbot_id: chatbotId }));
  return { contacts: inProject as unknown as Row[], next_cursor: next ?? null };
}

/** The same for a file, a thousand people in a page. */
export const askForFile: typeof askFor = (view, cursor, _include, signal) =>
  call('POST', '/contacts/export', { ...searchOf(view), cursor }, { signal });

export interface Total {
  value: number;
  isExact: boolean;
}

export function counted(count: number): string {
  return count === 1 ? '1 contact' : `${count.toLocaleString()} contacts`;
}

/** `50,000 contacts`, or `more than 10,000 contacts` where nobody counted further. */
export function totalText({ value, isExact }: Total): string {
  return isExact ? counted(value) : `more than ${counted(value)}`;
}

/** How many there are in all; a search counts no further than 10,000. */
export async function askTotal(view: View, signal: AbortSignal): Promise<Total | undefined> {
  if (view.isBin) return undefined;
  if (isNarrow(view)) {
    const { count } = await roster.searchAllContacts({ ...searchOf(view), limit: 1, count: true }, { signal });
    return count && { value: count.value, isExact: count.exact };
  }
  const chatbots = await Array.fromAsync(roster.listChatbots({ include: ['contact_count'] }, { signal }));
  const counted = chatbots.filter(({ id }) => view.chatbotId === '' || id === view.chatbotId);
  return { value: counted.reduce((sum, one) => sum + (one.contact_count ?? 0), 0), isExact: true };
}

/** The order of a view: by update the interface sorts only without words. */
export function sortOf({ query, sort }: View): Sort {
  return query.trim() === '' || sort.startsWith('added') ? sort : noFilters.sort;
}

function searchOf(view: View) {
  const { chatbotId, query, chips } = view;
  const words = query.trim();
  return {
    ...searchFor(chips),
    ...(chatbotId !== '' && { chatbot_ids: [chatbotId] }),
    ...(words !== '' && { query: words }),
    sort: sortOf(view),
  };
}
