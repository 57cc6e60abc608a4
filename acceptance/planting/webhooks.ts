import { aReceiver, status } from '../../test/support/receiver.ts';
import { type Api, openApi } from '../parts/api.ts';
import { until } from '../webhooks/hearer.ts';
import type { Place } from './places.ts';
import type { Plant } from './plants.ts';

interface Made {
  id: string;
  secret: string;
}

const heardWithinMs = 20_000;

/**
 * Webhooks that send people and that do not, and one with plants in its URL and in all that its receiver answers. `told` is what left
 * the service that may hold no plant, and what it tells of its attempts.
 */
export async function plantWebhooks(port: number, token: string, plants: readonly Plant[]) {
  const undo = new AsyncDisposableStack();
  using api = await openApi(port, token, 1);
  const [thin, full, odd] = [undo.use(await aReceiver()), undo.use(await aReceiver()), undo.use(await aReceiver())];
  const plant = encodeURIComponent(plants[0]?.text ?? '');
  odd.answer = (response) =>
    void response.writeHead(302, plant, { location: `https://example.com/${plant}` }).end(plant);
  thin.answer = status(200, { 'x-answer': plant });
  const create = async (body: object) =>
    post<Made>(api, '/v2/webhooks', { events: ['contact.*', 'member.*'], ...body });
  const made = [
    await create({ url: thin.url }),
    await create({ url: full.url, payload: 'full' }),
    await create({ url: `${odd.url}?of=${plant}`, description: plant }),
  ];
  const rotated = await post<Made>(api, `/v2/webhooks/${made[0]?.id}/rotate`, {}, 'rotate');
  await post(api, `/v2/webhooks/${made[0]?.id}/rotate`, {}, 'rotate');
  return {
    secrets: [...made, rotated].map(({ secret }) => secret),
    told: async (): Promise<{ places: Place[]; people: string }> => {
      using again = await openApi(port, token, 1);
      await until(heardWithinMs, () => [thin, full, odd].every(({ received }) => received.length > 0));
      const places = [...thin.received, ...odd.received].map(({ headers, body }) => ({
        name: 'message without people',
        text: JSON.stringify(headers) + body,
      }));
      for (const { url, headers } of [...full.received, ...thin.received])
        places.push({ name: 'head of a message', text: JSON.stringify([url, headers]) });
      for (const { id } of made) {
        const tested = await post<object>(again, `/v2/webhooks/${id}/test`);
        const deliveries = await again.data<object>({ method: 'GET', path: `/v2/webhooks/${id}/deliveries` });
        places.push({ name: 'deliveries', text: JSON.stringify([tested, deliveries]) });
      }
      return { places, people: JSON.stringify(full.received) };
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

function post<T>(api: Api, path: string, body?: object, idempotencyKey?: string): Promise<T> {
  return api.data<T>({ method: 'POST', path, body: body && JSON.stringify(body), idempotencyKey });
}
