import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { write } from '../operation.ts';
import { revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { changeContact } from './change/change.ts';
import { deletedFor } from './change/plan.ts';
import { changeOf } from './change/set.ts';
import { openWorkingSet } from './change/working-set.ts';
import { contactIdSchema } from './contact.ts';
import { contactSchema, exampleView, includeSchema, shownNow, viewOf } from './view.ts';

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
  input: object({ chatbotId: chatbotIdSchema, contactId: contactIdSchema }, { optional: { include: includeSchema } }),
  output: contactSchema,
  errors: ['not_found', 'conflict', 'contacts_exhausted', 'merged', 'precondition_failed'],
  example: exampleView,
  repeat: {
    mayBeGone: true,
    keep: () => ({}),
    render: (reads, actor, _kept, input) => shownNow(reads, actor, input),
  },
  current: async ({ contacts }, { projectId }, { chatbotId, contactId }) => {
    const change = changeOf('restore', { id: contactId });
    return deletedFor(await openWorkingSet(contacts, { projectId, chatbotId }, [change]), change)?.revision;
  },
  run: async ({ contacts }, { projectId }, { chatbotId, contactId, include }) => {
    const change = changeOf('restore', { id: contactId });
    const { after, changes } = await changeContact(contacts, { projectId, chatbotId }, change);
    return { output: revised(viewOf(after, include), after), changes };
  },
});
