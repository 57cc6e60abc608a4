import { call, roster } from '../../api.ts';
import type { SearchContactsInput } from '../../types.ts';
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
  /** As it is typed, without a space before. */
  readonly query: string;
}

export const noFilters: Filters = { chatbotId: '', chips: [], sort: 'added_desc', isBin: false };

/** The filters of an address. It holds nothing that may be about a person: no query, and of values only tags. */
export function filtersIn(address: string): Filters {
  const query = new URLSearchParams(address.split('?')[1]);
  return {
    chatbotId: query.get('chatbot') ?? '',
    chips: [...query].flatMap(([name, text]) => text.split(',').flatMap((one) => chipsIn(name, one.trim()))),
    sort: sorts.find((one) => one === query.get('sort')) ?? noFilters.sort,
    isBin: query.get('state') === 'deleted',
  };
}

function chipsIn(name: string, text: string): Chip[] {
  if (text === '') return [];
  if (name === 'tag') return [{ field: 'tags', is: text.toLowerCase() }];
  if (name === 'has' || name === 'lacks') return [{ field: text, known: name === 'has' }];
  const [, from = '', until = ''] = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/.exec(text) ?? [];
  const isRange = (name === 'created' || name === 'updated') && from + until !== '';
  return isRange ? [{ field: `${name}_at`, from, until }] : [];
}

function parameterOf(chip: Chip): [name: string, text: string] {
  if ('is' in chip) return ['tag', String(chip.is)];
  if ('known' in chip) return [chip.known ? 'has' : 'lacks', chip.field];
  return [chip.field.replace('_at', ''), `${chip.from}..${chip.until}`];
}

export const path = '/console/contacts';

export function addressOf({ chatbotId, chips, sort, isBin }: Filters): string {
  const query = new URLSearchParams();
  if (chatbotId !== '') query.set('chatbot', chatbotId);
  // The bin takes no filter.
  if (isBin) query.set('state', 'deleted');
  else {
    for (const chip of chips.filter(isInAddress)) query.append(...parameterOf(chip));
    if (sort !== noFilters.sort) query.set('sort', sort);
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The page of a contact. */
export function contactAddress(chatbotId: string, contactId: string): string {
  return `/console/contacts/${encodeURIComponent(chatbotId)}/${encodeURIComponent(contactId)}`;
}

export function isNarrow({ query, chips }: View): boolean {
  return query !== '' || chips.length > 0;
}

export interface Page {
  contacts: Person[];
  next_cursor?: string | null | undefined;
}

const atOnce = 100;

type Include = NonNullable<SearchContactsInput['include']>;

/** A page of the list. The interface has the bin of one chatbot at a time. */
export async function askFor(view: View, cursor: string, include: Include, signal?: AbortSignal): Promise<Page> {
  if (!view.isBin) {
    const input = { ...searchOf(view), cursor, include, limit: atOnce };
    return (await roster.searchAllContacts(input, { signal })) as Page;
  }
  const { chatbotId } = view;
  const input = { chatbotId, cursor, include, per_page: atOnce, state: 'deleted' } as const;
  const { contacts, next_cursor } = await roster.listContacts(input, { signal });
  return { contacts: contacts.map((one) => Object.assign(one, { chatbot_id: chatbotId }) as Person), next_cursor };
}

/** The same for a file, a thousand people in a page. */
export function askForFile(view: View, cursor: string, signal?: AbortSignal): Promise<Page> {
  return call('POST', '/contacts/export', { ...searchOf(view), cursor }, { signal });
}

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
  return query === '' || sort.startsWith('added') ? sort : noFilters.sort;
}

/** Whether both find the same people in the same order. */
export function isSame(one: View, other: View): boolean {
  const [first, second] = [one, other].map((view) => JSON.stringify([view.isBin, searchOf(view)]));
  return first === second;
}

function searchOf(view: View) {
  const { chatbotId, query, chips } = view;
  return {
    ...searchFor(chips),
    ...(chatbotId !== '' && { chatbot_ids: [chatbotId] }),
    ...(query !== '' && { query: query.trim() }),
    sort: sortOf(view),
  };
}
