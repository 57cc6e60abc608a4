import { setTimeout as pause } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Served } from '../installation.ts';
import { openApi } from '../parts/api.ts';
import { objectionsToOrder, readFeed } from '../writes/feed.ts';
import { objectionsToFollower, startFollower } from '../writes/follower.ts';
import { type Entry, openWriter, writeOn } from '../writes/journal.ts';
import { aTenant, sharedChatbot } from '../writes/tenant.ts';

/**
 * Three services of one database take writes of one project, and one after the other is killed. Followers at each of them,
 * with `wait` and pages of several sizes, have to meet the same events. The size is the number of kills.
 */
export const followers: Guarantee = {
  name: 'followers of events',
  sizes: { smoke: 0, core: 2, full: 60 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

const services = 3;
const writersOfService = 3;
const limits = [500, 7, 1];

async function prove({ install, size, seed, tell }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  await at.run(['migrate']);
  const { token } = await aTenant(at, 'acme');
  const serve = () => at.serve({ ROSTER_RATE_LIMIT: '0' });
  const served: Served[] = await Promise.all(Array.from({ length: services }, serve));
  const portOf = (index: number) => served[index]?.port ?? 0;
  const journal: Entry[] = [];
  const stopping = new AbortController();
  const write = async (index: number) => {
    const service = index % services;
    const writer = openWriter(`/v2/chatbots/${sharedChatbot}/contacts`, seededRandom(seed + index));
    while (!stopping.signal.aborted) {
      // The connection ends where the service is killed, and where it is stopped.
      await openApi(portOf(service), token, 1)
        .then((api) => writeOn(writer, api, journal))
        .catch(() => pause(20));
    }
  };
  const writing = Array.from({ length: services * writersOfService }, (_, index) => write(index));
  const following = limits.map((limit, index) => startFollower(token, () => portOf(index), limit));
  for (let kill = 1; kill <= size; kill++) {
    await pause(100 + random.below(300));
    const index = random.below(services);
    served[index]?.child.kill('SIGKILL');
    await served[index]?.ended;
    served[index] = await serve();
    if (kill % 10 === 0) tell(`${kill} of ${size} kills`);
  }
  stopping.abort();
  for (const { child } of served) child.kill('SIGTERM');
  await Promise.all([...served.map(({ ended }) => ended), ...writing]);
  served.fill(await serve());
  using api = await openApi(portOf(0), token, 1);
  const { events } = await readFeed(api);
  const failures = objectionsToOrder(events);
  for (const follower of following) {
    await follower.until(events.at(-1)?.sequence ?? '0');
    failures.push(...objectionsToFollower((await follower.stop()).events, events));
  }
  const told = new Map(events.map(({ request_id: id }, index) => [id, index]));
  const acknowledged = journal.filter(({ reply }) => reply);
  for (const { asked, reply } of acknowledged) {
    if ((reply?.status ?? 0) < 300 ? told.has(asked.requestId) : reply?.status === 503) continue;
    failures.push(`${asked.requestId} was answered with ${reply?.status} ${reply?.body} and has no event`);
  }
  if (acknowledged.length < size * services) failures.push(`only ${acknowledged.length} writes were acknowledged`);
  return {
    tried: events.length,
    measured: `${size} kills of ${services} services, ${acknowledged.length} writes acknowledged`,
    failures,
  };
}
