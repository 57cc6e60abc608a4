import { setTimeout as pause } from 'node:timers/promises';

import { freePort } from '../../test/support/free-port.ts';
import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { openApi } from '../parts/api.ts';
import { createContacts, missingFrom, objectionsTo, openHearer, until } from '../webhooks/hearer.ts';
import { readFeed } from '../writes/feed.ts';
import { aTenant } from '../writes/tenant.ts';

/** SIGKILL of that of two services which delivers, with messages on their way. The size is the number of kills. */
export const takeoverOfDeliveries: Guarantee = {
  name: 'takeover of deliveries',
  sizes: { smoke: 0, core: 1, full: 20 },
  engines: ['PostgreSQL'],
  prove,
};

const deliversWithinMs = 10_000;
const heardWithinMs = 60_000;
const writesAtOnce = 50;
const killedWithinMs = 100;

async function prove({ install, size, seed }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  const { token } = await aTenant(at, 'acme');
  let [one, other] = [await serve(at), await serve(at)];
  using opening = await openApi(one.port, token, 1);
  await using hearer = await openHearer(opening, { events: ['contact.*'] });
  const failures: string[] = [];
  let slowestMs = 0;
  const write = async (port: number, count: number) => {
    using api = await openApi(port, token);
    await createContacts(api, count);
  };
  const feed = async () => {
    using api = await openApi(other.port, token, 1);
    return (await readFeed(api)).events;
  };
  for (let kill = 1; kill <= size; kill++) {
    const [before, ofOther] = [await delivered(one), await delivered(other)];
    await write(other.port, 1);
    const hasSent = async () => (await delivered(one)) > before || (await delivered(other)) > ofOther;
    if (!(await until(heardWithinMs, hasSent))) failures.push(`kill ${kill}: nobody delivers`);
    // From here on `one` is the one that delivers.
    if ((await delivered(other)) > ofOther) [one, other] = [other, one];
    await write(other.port, writesAtOnce);
    await pause(random.below(killedWithinMs));
    one.child.kill('SIGKILL');
    const killedAt = performance.now();
    await write(other.port, writesAtOnce);
    const events = await feed();
    await until(heardWithinMs, () => missingFrom(hearer, events) === 0);
    const tookMs = performance.now() - killedAt;
    slowestMs = Math.max(slowestMs, tookMs);
    one = await serve(at);
  }
  failures.push(...objectionsTo(hearer, await feed()));
  return {
    tried: size,
    measured: `the slowest took ${(slowestMs / 1_000).toFixed(1)} s, ${hearer.repeats} repeats`,
    failures,
    notShown: slowestMs > deliversWithinMs ? ['another service took longer than 10 s'] : [],
  };
}

async function serve(at: Installation) {
  const metricsPort = await freePort();
  const served = await at.serve({
    ROSTER_RATE_LIMIT: '0',
    ROSTER_WEBHOOK_ALLOW: '127.0.0.1',
    ROSTER_METRICS_PORT: String(metricsPort),
  });
  return { ...served, metricsPort };
}

/** How many messages a service has delivered. */
async function delivered({ metricsPort }: { metricsPort: number }): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^roster_webhook_deliveries_total\{[^}]*outcome="delivered"[^}]*\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}
