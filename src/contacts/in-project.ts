import { chatbotIdSchema, exampleChatbotId } from '../chatbots/chatbot.ts';
import type { JsonSchema } from '../validation.ts';
import { contactFields, exampleContact } from './contact.ts';
import type { OwnedContact } from './store.ts';
import { contactSchema, type Include, viewOf } from './view.ts';

export const contactInProjectSchema: JsonSchema = {
  ...contactSchema,
  title: 'ContactInProject',
  description: 'A contact, with the chatbot that has met them.',
  required: ['chatbot_id', ...contactFields],
  properties: { chatbot_id: chatbotIdSchema, ...(contactSchema['properties'] as Record<string, JsonSchema>) },
};

export const exampleContactInProject = { chatbot_id: exampleChatbotId, ...exampleContact };

/** A contact among those of all chatbots. */
export function viewInProject(contact: OwnedContact, include: readonly Include[] = []): Record<string, unknown> {
  return { chatbot_id: contact.chatbot_id, ...viewOf(contact, include) };
}
