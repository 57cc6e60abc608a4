import { setTimeout as pause } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Installation, objectionsOfDoctor, type Served } from '../installation.ts';
import { openApi } from '../parts/api.ts';
import { readFeed } from '../writes/feed.ts';
import { objectionsToFollower, startFollower } from '../writes/follower.ts';
import { type Entry, openWriter, writeOn } from '../writes/journal.ts';
import { openLedger } from '../writes/ledger.ts';
import { aTenant, sharedChatbot } from '../writes/tenant.ts';

/**
 * SIGKILL of a service at random times of writes and merges over HTTP. Then the feed, what is stored and what was answered
 * have to agree, and what was not answered is sent again with its idempotency key. A follower reads the feed all the while.
 */
export const killDuringHttpWrites: Guarantee = {
  name: 'kill -9 during HTTP writes',
  sizes: { smoke: 0, core: 5, full: 300 },
  sizesOnPostgres: { smoke: 0, core: 4, full: 100 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

const writers = 8;
const killedWithinMs = 200;
const answeredWithinMs = 5_000;
const doctorEvery = 10;
const failuresMax = 10;

async function prove({ install, size, seed, tell }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  const { token } = await aTenant(at, 'acme');
  const contacts = `/v2/chatbots/${sharedChatbot}/contacts`;
  const callers = Array.from({ length: writers }, (_, index) => openWriter(contacts, seededRandom(seed + index)));
  const ledger = openLedger(contacts);
  const failures: string[] = [];
  let served = await serve(at);
  const followers = [500, 7].map((limit) => startFollower(token, () => served.port, limit));
  for (let kill = 1; kill <= size && failures.length < failuresMax; kill++) {
    const journal: Entry[] = [];
    // The kill ends each connection.
    const writing = callers.map(async (caller) => {
      using own = await openApi(served.port, token, 1);
      await writeOn(caller, own, journal).catch(() => undefined);
    });
    // At any moment from then on: a kill before the first answers tries nothing.
    const deadline = performance.now() + answeredWithinMs;
    while (answered(journal) < writers && performance.now() < deadline) await pause(1);
    await pause(random.below(killedWithinMs));
    served.child.kill('SIGKILL');
    await Promise.all([served.ended, ...writing]);
    served = await serve(at);
    using api = await openApi(served.port, token);
    const wrong = [...(await ledger.audit(api, journal)), ...(await ledger.repeat(api, journal))];
    if (kill % doctorEvery === 0 || kill === size) wrong.push(...(await objectionsOfDoctor(at)));
    failures.push(...wrong.map((one) => `seed ${seed}, kill ${kill}: ${one}`));
    if (kill % doctorEvery === 0) tell(`${kill} of ${size} kills`);
  }
  using api = await openApi(served.port, token, 1);
  const { events } = await readFeed(api);
  for (const follower of followers) {
    await follower.until(events.at(-1)?.sequence ?? '0');
    const met = await follower.stop();
    failures.push(...objectionsToFollower(met.events, events));
  }
  const { acknowledged, unacknowledged, stored } = ledger.totals;
  if (acknowledged < size * writers) failures.push(`only ${acknowledged} writes were acknowledged`);
  return {
    tried: size,
    measured: `${acknowledged} writes acknowledged, ${unacknowledged} not, of which ${stored} stored`,
    failures,
    notShown: unacknowledged < size ? ['too few kills met a write'] : [],
  };
}

const answered = (journal: readonly Entry[]) => journal.filter(({ reply }) => reply !== undefined).length;

const serve = (at: Installation): Promise<Served> => at.serve({ ROSTER_RATE_LIMIT: '0' });
