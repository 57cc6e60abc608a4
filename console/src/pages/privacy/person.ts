import type { DisclosedContact } from '@roster/client';

import { roster } from '../../api.ts';
import { keyNames } from '../contact/fields.ts';
import { loadContact } from '../contact/held.ts';
import { keyOf } from '../contacts/person.ts';

export type Kind = (typeof keyNames)[number];

/** What is known of the person whom a request is about. */
export type Whom = { chatbotId: string; contactId: string } | { kind: Kind; value: string };

export interface Found {
  /** Names it among those that were found. */
  key: string;
  contact: DisclosedContact;
  /** Whether it is surely this person: another one may have the same phone. */
  isSure: boolean;
}

/** As many as can be erased at once. */
const foundMax = 100;

export const placeOf = ({ chatbot_id, id }: DisclosedContact) => ({ chatbot_id, id });

/** The person in all chatbots and in the bin. A contact leads to those who have its e-mail, its phone or its external id. */
export async function findPerson(whom: Whom, signal: AbortSignal): Promise<Found[]> {
  const asked = 'kind' in whom ? [{ [whom.kind]: whom.value }] : await keysOf(whom, signal);
  const answers = asked.map(async (input) => {
    const { contacts, deleted } = await roster.discloseContacts(input, { signal });
    const isSure = 'kind' in whom || 'contacts' in input || 'email' in input;
    return [...contacts, ...deleted].map((contact) => ({ key: keyOf(contact), contact, isSure }));
  });
  // The sure ones come first.
  const found = Map.groupBy((await Promise.all(answers)).flat(), ({ key }) => key);
  return [...found.values()].flatMap(([first]) => first ?? []).slice(0, foundMax);
}

async function keysOf({ chatbotId, contactId }: { chatbotId: string; contactId: string }, signal: AbortSignal) {
  const { person } = await loadContact(chatbotId, contactId, true, signal);
  const keys = keyNames.flatMap((kind) => {
    const value = person[kind];
    return value === null ? [] : [{ [kind]: value }];
  });
  return [{ contacts: [{ chatbot_id: chatbotId, id: contactId }] }, ...keys];
}
