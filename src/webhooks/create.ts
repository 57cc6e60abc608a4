import { makerOf } from '../actor.ts';
import { AppError } from '../errors.ts';
import { changed } from '../events/event.ts';
import { write } from '../operation.ts';
import { lockProject } from '../projects/require.ts';
import { nextRevision, revised } from '../revision.ts';
import { newId } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { disclosedAgain, requireChatbots } from './require.ts';
import { disclosedSchema, exampleSecret, exampleWebhook, givenProperties } from './schema.ts';
import { newSigningSecret } from './signing.ts';
import { type Disclosed, requireAllowed, requireOutgoing, type StoredWebhook, webhookView } from './webhook.ts';

/** Each is asked about every event of the project. */
const webhooksMax = 100;

const { url, events, ...optional } = givenProperties;

export const createWebhook = write({
  name: 'createWebhook',
  scope: 'webhooks:write',
  document: {
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'Posts each later event that matches to a URL, signed by Standard Webhooks with the secret of the answer. A webhook made by a key gets what that key may read, so a key without contacts:read gets nothing of contact.*. The webhook ends with its key, and a rotated key passes it to its successor.',
    answer: 'The webhook, with its secret.',
  },
  input: object({ url, events }, { optional }),
  output: disclosedSchema,
  errors: ['conflict'],
  example: { ...exampleWebhook, last_success_at: null, secret: exampleSecret },
  repeat: disclosedAgain,
  outside: (_reads, _actor, { url: to }, { outgoing }) => requireOutgoing(outgoing).refusalOf(to),
  run: async (unit, actor, input, _options, refusal) => {
    requireAllowed(refusal);
    const { webhooks, projects } = unit;
    const { projectId } = actor;
    const { chatbot_ids = null, payload = 'thin', description = null } = input;
    await lockProject(projects, projectId);
    await requireChatbots(unit, actor, chatbot_ids);
    const { total } = await webhooks.page(projectId, { limit: 1, offset: 0 });
    if (total >= webhooksMax) {
      throw new AppError('conflict', `The project already has its maximum of ${webhooksMax} webhooks`);
    }
    const webhook: StoredWebhook = {
      project_id: projectId,
      id: newId(),
      url: input.url,
      events: input.events,
      chatbot_ids,
      payload,
      description,
      secret: newSigningSecret(),
      old_secret: null,
      old_secret_until: null,
      failing_since: null,
      disabled_reason: null,
      last_success_at: null,
      paused_until: null,
      retry_at: null,
      position: 0n,
      last_event: 0n,
      attempts: 0,
      created_by: makerOf(actor),
      created_at: formatTimestamp(new Date()),
      revision: nextRevision(),
    };
    await webhooks.insert(webhook);
    const { id, secret } = webhook;
    const output: Disclosed = { ...webhookView(webhook), secret };
    return changed(revised(output, webhook), { type: 'webhook.created', webhook_id: id });
  },
});
