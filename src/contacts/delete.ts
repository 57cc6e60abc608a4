import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { changed } from '../events/event.ts';
import { doneAgain } from '../idempotency.ts';
import { write } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { changeContact } from './change/change.ts';
import { changeOf } from './change/set.ts';
import { noContact, requireContact } from './change/working-set.ts';
import { contactIdSchema } from './contact.ts';

const purge = 'Whether it is deleted for good, also from the bin.';

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
  input: object(
    { chatbotId: chatbotIdSchema, contactId: contactIdSchema },
    { optional: { purge: { type: 'boolean', default: false, description: purge, examples: [false] } } },
  ),
  errors: ['invalid', 'not_found', 'merged', 'precondition_failed'],
  repeat: doneAgain,
  current: async (unit, { projectId }, { chatbotId, contactId, purge }) =>
    (await requireContact(unit.contacts, { projectId, chatbotId }, contactId, purge)).revision,
  run: async ({ contacts }, { projectId }, { chatbotId, contactId, purge }) => {
    if (purge === true) {
      if ((await contacts.purge(projectId, chatbotId, [contactId])).length === 0) throw noContact();
      return changed(undefined, { type: 'contact.purged', chatbot_id: chatbotId, contact_id: contactId });
    }
    const change = changeOf('delete', { id: contactId });
    const { changes } = await changeContact(contacts, { projectId, chatbotId }, change);
    return { output: undefined, changes };
  },
});
