import { read } from '../operation.ts';
import { revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { pageProperties, pagesSchema, paginate, perPageMax, rangeOf } from '../values/page.ts';
import { requireWebhook } from './require.ts';
import { exampleWebhook, webhookIdSchema, webhookSchema } from './schema.ts';
import { webhookView } from './webhook.ts';

const perPageDefault = 25;

export const listWebhooks = read({
  name: 'listWebhooks',
  scope: 'webhooks:read',
  document: {
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'The webhooks of the project, oldest first, a page at a time; never their secrets.',
    answer: 'One page of webhooks.',
  },
  input: object({}, { optional: pageProperties(perPageDefault, 'Webhooks') }),
  output: object({ pages: pagesSchema, webhooks: { type: 'array', items: webhookSchema, maxItems: perPageMax } }),
  errors: ['invalid'],
  example: { pages: paginate(1, perPageDefault, 1), webhooks: [exampleWebhook] },
  run: async ({ webhooks }, { projectId }, { page = 1, per_page: perPage = perPageDefault }) => {
    const found = await webhooks.page(projectId, rangeOf(page, perPage));
    return { pages: paginate(page, perPage, found.total), webhooks: found.webhooks.map(webhookView) };
  },
});

export const retrieveWebhook = read({
  name: 'retrieveWebhook',
  scope: 'webhooks:read',
  document: {
    tag: 'Webhooks',
    summary: 'Retrieve a webhook',
    description: 'One webhook, how it fares and how far behind it is; never its secret.',
    answer: 'The webhook.',
  },
  input: object({ webhookId: webhookIdSchema }),
  output: webhookSchema,
  errors: ['not_found'],
  example: exampleWebhook,
  run: async (reads, actor, { webhookId }) => {
    const webhook = await requireWebhook(reads, actor, webhookId);
    return revised(webhookView(webhook), webhook);
  },
});
