import type { DiscloseContactsResult, DisclosedContact } from '@roster/client';

import { roster } from '../../api.ts';
import { loadContact } from '../contact/held.ts';

export const kinds = { email: 'E-mail', phone: 'Phone', external_id: 'External id' } as const;
export type Kind = keyof typeof kinds;

/** What is known of the person whom a request is about. */
export type Whom = { chatbotId: string; contactId: string } | { kind: Kind; value: string };

export interface Found {
  /** Names it among those that were found. */
  place: string;
  contact: DisclosedContact;
  /** Whether it is surely this person: another one may have the same phone. */
  isSure: boolean;
}

/** As many as can be erased at once. */
const foundMax = 100;

export const placeOf = ({ chatbot_id, id }: DisclosedContact) => ({ chatbot_id, id });

/** The person in all chatbots and in the bin. A contact leads to those who have its e-mail, its phone or its external id. */
export async function findPerson(whom: Whom, signal: AbortSignal): Promise<Found[]> {
  const asked = 'kind' in whom ? [[whom.kind, whom.value] as const] : await keysOf(whom, signal);
  const answers = await Promise.all(
    asked.map(async ([kind, value]) => {
      const { contacts, deleted } = await roster.discloseContacts({ [kind]: value }, { signal });
      return { all: [...contacts, ...deleted], isSure: 'kind' in whom || kind === 'contacts' || kind === 'email' };
    }),
  );
  const found = new Map<string, Found>();
  for (const { all, isSure } of answers) {
    for (const contact of all) {
      const place = JSON.stringify(placeOf(contact));
      if (found.get(place)?.isSure !== true) found.set(place, { place, contact, isSure });
    }
  }
  return [...found.values()].slice(0, foundMax);
}

async function keysOf({ chatbotId, contactId }: { chatbotId: string; contactId: string }, signal: AbortSignal) {
  const { person } = await loadContact(chatbotId, contactId, true, signal);
  const keys = (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const value = person[kind];
    return value === null ? [] : [[kind, value] as const];
  });
  return [['contacts', [{ chatbot_id: chatbotId, id: contactId }]] as const, ...keys];
}

/** Everything that is kept of these contacts, for whoever asked for it. */
export async function fileOf(chosen: readonly DisclosedContact[]): Promise<Blob> {
  const all: DiscloseContactsResult = await roster.discloseContacts({ contacts: chosen.map(placeOf) });
  return new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' });
}
