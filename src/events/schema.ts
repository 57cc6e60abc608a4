import { storablePattern } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { timestampSchema } from '../values/timestamp.ts';
import { type Event, eventTypes } from './event.ts';

const text = (maxLength: number, description: string) => ({ maxLength, description, pattern: storablePattern });
const id = (description: string) => ({ type: ['string', 'null'], ...text(idLengthMax, description) });
const list = (maxItems: number, description: string) => ({
  type: ['array', 'null'],
  items: { type: 'string', ...text(255, 'An id, or the name of a field.') },
  maxItems,
  description,
});

const eventProperties = {
  id: { type: 'string', ...text(idLengthMax, 'Unique.') },
  sequence: {
    type: 'string',
    pattern: '^[1-9][0-9]*$',
    maxLength: 19,
    description: 'A decimal number: without gaps in the project, in the order of commits.',
  },
  type: { type: 'string', enum: eventTypes, description: 'The type of event. The set may grow.' },
  occurred_at: { ...timestampSchema, description: 'UTC, whole seconds.' },
  actor: object(
    {
      type: { type: 'string', enum: ['key', 'member', 'operator', 'job'], description: 'Its kind.' },
      id: {
        type: 'string',
        ...text(
          idLengthMax,
          'The id of the key or the member, the name of the job, or `cli:USER` with the user of the command line; `cli` where it is not known.',
        ),
      },
    },
    { title: 'Actor', description: 'By whom it was done.' },
  ),
  request_id: { type: ['string', 'null'], ...text(128, 'X-Request-Id of the request that did it.') },
  chatbot_id: id('The chatbot that it is about, or that has the contacts.'),
  contact_id: id('The contact that it is about; of a merge, the one that stays.'),
  contact_ids: list(
    1_000,
    'The contacts of an import, a bulk request or an erasure; of a merge, those that were merged.',
  ),
  member_id: id('The member that it is about.'),
  member_ids: list(1_000, 'The members of an import.'),
  key_id: id('The API key that it is about.'),
  changed: list(1_000, 'The names of the fields that were changed, in any of the contacts; never their values.'),
};

const count = {
  type: 'integer',
  format: 'int32',
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'Number of exported contacts.',
} as const;

export const receiptSchema = {
  type: 'string',
  ...text(idLengthMax, 'The receipt of an erasure.'),
  examples: ['019aaaaa-0000-7000-8000-000000000002'],
} as const;

const webhookId = { type: 'string', ...text(idLengthMax, 'The webhook that it is about.') } as const;

export const eventSchema = object(eventProperties, {
  title: 'Event',
  description:
    'A change, by ids and names of fields. Keys that do not apply are null, except `count`, `receipt_id` and `webhook_id`, which are missing.',
  optional: { count, receipt_id: receiptSchema, webhook_id: webhookId },
});

export const exampleEvent: Event = {
  id: '0199e2a4-7d1e-7cc3-9a53-5c7d1f2e8a90',
  sequence: '42',
  type: 'contact.updated',
  occurred_at: '2026-06-08T13:38:33+00:00',
  actor: { type: 'key', id: '0198f1b2-5a0c-7b1d-8e4f-2c9d7a6b5e31' },
  request_id: '9f0c1b7e-4c3f-4d55-8a52-0f4c7f0c2a11',
  chatbot_id: '8839210412',
  contact_id: 'qtr89df0-112d-d197-b541-3f8674663246',
  contact_ids: null,
  member_id: null,
  member_ids: null,
  key_id: null,
  changed: ['email', 'phone'],
};
