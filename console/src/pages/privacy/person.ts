import type { DiscloseContactsInput, DisclosedContact } from '@roster/client';

import { roster } from '../../api.ts';
import { keyNames } from '../contact/fields.ts';
import { loadContact } from '../contact/held.ts';
import { keyOf, type Place } from '../contacts/person.ts';

export type Found = Awaited<ReturnType<typeof findPerson>>[number];

/** As many as can be erased at once. */
const foundMax = 100;

export const placeOf = ({ chatbot_id, id }: DisclosedContact) => ({ chatbot_id, id });

/** The person in all chatbots and in the bin. A contact leads to those who have its e-mail, its phone or its external id. */
export async function findPerson(whom: DiscloseContactsInput, signal: AbortSignal) {
  const [contact] = whom.contacts ?? [];
  const asked = contact ? [whom, ...(await keysOf(contact, signal))] : [whom];
  const answers = asked.map(async (input) => {
    const { contacts, deleted } = await roster.discloseContacts(input, { signal });
    // Another person may have the same phone.
    const isSure = input === whom || input.email !== undefined;
    return [...contacts, ...deleted].map((contact) => ({ key: keyOf(contact), contact, isSure }));
  });
  // The sure ones come first.
  const found = Map.groupBy((await Promise.all(answers)).flat(), ({ key }) => key);
  return [...found.values()].flatMap(([first]) => first ?? []).slice(0, foundMax);
}

async function keysOf({ chatbot_id, id }: Place, signal: AbortSignal): Promise<DiscloseContactsInput[]> {
  const { person } = await loadContact(chatbot_id, id, true, signal);
  return keyNames.flatMap((kind) => {
    const value = person[kind];
    return value === null ? [] : [{ [kind]: value }];
  });
}
