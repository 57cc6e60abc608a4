import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { AppError } from '../errors.ts';
import { changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { revised } from '../revision.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { contactIdSchema, exampleContact, touched } from './contact.ts';
import type { ContactWrites } from './store.ts';
import { contactSchema, type Include, includeSchema, shownNow, viewOf } from './view.ts';
import { externalIdTaken, type Owner } from './working-set.ts';

export interface RestoredContact {
  chatbotId: string;
  contactId: string;
  include?: readonly Include[];
}

export const restoreContact = write({
  name: 'restoreContact',
  scope: 'contacts:write',
  queue: 'chatbot',
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
  errors: ['not_found', 'conflict', 'precondition_failed'],
  example: { ...exampleContact },
  repeat: {
    mayBeGone: true,
    keep: () => ({}),
    render: (reads, actor, _kept, input) => shownNow(reads, actor, input),
  },
  current: async ({ contacts }, { projectId }, { chatbotId, contactId }: RestoredContact) =>
    (await requireDeleted(contacts, { projectId, chatbotId }, contactId)).contact.revision,
  run: async ({ contacts }, { projectId }, { chatbotId, contactId, include }: RestoredContact) => {
    const { contact, live } = await requireDeleted(contacts, { projectId, chatbotId }, contactId);
    // A program without a bin may have added somebody whose id is in it.
    if (live) throw new AppError('conflict', 'Another contact of the chatbot has this id', { existing: [contactId] });
    if (contact.external_id !== null) {
      const key = `external_id:${contact.external_id}`;
      const [other] = (await contacts.findForWriting(projectId, chatbotId, [key])).get(key) ?? [];
      if (other) throw externalIdTaken(other.id);
    }
    const restored = touched(contact, contact.updated_at ?? formatTimestamp(new Date()));
    await contacts.restore(projectId, chatbotId, restored);
    return changed(revised(viewOf(restored, include), restored), {
      type: 'contact.restored',
      chatbot_id: chatbotId,
      contact_id: contactId,
    });
  },
});

/** Locks the contact in the bin, the contact that now has its id, and the external id. */
async function requireDeleted(contacts: ContactWrites, { projectId, chatbotId }: Owner, contactId: string) {
  const key = `id:${contactId}`;
  const [live] = (await contacts.findForWriting(projectId, chatbotId, [key])).get(key) ?? [];
  const [contact] = await contacts.findDeleted(projectId, chatbotId, [contactId]);
  if (contact) return { contact, live };
  throw new AppError('not_found', 'The bin has no such contact', { about: 'contact' });
}
