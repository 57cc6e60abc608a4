import { api, ApiError } from '../../api.ts';
import { askFor, type PeopleList } from '../contacts/list.ts';
import { wholeInclude, type WholePerson } from '../contacts/person.ts';
import { noFilters } from '../contacts/view.ts';

/** A contact as it was answered last. */
export interface Held {
  person: WholePerson;
  /** For If-Match; null in the bin, which gives none. */
  etag: string | null;
  isBin: boolean;
}

export function pathOf(chatbotId: string, contactId: string): string {
  return `/chatbots/${encodeURIComponent(chatbotId)}/contacts/${encodeURIComponent(contactId)}`;
}

/** The contacts deleted last; older ones are found in the bin itself. */
const pagesOfBin = 10;

/** The contact, also from the bin where the roles allow to see it. */
export async function loadContact(
  chatbotId: string,
  contactId: string,
  maySeeBin: boolean,
  signal: AbortSignal,
): Promise<Held> {
  try {
    const query = { include: wholeInclude };
    const { data, etag } = await api.tagged<WholePerson>('GET', pathOf(chatbotId, contactId), { query, signal });
    return { person: data, etag, isBin: false };
  } catch (error) {
    if (!maySeeBin || !(error instanceof ApiError) || error.status !== 404) throw error;
    const person = await findInBin(chatbotId, contactId, signal);
    if (!person) throw error;
    return { person, etag: null, isBin: true };
  }
}

async function findInBin(chatbotId: string, contactId: string, signal: AbortSignal): Promise<WholePerson | undefined> {
  const view = { ...noFilters, chatbotId, query: '', isBin: true };
  let cursor: string | null = '*';
  for (let page = 0; page < pagesOfBin && cursor !== null; page++) {
    const found: { contacts: WholePerson[]; next_cursor: string | null } = await askFor(
      view,
      cursor,
      wholeInclude,
      signal,
    );
    const person = found.contacts.find(({ id }) => id === contactId);
    if (person) return person;
    cursor = found.next_cursor;
  }
  return undefined;
}

/** The neighbours in the list from which the member came. */
export function neighboursOf(list: PeopleList, chatbotId: string, contactId: string) {
  if (list.view?.chatbotId !== chatbotId) return undefined;
  const place = list.rows.findIndex(({ id }) => id === contactId);
  if (place === -1) return undefined;
  return { place, before: list.rows[place - 1], after: list.rows[place + 1] };
}
