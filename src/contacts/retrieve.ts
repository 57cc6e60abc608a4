import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { read } from '../operation.ts';
import { revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { wasMerged } from './change/aliases.ts';
import { noContact } from './change/working-set.ts';
import { contactIdSchema, exampleContact } from './contact.ts';
import { contactSchema, includeSchema, viewOf } from './view.ts';

export const retrieveContact = read({
  name: 'retrieveContact',
  scope: 'contacts:read',
  document: {
    tag: 'Contacts',
    summary: 'Retrieve a contact',
    description:
      'One contact of a chatbot. A contact or chatbot that does not exist and one that belongs to somebody else give the same 404. HEAD is answered as well.',
    answer: 'The contact.',
  },
  input: object({ chatbotId: chatbotIdSchema, contactId: contactIdSchema }, { optional: { include: includeSchema } }),
  output: contactSchema,
  errors: ['invalid', 'not_found', 'merged'],
  example: exampleContact,
  run: async ({ contacts }, { projectId }, { chatbotId, contactId, include }) => {
    if (include === undefined) {
      const found = await contacts.find(projectId, chatbotId, contactId);
      if (found) {
        const { revision, ...contact } = found;
        return revised<object>(contact, { revision });
      }
    } else {
      const contact = await contacts.findWhole(projectId, chatbotId, contactId);
      if (contact) return revised<object>(viewOf(contact, include), contact);
    }
    const [merged] = await contacts.mergedAmong(projectId, chatbotId, [contactId]);
    throw merged ? wasMerged(chatbotId, merged.merged_into) : noContact();
  },
});
