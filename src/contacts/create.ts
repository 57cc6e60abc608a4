import { chatbotIdSchema, requireChatbot } from '../chatbots/chatbot.ts';
import { changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { revised } from '../revision.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { apply } from './apply.ts';
import { change, keysFor } from './changing.ts';
import { contactIdSchema, exampleContact, unknownContact } from './contact.ts';
import { type GivenProperties, propertiesOf, propertiesSchema } from './properties.ts';
import { openWorkingSet } from './working-set.ts';

export interface NewContact {
  chatbotId: string;
  properties: GivenProperties;
}

export const exampleProperties = { first_name: 'Bo', last_name: 'Lindqvist', email: 'bo@example.com' };

export const createContact = write({
  name: 'createContact',
  scope: 'contacts:write',
  queue: 'chatbot',
  document: {
    tag: 'Contacts',
    summary: 'Create a contact',
    description:
      'A new contact, also where its e-mail is there already: to write each person once, upsert. It needs a name or another property but `external_id`, `attributes` and `tags`.',
    answer: 'The id of the contact.',
  },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['chatbotId', 'properties'],
    properties: { chatbotId: chatbotIdSchema, properties: { ...propertiesSchema, examples: [exampleProperties] } },
  },
  // Validate a new contact fully before any look-up.
  check: ({ properties }: NewContact) =>
    void apply({ ...unknownContact, id: '', created_at: '' }, propertiesOf(properties)),
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: contactIdSchema },
  },
  errors: ['not_found', 'conflict'],
  example: { id: exampleContact.id },
  repeat: {
    keep: ({ id }: { id: string }) => ({ id }),
    render: async ({ contacts }, { projectId }, kept, { chatbotId }) => {
      const contact = await contacts.findWhole(projectId, chatbotId, kept.id);
      return contact ? revised(kept, contact) : kept;
    },
  },
  run: async ({ chatbots, contacts }, { projectId }, { chatbotId, properties }: NewContact) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    const at = formatTimestamp(new Date());
    const given = { op: 'create', properties: propertiesOf(properties) } as const;
    const set = await openWorkingSet(contacts, { projectId, chatbotId }, keysFor(given));
    const { contact } = await change(set, given, at);
    const { id } = contact;
    await set.flush();
    return changed(revised({ id }, contact), { type: 'contact.created', chatbot_id: chatbotId, contact_id: id });
  },
});
