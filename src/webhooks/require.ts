import type { Actor } from '../actor.ts';
import { requireFound } from '../errors.ts';
import { lockProject } from '../projects/require.ts';
import { revised } from '../revision.ts';
import type { Reads, UnitOfWork } from '../store.ts';
import { invalid } from '../validation.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { type Disclosed, type StoredWebhook, webhookView } from './webhook.ts';

function again<Output extends { id: string }>(show: (webhook: StoredWebhook) => Output) {
  return {
    mayBeGone: true,
    keep: ({ id }: Output) => ({ id }),
    render: async ({ webhooks }: Reads, { projectId }: Actor, { id }: { id: string }) => {
      const webhook = await webhooks.find(projectId, id);
      return webhook ? revised(show(webhook), webhook) : null;
    },
  } as const;
}

export const shownAgain = again(webhookView);
/** A repeat does not show the secret. */
export const disclosedAgain = again((webhook): Disclosed => ({ ...webhookView(webhook), secret: null }));

export async function requireWebhook({ webhooks }: Reads, { projectId }: Actor, webhookId: string) {
  return requireFound(await webhooks.find(projectId, webhookId), 'webhook');
}

/** The project is locked first, as a rotation of keys does. */
export async function lockWebhook({ projects, webhooks }: UnitOfWork, { projectId }: Actor, webhookId: string) {
  await lockProject(projects, projectId);
  return requireFound(await webhooks.findForUpdate(projectId, webhookId), 'webhook');
}

/** Throws `invalid` if a chatbot is not in the project. */
export async function requireChatbots({ chatbots }: Reads, { projectId }: Actor, ids: readonly string[] | null) {
  if (ids === null) return;
  const known = await chatbots.existing(projectId, ids);
  const index = ids.findIndex((id) => !known.includes(id));
  if (index === -1) return;
  throw invalid([{ field: `chatbot_ids[${index}]`, code: 'not_allowed', message: 'must be a chatbot of the project' }]);
}

/** Enables the webhook: clears its failures and retries at once what waits. */
export async function resume({ webhooks }: UnitOfWork, webhook: StoredWebhook): Promise<StoredWebhook> {
  const now = formatTimestamp(new Date());
  await webhooks.hurryRetries(webhook.project_id, webhook.id, now);
  const retry_at = webhook.retry_at === null ? null : now;
  return { ...webhook, failing_since: null, disabled_reason: null, paused_until: null, retry_at };
}
