import { positionOf, requireCurrent } from '../events/cursor.ts';
import { changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { revised } from '../revision.ts';
import type { UnitOfWork } from '../store.ts';
import { invalid } from '../validation.ts';
import { textSchema } from '../values/field.ts';
import { giveWay } from '../values/give-way.ts';
import { object } from '../values/object-schema.ts';
import { firstFrom, objectionsToTimes, timeSchema } from '../values/time-bound.ts';
import { retriesMax, retryAt } from './attempts.ts';
import { lockWebhook, shownAgain } from './require.ts';
import { exampleWebhook, webhookIdSchema, webhookSchema } from './schema.ts';
import { changedNow, type StoredWebhook, webhookView } from './webhook.ts';

export const replayWebhook = write({
  name: 'replayWebhook',
  scope: 'webhooks:write',
  document: {
    tag: 'Webhooks',
    summary: 'Replay events to a webhook',
    description:
      'Sends again what came after a cursor of `GET /v2/events`, or since a time, as far as events are kept. Repeats keep their `webhook-id`. It never skips: a point that the webhook has not reached changes nothing.',
    answer: 'The webhook, moved back.',
  },
  input: object(
    { webhookId: webhookIdSchema },
    {
      optional: {
        after: textSchema(1_000, 'A `next_cursor` of `GET /v2/events`; `*` is before the oldest event.'),
        since: timeSchema('Everything of this time or later.'),
      },
    },
  ),
  check: ({ after, since }) => {
    const errors = objectionsToTimes({ since }, ['since']);
    if (errors.length > 0) throw invalid(errors);
    if ((after === undefined) !== (since === undefined)) return;
    const message = 'must be given, or since; not both';
    throw invalid([{ field: 'after', code: after === undefined ? 'required' : 'not_allowed', message }]);
  },
  output: webhookSchema,
  errors: ['not_found', 'cursor_expired', 'precondition_failed'],
  example: exampleWebhook,
  repeat: shownAgain,
  current: async (unit, actor, { webhookId }) => (await lockWebhook(unit, actor, webhookId)).revision,
  run: async (unit, actor, { webhookId, after, since }) => {
    const before = await lockWebhook(unit, actor, webhookId);
    const { projectId } = actor;
    const from =
      after === undefined
        ? await beforeTime(unit, before, firstFrom(since ?? ''))
        : await afterCursor(unit, projectId, after);
    const position = from < before.position ? from : before.position;
    await unit.webhooks.endRetries(projectId, webhookId, position);
    const retry_at = retryAt(await unit.webhooks.retries(projectId, webhookId, retriesMax));
    const webhook = changedNow({ ...before, position, retry_at });
    await unit.webhooks.save(webhook);
    return changed(revised(webhookView(webhook), webhook), {
      type: 'webhook.updated',
      webhook_id: webhookId,
      changed: ['position'],
    });
  },
});

async function afterCursor({ events }: UnitOfWork, projectId: string, cursor: string): Promise<bigint> {
  const position = positionOf(cursor);
  const page = await events.list(projectId, { after: position.sequence, types: [], limit: 1 });
  requireCurrent(position, page);
  return position.sequence < page.oldest - 1n ? page.oldest - 1n : position.sequence;
}

/** The place before the first event since a time, or where the webhook is. */
async function beforeTime({ events }: UnitOfWork, webhook: StoredWebhook, since: string): Promise<bigint> {
  const { project_id: projectId, position } = webhook;
  for (let after = 0n; ;) {
    await giveWay();
    const page = await events.list(projectId, { after, types: [], occurredFrom: since, limit: 1 });
    const [first] = page.events;
    if (first) return BigInt(first.sequence) - 1n;
    if (page.upTo.sequence >= position) return position;
    after = page.upTo.sequence;
  }
}
