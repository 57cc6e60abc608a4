import type { Answered } from '@roster/client';

import { roster, statusOf } from '../../api.ts';
import type { Contact } from '../../types.ts';
import type { PeopleList } from '../contacts/list.ts';
import { wholeInclude, type WholePerson } from '../contacts/person.ts';

/** A contact as it was answered last. */
export interface Held {
  person: WholePerson;
  /** For If-Match; the bin gives none. */
  etag: string | undefined;
  isBin: boolean;
}

/** An answer about a contact that is there. */
export function heldOf({ data, etag }: Answered<Contact | null>): Held {
  return { person: data as WholePerson, etag, isBin: false };
}

/** The contacts deleted last; older ones are found in the bin itself. */
const pagesOfBin = 10;

/** The contact, also from the bin where the roles allow to see it. */
export async function loadContact(
  chatbotId: string,
  contactId: string,
  maySeeBin: boolean,
  signal?: AbortSignal,
): Promise<Held> {
  const asked = roster.retrieveContact({ chatbotId, contactId, include: wholeInclude }, { signal });
  try {
    return heldOf(await asked.withResponse());
  } catch (error) {
    const person = maySeeBin && statusOf(error) === 404 && (await findInBin(chatbotId, contactId, signal));
    if (!person) throw error;
    return { person, etag: undefined, isBin: true };
  }
}

async function findInBin(chatbotId: string, contactId: string, signal: AbortSignal | undefined) {
  let left = pagesOfBin;
  const list = roster.listContacts({ chatbotId, state: 'deleted', include: wholeInclude }, { signal });
  for await (const { contacts } of list.pages()) {
    const person = contacts.find(({ id }) => id === contactId);
    if (person) return person as WholePerson;
    if (--left === 0) break;
  }
  return undefined;
}

/** The neighbours in the list from which the member came. */
export function neighboursOf(list: PeopleList, chatbotId: string, contactId: string) {
  const place = list.rows.findIndex((one) => one.id === contactId && one.chatbot_id === chatbotId);
  if (place === -1) return undefined;
  return { place, before: list.rows[place - 1], after: list.rows[place + 1] };
}
