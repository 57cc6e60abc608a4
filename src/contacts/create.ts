import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { requireChatbot } from '../chatbots/require.ts';
import { write } from '../operation.ts';
import { revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { changeContact } from './change/change.ts';
import { checkNew } from './change/plan.ts';
import { changeOf, givenOf } from './change/set.ts';
import { contactIdSchema, exampleContact } from './contact.ts';
import { type GivenProperties, propertiesSchema } from './properties.ts';

interface NewContact {
  chatbotId: string;
  properties: GivenProperties;
}

const exampleProperties = { first_name: 'Bo', last_name: 'Lindqvist', email: 'bo@example.com' };

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
  input: object({ chatbotId: chatbotIdSchema, properties: { ...propertiesSchema, examples: [exampleProperties] } }),
  check: ({ properties }: NewContact) => checkNew(givenOf(properties)),
  output: object({ id: contactIdSchema }),
  errors: ['not_found', 'conflict', 'contacts_exhausted'],
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
    const change = changeOf('create', undefined, properties);
    const { after, changes } = await changeContact(contacts, { projectId, chatbotId }, change);
    return { output: revised({ id: after.id }, after), changes };
  },
});
