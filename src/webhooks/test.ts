import { makerOf } from '../actor.ts';
import { changed, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { newId } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import type { Attempt } from './outgoing.ts';
import { lockWebhook, requireWebhook, resume } from './require.ts';
import { attemptProperties, webhookIdSchema } from './schema.ts';
import { secretsAt, signedHeaders } from './signing.ts';
import { changedNow, requireOutgoing, stateOf } from './webhook.ts';

const { status, duration_ms, reason } = attemptProperties;

export const testWebhook = write({
  name: 'testWebhook',
  scope: 'webhooks:write',
  document: {
    tag: 'Webhooks',
    summary: 'Test a webhook',
    description:
      'Signs and sends `ping` now, in the way of every delivery. A success enables a failing or disabled webhook, which goes on from where it was. A disabled one then sees what the caller may read.',
    answer: 'What came of it.',
  },
  input: object({ webhookId: webhookIdSchema }),
  output: object(
    { delivered: { type: 'boolean', description: 'Whether the receiver answered 2xx.' }, status, duration_ms, reason },
    { title: 'WebhookTest', description: 'What came of a test.' },
  ),
  errors: ['not_found'],
  example: { delivered: true, status: 204, duration_ms: 41, reason: null },
  outside: async (reads, actor, { webhookId }, { outgoing, signal }): Promise<Attempt> => {
    const webhook = await requireWebhook(reads, actor, webhookId);
    const now = new Date();
    const body = JSON.stringify({ type: 'ping', timestamp: formatTimestamp(now), data: {} });
    const headers = signedHeaders(newId(), now, body, secretsAt(webhook, now));
    return requireOutgoing(outgoing).post({ url: webhook.url, headers, body }, signal);
  },
  run: async (unit, actor, { webhookId }, _options, attempt) => {
    const { status = null, failure = null, durationMs = 0 } = attempt ?? {};
    const tested = { delivered: failure === null, status, duration_ms: durationMs, reason: failure };
    const before = await lockWebhook(unit, actor, webhookId);
    if (!tested.delivered || stateOf(before) === 'active') return unchanged(tested);
    const created_by = before.disabled_reason === null ? before.created_by : makerOf(actor);
    await unit.webhooks.save(changedNow(await resume(unit, { ...before, created_by })));
    return changed(tested, { type: 'webhook.updated', webhook_id: webhookId, changed: ['state'] });
  },
});
