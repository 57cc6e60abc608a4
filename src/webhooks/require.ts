import type { Actor } from '../actor.ts';
import { requireFound } from '../errors.ts';
import { lockProject } from '../projects/require.ts';
import { shownById } from '../repeat.ts';
import type { Reads, UnitOfWork } from '../store.ts';
import { invalid } from '../validation.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { type Disclosed, type StoredWebhook, webhookView } from './webhook.ts';

const webhooksOf = ({ webhooks }: Reads) => webhooks;

export const shownAgain = shownById(webhooksOf, webhookView);
/** A repeat does not show the secret. */
export const disclosedAgain = shownById(webhooksOf, (webhook): Disclosed => ({
  ...webhookView(webhook),
  secret: null,
}));

export async function requireWebhook({ webhooks }: Reads, { projectId }: Actor, webhookId: string) {
  return requireFound(await webhooks.find(projectId, webhookId), 'webhook');
}

/** The project is locked first, as a rotation of keys does. */
export async function lockWebhook({ projects, webhooks }: UnitOfWork, { projectId }: Actor, webhookId: string) {
  await lockProject(projects, projectId);
  return requireFound(await webhooks.findForUpdate(projectId, webhookId), 'webhook');
}

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
