import { chatbotIdSchema, exampleChatbotId } from '../chatbots/chatbot.ts';
import { propertiesOf } from '../validation.ts';
import { type JsonSchema, object } from '../values/object-schema.ts';
import { contactFields, contactIdSchema } from './contact.ts';
import type { ContactRef, ListedContact } from './store.ts';
import { contactSchema, exampleView, type Include, type View, viewOf } from './view.ts';

export const contactInProjectSchema: JsonSchema = {
  ...contactSchema,
  title: 'ContactInProject',
  description: 'A contact, with the chatbot that has met them.',
  required: ['chatbot_id', ...contactFields],
  properties: { chatbot_id: chatbotIdSchema, ...propertiesOf(contactSchema) },
};

export const placesMax = 100;

export const placesSchema = {
  type: 'array',
  items: object({ chatbot_id: chatbotIdSchema, id: contactIdSchema }),
  minItems: 1,
  maxItems: placesMax,
  description: `Contacts of the project, at most ${placesMax}.`,
} as const;

export const exampleInProject: View = { chatbot_id: exampleChatbotId, ...exampleView };

export function viewInProject(contact: ListedContact & { chatbot_id: string }, include: readonly Include[] = []): View {
  return { chatbot_id: contact.chatbot_id, ...viewOf(contact, include) };
}

/** The ids of each chatbot, each once, in an order that is always the same. */
export function byChatbot(places: readonly ContactRef[]): [chatbotId: string, ids: string[]][] {
  const groups = Map.groupBy(places, (one) => one.chatbot_id);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([chatbotId, own]) => [chatbotId, [...new Set(own.map(({ id }) => id))]]);
}
