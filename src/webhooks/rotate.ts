import { changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { nextRevision, revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { requireSpan, spanSchema } from '../values/span.ts';
import { addSeconds, formatTimestamp } from '../values/timestamp.ts';
import { disclosedAgain, lockWebhook } from './require.ts';
import { disclosedSchema, exampleSecret, exampleWebhook, webhookIdSchema } from './schema.ts';
import { newSigningSecret } from './signing.ts';
import { type Disclosed, type StoredWebhook, webhookView } from './webhook.ts';

const overlapDefault = '24h';

export const rotateWebhook = write({
  name: 'rotateWebhook',
  scope: 'webhooks:write',
  document: {
    tag: 'Webhooks',
    summary: "Rotate a webhook's secret",
    description:
      'Creates a new secret. Until the overlap ends both secrets sign, so a receiver can switch without losing a delivery. Another rotation during the overlap ends the oldest secret at once.',
    answer: 'The webhook, with its new secret.',
  },
  input: object(
    { webhookId: webhookIdSchema },
    {
      optional: {
        overlap: {
          ...spanSchema,
          default: overlapDefault,
          description: 'For how long the old secret signs too; `0s` ends it at once.',
          examples: [overlapDefault],
        },
      },
    },
  ),
  check: ({ overlap = overlapDefault }) => void requireSpan('overlap', overlap),
  output: disclosedSchema,
  errors: ['not_found', 'precondition_failed'],
  example: { ...exampleWebhook, secret: exampleSecret },
  repeat: disclosedAgain,
  current: async (unit, actor, { webhookId }) => (await lockWebhook(unit, actor, webhookId)).revision,
  run: async (unit, actor, { webhookId, overlap = overlapDefault }) => {
    const before = await lockWebhook(unit, actor, webhookId);
    const seconds = requireSpan('overlap', overlap);
    const secret = newSigningSecret();
    const webhook: StoredWebhook = {
      ...before,
      secret,
      old_secret: seconds === 0 ? null : before.secret,
      old_secret_until: seconds === 0 ? null : formatTimestamp(addSeconds(new Date(), seconds)),
      revision: nextRevision(before.revision),
    };
    await unit.webhooks.save(webhook);
    const output: Disclosed = { ...webhookView(webhook), secret };
    return changed(revised(output, webhook), { type: 'webhook.updated', webhook_id: webhookId, changed: ['secret'] });
  },
});
