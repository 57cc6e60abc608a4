import { eventPatterns } from '../events/patterns.ts';
import { idSchema, storablePattern, textSchema } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { timestampSchema } from '../values/timestamp.ts';
import { failures } from './outgoing.ts';
import { disabledReasons, payloads, states, type WebhookView } from './webhook.ts';

export const webhookIdSchema = textSchema(idLengthMax, 'Opaque.', '019aaaaa-0000-7000-8000-000000000003');

const timeOrNull = (description: string) => ({ ...timestampSchema, type: ['string', 'null'], description });
const urlLengthMax = 2_048;
const eventsMax = 100;
const chatbotsMax = 1_000;

export const givenProperties = {
  url: textSchema(
    urlLengthMax,
    'URL that receives the events: https, at a public address.',
    'https://example.com/hooks/roster',
  ),
  events: {
    type: 'array',
    items: { type: 'string', enum: eventPatterns },
    minItems: 1,
    maxItems: eventsMax,
    uniqueItems: true,
    description: 'Types of events, or patterns: `contact.*` is each type that begins with `contact.`.',
    examples: [['contact.*', 'contacts.erased']],
  },
  chatbot_ids: {
    type: ['array', 'null'],
    items: idSchema,
    minItems: 1,
    maxItems: chatbotsMax,
    uniqueItems: true,
    description: 'Only events about these chatbots and their contacts; null is everything.',
    examples: [['8839210412']],
  },
  payload: {
    type: 'string',
    enum: payloads,
    description:
      '`thin` is the event, without personal data; `full` adds the contact or the member as they are when it is sent.',
    examples: ['thin'],
  },
  description: {
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 255,
    pattern: storablePattern,
    description: 'Free text for people.',
    examples: ['CRM sync'],
  },
} as const;

const webhookProperties = {
  id: webhookIdSchema,
  ...givenProperties,
  state: {
    type: 'string',
    enum: states,
    description: '`failing` from the first failed attempt to the next success; `disabled` after five days of failures.',
  },
  failing_since: timeOrNull('Time since which no attempt has succeeded; null while the webhook works.'),
  disabled_reason: {
    type: ['string', 'null'],
    enum: [...disabledReasons, null],
    description:
      'Why nothing is sent: somebody wants it so, the receiver answered 410, it failed for five days, its maker is gone or lost the right, or a backup was restored.',
  },
  last_success_at: timeOrNull('When the receiver last answered 2xx.'),
  next_attempt_at: timeOrNull('Time of the next retry; null if nothing waits.'),
  behind: {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Number of later events in the project, whether the webhook gets them or not.',
  },
} as const;

export const webhookSchema = object(webhookProperties, {
  title: 'Webhook',
  description: 'Posts events to a URL, signed by Standard Webhooks.',
});

export const disclosedSchema = object(
  {
    ...webhookProperties,
    secret: {
      type: ['string', 'null'],
      maxLength: 128,
      pattern: '^whsec_[A-Za-z0-9+/=]+$',
      description: 'Signs the requests; shown only here, and null in a repeat.',
    },
  },
  { title: 'WebhookWithSecret', description: 'A webhook, and its secret.' },
);

const count = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 } as const;

export const attemptProperties = {
  status: {
    ...count,
    type: ['integer', 'null'],
    minimum: 100,
    maximum: 999,
    description: 'HTTP status of the answer; null if there was none.',
  },
  reason: {
    type: ['string', 'null'],
    enum: [...failures, null],
    description: 'Why the attempt failed; null if it did not.',
  },
  duration_ms: { ...count, description: 'Milliseconds that the attempt took.' },
} as const;

export const exampleWebhook: WebhookView = {
  id: '019aaaaa-0000-7000-8000-000000000003',
  url: 'https://example.com/hooks/roster',
  events: ['contact.*', 'contacts.erased'],
  chatbot_ids: null,
  payload: 'thin',
  description: 'CRM sync',
  state: 'active',
  failing_since: null,
  disabled_reason: null,
  last_success_at: '2026-06-08T13:38:33+00:00',
  next_attempt_at: null,
  behind: 0,
};

export const exampleSecret = 'whsec_bWFkZSB1cCBmb3IgdGhlIGRvY3VtZW50YXRpb24=';
