import { eventTypes } from '../events/event.ts';
import { read } from '../operation.ts';
import { cursorSchema, nextCursorSchema, walkThrough } from '../values/cursor.ts';
import { textSchema } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { timestampSchema } from '../values/timestamp.ts';
import { failures } from './outgoing.ts';
import { requireWebhook } from './require.ts';
import { attemptProperties, webhookIdSchema } from './schema.ts';
import { type Delivery, outcomes } from './store.ts';

const perAnswer = 100;

type Shown = ReturnType<typeof deliveryView>;

function deliveryView(delivery: Delivery, isDisabled: boolean) {
  const { event_id, type, attempt, at, status, reason, duration_ms, outcome } = delivery;
  const next_attempt_at = isDisabled ? null : delivery.next_attempt_at;
  return { event_id, type, attempt, at, status, reason, duration_ms, next_attempt_at, outcome };
}

const deliverySchema = object(
  {
    event_id: textSchema(idLengthMax, 'The id of the event, and the `webhook-id` of the request.'),
    type: { type: 'string', enum: eventTypes, description: 'The type of the event.' },
    attempt: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 10,
      description: 'Number of the attempt, from 1.',
    },
    at: { ...timestampSchema, description: 'UTC, whole seconds.' },
    ...attemptProperties,
    reason: { ...attemptProperties.reason, enum: [...failures, 'event_gone', null] },
    next_attempt_at: {
      ...timestampSchema,
      type: ['string', 'null'],
      description: 'Time of the retry; null if there is none, or while the webhook is disabled.',
    },
    outcome: {
      type: 'string',
      enum: outcomes,
      description:
        '`retrying`: Roster will retry, for a disabled webhook once it is enabled; `failed`: a later attempt followed; `given_up`: no retry, but a replay is possible.',
    },
  },
  { title: 'Delivery', description: 'An attempt to deliver an event.' },
);

const exampleDelivery: Shown = {
  event_id: '0199e2a4-7d1e-7cc3-9a53-5c7d1f2e8a90',
  type: 'contact.updated',
  attempt: 1,
  at: '2026-06-08T13:38:33+00:00',
  status: 503,
  reason: 'status',
  duration_ms: 41,
  next_attempt_at: '2026-06-08T13:38:38+00:00',
  outcome: 'retrying',
};

export const listDeliveries = read({
  name: 'listDeliveries',
  scope: 'webhooks:read',
  document: {
    tag: 'Webhooks',
    summary: "List a webhook's deliveries",
    description: 'The last 1,000 attempts, and failed ones of thirty days, 10,000 at most, newest first.',
    answer: 'Some attempts.',
  },
  input: object(
    { webhookId: webhookIdSchema },
    {
      optional: {
        cursor: { ...cursorSchema, description: 'Goes on with `next_cursor`; `*` begins with the newest.' },
        failed: { type: 'boolean', default: false, description: 'Only attempts that failed.', examples: [true] },
      },
    },
  ),
  output: object({
    deliveries: { type: 'array', items: deliverySchema, maxItems: perAnswer },
    next_cursor: nextCursorSchema,
  }),
  errors: ['invalid', 'not_found'],
  example: { deliveries: [exampleDelivery], next_cursor: null as string | null },
  run: async (reads, actor, { webhookId, cursor = '*', failed = false }) => {
    const { disabled_reason: disabled } = await requireWebhook(reads, actor, webhookId);
    const { projectId } = actor;
    const { rows, next_cursor } = await walkThrough(['deliveries', projectId, webhookId], cursor, toNumber).take(
      perAnswer,
      (before, limit) => reads.webhooks.deliveries(projectId, webhookId, { before, failed, limit }),
      ({ number }) => [String(number)],
    );
    return { deliveries: rows.map((one) => deliveryView(one, disabled !== null)), next_cursor };
  },
});

function toNumber(parts: readonly unknown[]): number | undefined {
  const number = parts.length === 1 ? Number(parts[0]) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
