import { changed } from '../events/event.ts';
import { doneAgain } from '../idempotency.ts';
import { write } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { lockWebhook } from './require.ts';
import { webhookIdSchema } from './schema.ts';

export const deleteWebhook = write({
  name: 'deleteWebhook',
  scope: 'webhooks:write',
  document: {
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent, and its deliveries are forgotten.',
    answer: 'It is done.',
  },
  input: object({ webhookId: webhookIdSchema }),
  errors: ['not_found', 'precondition_failed'],
  repeat: doneAgain,
  current: async (unit, actor, { webhookId }) => (await lockWebhook(unit, actor, webhookId)).revision,
  run: async (unit, actor, { webhookId }) => {
    await lockWebhook(unit, actor, webhookId);
    await unit.webhooks.delete(actor.projectId, webhookId);
    return changed(undefined, { type: 'webhook.deleted', webhook_id: webhookId });
  },
});
