import type { Actor } from '../actor.ts';
import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { write } from '../operation.ts';
import { revised } from '../revision.ts';
import type { UnitOfWork } from '../store.ts';
import { object } from '../values/object-schema.ts';
import { changeContact } from './change/change.ts';
import { changeOf } from './change/set.ts';
import { requireContact } from './change/working-set.ts';
import { contactIdSchema } from './contact.ts';
import { type GivenProperties, propertiesSchema } from './properties.ts';
import { contactSchema, exampleView, type Include, includeSchema, shownNow, viewOf } from './view.ts';

interface ContactPatch {
  chatbotId: string;
  contactId: string;
  properties: GivenProperties;
  include?: readonly Include[];
}

export const updateContact = write({
  name: 'updateContact',
  scope: 'contacts:write',
  queue: 'chatbot',
  document: {
    tag: 'Contacts',
    summary: 'Change a contact',
    description:
      'A JSON Merge Patch (RFC 7396) of the properties and of `attributes`: null clears a key, a missing key stays. A patch that changes nothing is 200 too, with the same ETag and without an event.',
    answer: 'The contact.',
  },
  input: object(
    {
      chatbotId: chatbotIdSchema,
      contactId: contactIdSchema,
      properties: { ...propertiesSchema, examples: [{ job_title: 'Head of Sales', tags: { add: ['vip'] } }] },
    },
    { optional: { include: includeSchema } },
  ),
  check: ({ contactId, properties }: ContactPatch) => void changeOf('update', { id: contactId }, properties),
  output: contactSchema,
  errors: ['not_found', 'conflict', 'merged', 'precondition_failed'],
  example: { ...exampleView, job_title: 'Head of Sales' },
  repeat: {
    mayBeGone: true,
    keep: () => ({}),
    render: (reads, actor, _kept, input) => shownNow(reads, actor, input),
  },
  current: async ({ contacts }, { projectId }, { chatbotId, contactId }: ContactPatch) =>
    (await requireContact(contacts, { projectId, chatbotId }, contactId)).revision,
  run: async ({ contacts }: UnitOfWork, { projectId }: Actor, input: ContactPatch) => {
    const { chatbotId, contactId, properties, include } = input;
    const change = changeOf('update', { id: contactId }, properties);
    const { after, changes } = await changeContact(contacts, { projectId, chatbotId }, change);
    return { output: revised(viewOf(after, include), after), changes };
  },
});
