import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { AppError } from '../errors.ts';
import { changed } from '../events/event.ts';
import { doneAgain } from '../idempotency.ts';
import { write } from '../operation.ts';
import { newMoment } from '../values/timestamp.ts';
import { contactIdSchema } from './contact.ts';
import { requireContact } from './working-set.ts';

export interface DeletedContactInput {
  chatbotId: string;
  contactId: string;
  purge?: boolean;
}

export const deleteContact = write({
  name: 'deleteContact',
  scope: 'contacts:write',
  queue: 'chatbot',
  document: {
    tag: 'Contacts',
    summary: 'Delete a contact',
    description:
      'Puts the contact into the bin, from which it can be restored for as long as the operator keeps it. With `purge=true` it is deleted for good, also from the bin.',
    answer: 'It is done.',
  },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['chatbotId', 'contactId'],
    properties: {
      chatbotId: chatbotIdSchema,
      contactId: contactIdSchema,
      purge: {
        type: 'boolean',
        default: false,
        description: 'Whether it is deleted for good, also from the bin.',
        examples: [false],
      },
    },
  },
  errors: ['invalid', 'not_found', 'precondition_failed'],
  repeat: doneAgain,
  current: async (unit, { projectId }, { chatbotId, contactId, purge }: DeletedContactInput) =>
    (await requireContact(unit.contacts, { projectId, chatbotId }, contactId, purge)).revision,
  run: async ({ contacts }, { projectId }, { chatbotId, contactId, purge }: DeletedContactInput) => {
    const subject = { chatbot_id: chatbotId, contact_id: contactId };
    if (purge === true) {
      if ((await contacts.purge(projectId, chatbotId, [contactId])) === 0) {
        throw new AppError('not_found', 'There is no such contact', { about: 'contact' });
      }
      return changed(undefined, { type: 'contact.purged', ...subject });
    }
    const contact = await requireContact(contacts, { projectId, chatbotId }, contactId);
    const removal = await contacts.remove(projectId, chatbotId, [contact], newMoment());
    return changed(undefined, { type: `contact.${removal}`, ...subject });
  },
});
