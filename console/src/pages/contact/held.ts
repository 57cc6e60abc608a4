import type { Answered } from '@roster/client';

import { roster, statusOf } from '../../api.ts';
import type { Contact, ContactProperties } from '../../types.ts';
import type { PeopleList } from '../contacts/list.ts';
import { wholeInclude, type WholePerson } from '../contacts/person.ts';

/** A contact as it was answered last. */
export interface Held {
  person: WholePerson;
  /** For If-Match; the bin gives none. */
  etag: string | undefined;
  isBin: boolean;
}

/** A contact on its page, and what each part of the page can do with it. */
export interface Sheet extends Held {
  chatbotId: string;
  /** Where the drafts of the contact are. */
  place: string;
  list: PeopleList;
  mayWrite: boolean;
  /** The name of the field that is being edited. */
  edited: string | undefined;
  edit: (name: string) => void;
  close: (name: string) => void;
  /** Throws `Cancelled` where the change is given up. */
  save: (properties: ContactProperties) => Promise<void>;
  /** Shows another state of the contact. */
  set: (held: Held) => void;
}

/** An answer about a contact that is there. */
export function heldOf({ data, etag }: Answered<Contact | null>): Held {
  return { person: data as WholePerson, etag, isBin: false };
}

/** The contacts deleted last; older ones are found in the bin itself. */
const binMax = 1_000;

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
  let seen = 0;
  for await (const person of roster.listContacts({ chatbotId, state: 'deleted', include: wholeInclude }, { signal })) {
    if (person.id === contactId) return person as WholePerson;
    if (++seen === binMax) break;
  }
  return undefined;
}
