import type { Position } from './positions.ts';
import { sending } from './write-positions.ts';

const webhooks = '/v2/webhooks';
const about = (plant: string) => `${webhooks}/${encodeURIComponent(plant)}`;

/** Every place of a request about webhooks; each is refused. */
export const webhookPositions: Readonly<Record<string, Position>> = {
  badWebhook: sending('POST', webhooks, (plant) => ({ url: plant, events: [plant], payload: plant, [plant]: plant })),
  webhookUrl: sending('POST', webhooks, (plant) => ({
    url: `https://user:${encodeURIComponent(plant)}@example.com/`,
    events: ['contact.*'],
    description: plant,
  })),
  forbiddenWebhook: sending('POST', webhooks, (plant) => ({
    url: `https://10.0.0.1/${encodeURIComponent(plant)}`,
    events: ['contact.*'],
  })),
  webhookId: sending('PATCH', about, (plant) => ({ description: plant })),
  rotation: sending(
    'POST',
    (plant) => `${about(plant)}/rotate`,
    (plant) => ({ overlap: plant }),
  ),
  replay: sending(
    'POST',
    (plant) => `${about(plant)}/replay`,
    (plant) => ({ after: plant, since: plant }),
  ),
  deliveries: sending(
    'GET',
    (plant) => `${about(plant)}/deliveries?cursor=${encodeURIComponent(plant)}`,
    () => ({}),
  ),
};
