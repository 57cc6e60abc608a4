import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { AppError } from '../errors.ts';
import { changed } from '../events.ts';
import { write } from '../operation.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { contactIdSchema, exampleContact } from './contact.ts';
import { contactSchema, type Include, includeSchema, viewOf } from './view.ts';
import { externalIdTaken } from './working-set.ts';

export interface RestoredContact {
  chatbotId: string;
  contactId: string;
  include?: readonly Include[];
}

export const restoreContact = write({
  name: 'restoreContact',
  scope: 'contacts:write',
  document: {
    tag: 'Contacts',
    summary: 'Restore a contact',
    description:
      'Takes the contact out of the bin, under the same id. 404 where it is not in the bin; 409 where another contact has its id or its `external_id` meanwhile.',
    answer: 'The contact.',
  },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['chatbotId', 'contactId'],
    properties: { chatbotId: chatbotIdSchema, contactId: contactIdSchema, include: includeSchema },
  },
  output: contactSchema,
  errors: ['not_found', 'conflict'],
  example: { ...exampleContact },
  repeat: {
    mayBeGone: true,
    keep: () => ({}),
    render: async ({ contacts }, { projectId }, _kept, { chatbotId, contactId, include }) => {
      const contact = await contacts.findWhole(projectId, chatbotId, contactId);
      return contact ? viewOf(contact, include) : null;
    },
  },
  run: async ({ contacts }, { projectId }, { chatbotId, contactId, include }: RestoredContact) => {
    const keyOfId = `id:${contactId}`;
    // Taken first, so that nobody else writes the contact or its external id.
    const live = await contacts.findForWriting(projectId, chatbotId, [keyOfId]);
    const [contact] = await contacts.findDeleted(projectId, chatbotId, [contactId]);
    if (!contact) throw new AppError('not_found', 'The bin has no such contact', { about: 'contact' });
    // A program without a bin may have added somebody whose id is in it.
    if (live.has(keyOfId)) {
      throw new AppError('conflict', 'Another contact of the chatbot has this id', { existing: [contactId] });
    }
    if (contact.external_id !== null) {
      const key = `external_id:${contact.external_id}`;
      const [other] = (await contacts.findForWriting(projectId, chatbotId, [key])).get(key) ?? [];
      if (other) throw externalIdTaken(other.id);
    }
    const at = formatTimestamp(new Date());
    await contacts.restore(projectId, chatbotId, [contactId], at);
    return changed(viewOf({ ...contact, updated_at: contact.updated_at ?? at }, include), {
      type: 'contact.restored',
      chatbot_id: chatbotId,
      contact_id: contactId,
    });
  },
});
