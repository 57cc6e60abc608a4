import type { XStatic } from 'typebox/schema';

import { type NewEvent, unchanged } from '../events/event.ts';
import { receiptSchema } from '../events/schema.ts';
import { write } from '../operation.ts';
import { textSchema } from '../values/field.ts';
import { newId } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { formatTimestamp, timestampSchema } from '../values/timestamp.ts';
import { byChatbot, placesSchema } from './in-project.ts';
import { type ContactRef, refKey, refsIn } from './store.ts';

const dryRun = 'Only tell how many contacts it would erase; `receipt_id` and `erased_at` are then null.';
const idsOfEvent = 1_000;

const output = object({
  receipt_id: { ...receiptSchema, type: ['string', 'null'] },
  erased_at: { ...timestampSchema, type: ['string', 'null'], description: 'UTC, whole seconds.' },
  contacts: {
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: 100,
    description: 'How many of the given contacts were there.',
  },
  reference: { ...textSchema(255, 'As it was given.'), type: ['string', 'null'] },
});
export type Erased = XStatic<typeof output>;

export const eraseContacts = write({
  name: 'eraseContacts',
  scope: 'contacts:write',
  queue: 'chatbots',
  document: {
    tag: 'Contacts',
    summary: 'Erase a person',
    description:
      'Deletes contacts of any chatbots of the project for good, in one commit: also from the bin, and with all that was merged into them. A contact that was merged into another one is erased alone, and what that one took from it stays there: name both, as `disclose` does. What is not there is left out. Events `contacts.erased`, one for each chatbot, have the ids and the receipt. The answer repeats `reference`, and nothing keeps it.',
    answer: 'The receipt, and how many of the given contacts were there.',
  },
  input: object(
    {
      contacts: {
        ...placesSchema,
        examples: [[{ chatbot_id: '8839210412', id: '018ff844-cbc8-7a1e-9c0d-5f2b7e3a9d41' }]],
      },
    },
    {
      optional: {
        reference: textSchema(255, 'A name for the request, such as its number.', 'Request 2026-17'),
        dry_run: { type: 'boolean', default: false, description: dryRun, examples: [false] },
      },
    },
  ),
  output,
  example: {
    receipt_id: '019aaaaa-0000-7000-8000-000000000002',
    erased_at: '2026-06-08T13:38:33+00:00',
    contacts: 2,
    reference: 'Request 2026-17',
  },
  repeat: {
    keep: ({ receipt_id, erased_at, contacts }: Erased) => ({ receipt_id, erased_at, contacts }),
    render: async (_reads, _actor, kept, { reference = null }) => ({ ...kept, reference }),
  },
  run: async ({ contacts }, { projectId }, { contacts: places, reference = null, dry_run: isDry = false }) => {
    const receiptId = newId();
    const changes: NewEvent[] = [];
    const gone: ContactRef[] = isDry ? refsIn(await contacts.kept(projectId, places)) : [];
    for (const [chatbotId, own] of isDry ? [] : byChatbot(places)) {
      const ids = await contacts.purge(projectId, chatbotId, own);
      for (const id of ids) gone.push({ chatbot_id: chatbotId, id });
      for (let at = 0; at < ids.length; at += idsOfEvent) {
        const some = ids.slice(at, at + idsOfEvent);
        changes.push({ type: 'contacts.erased', chatbot_id: chatbotId, contact_ids: some, receipt_id: receiptId });
      }
    }
    const erased = new Set(places.map(refKey)).intersection(new Set(gone.map(refKey))).size;
    const receipt = { receipt_id: null, erased_at: null, contacts: erased, reference } as Erased;
    if (isDry) return unchanged(receipt);
    return { output: { ...receipt, receipt_id: receiptId, erased_at: formatTimestamp(new Date()) }, changes };
  },
});
