import { makerOf } from '../actor.ts';
import { changed, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { lockWebhook, requireChatbots, resume, shownAgain } from './require.ts';
import { exampleWebhook, givenProperties, webhookIdSchema, webhookSchema } from './schema.ts';
import { changedNow, requireAllowed, requireOutgoing, stateOf, type StoredWebhook, webhookView } from './webhook.ts';

const fields = ['url', 'events', 'chatbot_ids', 'payload', 'description'] as const;
type Given = Partial<Pick<StoredWebhook, (typeof fields)[number]>>;

export const updateWebhook = write({
  name: 'updateWebhook',
  scope: 'webhooks:write',
  document: {
    tag: 'Webhooks',
    summary: 'Change a webhook',
    description:
      'What is missing stays. Once the URL, the events, the chatbots, the payload or the state are changed, the webhook sees what the caller may read. An enabled webhook goes on from where it was.',
    answer: 'The webhook.',
  },
  input: object(
    { webhookId: webhookIdSchema },
    {
      optional: {
        ...givenProperties,
        state: {
          type: 'string',
          enum: ['active', 'disabled'],
          description: '`active` goes on from where it was; `disabled` sends nothing.',
          examples: ['active'],
        },
      },
    },
  ),
  output: webhookSchema,
  errors: ['not_found', 'precondition_failed'],
  example: exampleWebhook,
  repeat: shownAgain,
  current: async (unit, actor, { webhookId }) => (await lockWebhook(unit, actor, webhookId)).revision,
  outside: async (_reads, _actor, { url }, { outgoing }) =>
    url === undefined ? undefined : requireOutgoing(outgoing).refusalOf(url),
  run: async (unit, actor, { webhookId, state, ...given }, _options, refusal) => {
    const before = await lockWebhook(unit, actor, webhookId);
    requireAllowed(refusal);
    await requireChatbots(unit, actor, given.chatbot_ids ?? null);
    const fieldsChanged = differing(before, given);
    const turns = state !== undefined && state !== stateOf(before);
    const names = [...fieldsChanged, ...(turns ? ['state'] : [])];
    if (names.length === 0) return unchanged(revised(webhookView(before), before));
    let webhook = changedNow({ ...before, ...given });
    const widens = fieldsChanged.some((name) => name !== 'description') || (turns && state === 'active');
    if (widens) webhook.created_by = makerOf(actor);
    if (turns && state === 'active') webhook = await resume(unit, webhook);
    else if (turns) webhook.disabled_reason = 'requested';
    await unit.webhooks.save(webhook);
    const type = turns && state === 'disabled' ? 'webhook.disabled' : 'webhook.updated';
    return changed(revised(webhookView(webhook), webhook), { type, webhook_id: webhookId, changed: names });
  },
});

function differing(before: StoredWebhook, given: Given): string[] {
  return fields.filter((name) => given[name] !== undefined && !isSame(given[name], before[name]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
