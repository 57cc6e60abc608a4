import { setTimeout as pause } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Api, openApi } from '../parts/api.ts';
import { createContacts, isSigned, missingFrom, objectionsTo, openHearer, until } from '../webhooks/hearer.ts';
import { readFeed } from '../writes/feed.ts';
import { aTenant } from '../writes/tenant.ts';

/**
 * The secret of a webhook is rotated while callers write. Its receiver knows one secret at a time, and changes over at some moment of
 * the overlap. The size is the number of rotations.
 */
export const rotationUnderLoad: Guarantee = {
  name: 'rotation of a secret under load',
  sizes: { smoke: 0, core: 3, full: 60 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

const writers = 4;
const writesEveryMs = 5;
const changesWithinMs = 300;
const heardWithinMs = 20_000;

async function prove({ install, size, seed }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  const { token } = await aTenant(at, 'acme');
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0', ROSTER_WEBHOOK_ALLOW: '127.0.0.1' });
  using api = await openApi(port, token, writers + 1);
  await using hearer = await openHearer(api, { events: ['contact.*'] });
  const { received } = hearer.receiver;
  const stopping = new AbortController();
  const writing = Array.from({ length: writers }, () => writeUntil(stopping.signal, api));
  const failures: string[] = [];
  let twice = 0;
  for (let rotation = 1; rotation <= size; rotation++) {
    const path = `/v2/webhooks/${hearer.id}/rotate`;
    const { secret } = await api.data<{ secret: string }>({ method: 'POST', path, body: '{"overlap":"1h"}' });
    const from = received.length;
    await pause(random.below(changesWithinMs));
    const isNew = () => received.slice(from).some((one) => isSigned(one, [secret]));
    if (!(await until(heardWithinMs, isNew))) failures.push(`rotation ${rotation}: the new secret signs nothing`);
    twice += received.slice(from).filter(({ headers }) => String(headers['webhook-signature']).includes(' ')).length;
    hearer.secrets = [secret];
  }
  stopping.abort();
  await Promise.all(writing);
  const { events } = await readFeed(api);
  await until(heardWithinMs, () => missingFrom(hearer, events) === 0);
  failures.push(...objectionsTo(hearer, events));
  if (twice < size) failures.push(`only ${twice} messages had two signatures`);
  return {
    tried: size,
    measured: `${received.length} messages, ${twice} with two signatures, ${hearer.repeats} repeats`,
    failures,
  };
}

async function writeUntil(signal: AbortSignal, api: Api): Promise<void> {
  while (!signal.aborted) {
    await createContacts(api, 1);
    await pause(writesEveryMs);
  }
}
