import { aReceiver, status } from '../../test/support/receiver.ts';
import type { Asks } from './asks.ts';

/** Webhooks, disabled for most of it: what the sender does would change tags between two requests. */
export async function aroundWebhooks({ ask, get, post, patch }: Asks): Promise<void> {
  await using receiver = await aReceiver();
  const webhook = { url: receiver.url, events: ['contact.*'], description: 'CRM' };
  const { data } = await post('/v2/webhooks', webhook, 201, 'webhook');
  const path = `/v2/webhooks/${data.id}`;
  await patch(path, { payload: 'full', state: 'disabled' }, 200);
  await post('/v2/webhooks', webhook, 201, 'webhook');
  await post('/v2/webhooks', { ...webhook, url: 'http://10.0.0.1/' }, 422);
  await post('/v2/webhooks', {}, 422);
  for (const query of ['', '?per_page=1&page=2']) await get(`/v2/webhooks${query}`);
  await get(path);
  await get('/v2/webhooks/none', 404);
  await patch(path, { description: null }, 412, '"other"');
  await patch(path, { chatbot_ids: ['none'] }, 422);
  await post(`${path}/rotate`, { overlap: '1h' }, 200, 'rotate');
  await post(`${path}/rotate`, { overlap: '1h' }, 200, 'rotate');
  await post(`${path}/rotate`, { overlap: 'soon' }, 422);
  await post(`${path}/replay`, { since: '2026-06-08T00:00:00+00:00' }, 200);
  await post(`${path}/replay`, {}, 422);
  for (const query of ['', '?failed=true']) await get(`${path}/deliveries${query}`);
  await get(`${path}/deliveries?cursor=abc`, 422);
  receiver.answer = status(500);
  await ask({ method: 'POST', path: `${path}/test` }, 200);
  receiver.answer = undefined;
  await ask({ method: 'POST', path: `${path}/test` }, 200);
  await ask({ method: 'GET', path: `${path}/deliveries` }, 200);
  await ask({ method: 'DELETE', path }, 200);
  await ask({ method: 'DELETE', path }, 404);
  await ask({ method: 'POST', path: `${path}/test` }, 404);
}
