import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { object } from '../values/object-schema.ts';
import { contactIdSchema } from './contact.ts';
import { type ContactReads, type Kept, type Place, placeOf } from './store.ts';

export const placesMax = 100;

export const placesSchema = {
  type: 'array',
  items: object({ chatbot_id: chatbotIdSchema, id: contactIdSchema }),
  minItems: 1,
  maxItems: placesMax,
  description: `Contacts of the project, at most ${placesMax}.`,
} as const;

/** The ids of each chatbot, each once, in an order that is always the same. */
export function byChatbot(places: readonly Place[]): [chatbotId: string, ids: string[]][] {
  const groups = Map.groupBy(places, (one) => one.chatbot_id);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([chatbotId, own]) => [chatbotId, [...new Set(own.map(({ id }) => id))]]);
}

/** All that is kept of a person: these contacts, those into which they were merged, and all that were merged into these. */
export async function keptOf(contacts: ContactReads, projectId: string, places: readonly Place[]): Promise<Kept> {
  const kept = await keptAt(contacts, projectId, places);
  if (kept.merged.length === 0) return kept;
  const staying = kept.merged.map(({ chatbot_id, merged_into }) => ({ chatbot_id, id: merged_into }));
  return keptAt(contacts, projectId, [...places, ...staying]);
}

async function keptAt(contacts: ContactReads, projectId: string, places: readonly Place[]): Promise<Kept> {
  const all: Kept = { contacts: [], deleted: [], merged: [], replaced: [] };
  for (const [chatbotId, ids] of byChatbot(places)) {
    const kept = await contacts.kept(projectId, chatbotId, ids);
    all.contacts.push(...kept.contacts);
    all.deleted.push(...kept.deleted);
    all.merged.push(...kept.merged);
    all.replaced.push(...kept.replaced);
  }
  return all;
}

export function placesOf({ contacts, deleted, merged }: Kept): Set<string> {
  return new Set([...contacts, ...deleted, ...merged].map(placeOf));
}
