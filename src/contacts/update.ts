import type { Actor } from '../actor.ts';
import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { changed, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { revised } from '../revision.ts';
import type { UnitOfWork } from '../store.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { change, keysFor } from './changing.ts';
import { contactIdSchema, exampleContact } from './contact.ts';
import { type GivenProperties, propertiesOf, propertiesSchema } from './properties.ts';
import { contactSchema, type Include, includeSchema, shownNow, viewOf } from './view.ts';
import { openWorkingSet, requireContact } from './working-set.ts';

export interface ContactPatch {
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
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['chatbotId', 'contactId', 'properties'],
    properties: {
      chatbotId: chatbotIdSchema,
      contactId: contactIdSchema,
      properties: { ...propertiesSchema, examples: [{ job_title: 'Head of Sales', tags: { add: ['vip'] } }] },
      include: includeSchema,
    },
  },
  check: ({ properties }: ContactPatch) => void propertiesOf(properties),
  output: contactSchema,
  errors: ['not_found', 'conflict', 'precondition_failed'],
  example: { ...exampleContact, job_title: 'Head of Sales' },
  repeat: {
    mayBeGone: true,
    keep: () => ({}),
    render: (reads, actor, _kept, input) => shownNow(reads, actor, input),
  },
  current: async ({ contacts }, { projectId }, { chatbotId, contactId }: ContactPatch) =>
    (await requireContact(contacts, { projectId, chatbotId }, contactId)).revision,
  run: async ({ contacts }: UnitOfWork, { projectId }: Actor, input: ContactPatch) => {
    const { chatbotId, contactId, properties, include } = input;
    const at = formatTimestamp(new Date());
    const given = { op: 'update', match: { id: contactId }, properties: propertiesOf(properties) } as const;
    const set = await openWorkingSet(contacts, { projectId, chatbotId }, keysFor(given));
    const { outcome, changed: fields, contact } = await change(set, given, at);
    const view = revised(viewOf(contact, include), contact);
    if (outcome === 'unchanged') return unchanged(view);
    await set.flush();
    return changed(view, {
      type: 'contact.updated',
      chatbot_id: chatbotId,
      contact_id: contactId,
      changed: fields,
    });
  },
});
