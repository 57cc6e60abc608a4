import { setTimeout as pause } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { type Api, openApi } from '../parts/api.ts';
import { type Hearer, hurry, missingFrom, objectionsTo, openHearer, until } from '../webhooks/hearer.ts';
import { readFeed } from '../writes/feed.ts';
import { type Entry, openWriter, writeOn } from '../writes/journal.ts';
import { answered } from '../writes/ledger.ts';
import { aTenant, sharedChatbot } from '../writes/tenant.ts';

/**
 * SIGKILL of a service between commits and deliveries. Most kills come before a service has the lease of the one before, every third
 * while it delivers. What was not answered is sent again with its idempotency key. In the end each receiver has heard what the feed tells.
 */
export const killDuringDeliveries: Guarantee = {
  name: 'kill -9 during deliveries',
  sizes: { smoke: 2, core: 5, full: 100 },
  sizesOnPostgres: { smoke: 0, core: 4, full: 50 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

const writers = 8;
const killedWithinMs = 200;
const answeredWithinMs = 5_000;
/** A lease lasts six seconds. */
const sendsWithinMs = 15_000;

async function prove({ install, size, seed, tell }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  const { token } = await aTenant(at, 'acme');
  let served = await serve(at);
  let isBroken = false;
  using opening = await openApi(served.port, token, 1);
  const hearers = await openHearers(opening, () => isBroken);
  const [broken] = hearers;
  await using undo = new AsyncDisposableStack();
  for (const one of hearers) undo.use(one);
  const contacts = `/v2/chatbots/${sharedChatbot}/contacts`;
  const callers = Array.from({ length: writers }, (_, index) => openWriter(contacts, seededRandom(seed + index)));
  let acknowledged = 0;
  let cut = 0;
  for (let kill = 1; kill <= size; kill++) {
    isBroken = kill % 2 === 1;
    const sends = async () => {
      const before = messagesOf(hearers);
      await until(sendsWithinMs, () => messagesOf(hearers) > before);
    };
    const meetsDeliveries = kill % 3 === 2;
    if (meetsDeliveries) {
      using first = await openApi(served.port, token, 1);
      await hurry(first, broken);
      await sends();
    }
    const journal: Entry[] = [];
    const writing = callers.map(async (caller) => {
      using own = await openApi(served.port, token, 1);
      await writeOn(caller, own, journal).catch(() => undefined);
    });
    await until(answeredWithinMs, () => journal.filter(({ reply }) => reply).length >= writers);
    if (meetsDeliveries) await sends();
    await pause(random.below(killedWithinMs));
    served.child.kill('SIGKILL');
    await Promise.all([served.ended, ...writing]);
    served = await serve(at);
    using api = await openApi(served.port, token);
    const unanswered = journal.filter(({ reply }) => !reply);
    const repeatable = unanswered.filter(({ asked }) => asked.idempotencyKey !== undefined);
    await Promise.all(repeatable.map(async ({ asked }) => answered(api, asked)));
    acknowledged += journal.length - unanswered.length;
    cut += unanswered.length;
    if (kill % 10 === 0) tell(`${kill} of ${size} kills`);
  }
  isBroken = false;
  using api = await openApi(served.port, token, 1);
  const { events } = await readFeed(api);
  const missing = () => hearers.reduce((sum, one) => sum + missingFrom(one, events), 0);
  // Much of what the broken one ought to hear has waited for it.
  for (let before = Infinity; missing() > 0 && missing() < before;) {
    before = missing();
    await hurry(api, broken);
    await until(sendsWithinMs, () => missing() === 0);
  }
  const messages = messagesOf(hearers);
  // The broken one also gets repeats of what was on its way when it was hurried.
  const repeats = hearers.slice(1).reduce((sum, one) => sum + one.repeats, 0);
  return {
    tried: size,
    measured: `${acknowledged} writes, ${events.length} events, ${messages} messages, ${repeats} repeats`,
    failures: hearers.flatMap((one) => objectionsTo(one, events)),
    notShown: [
      ...(cut < size ? ['too few kills met a write'] : []),
      ...(repeats < Math.floor(size / 10) ? ['too few kills met a delivery'] : []),
    ],
  };
}

const messagesOf = (hearers: readonly Hearer[]) => hearers.reduce((sum, one) => sum + one.receiver.received.length, 0);
const serve = (at: Installation) => at.serve({ ROSTER_RATE_LIMIT: '0', ROSTER_WEBHOOK_ALLOW: '127.0.0.1' });

/** The first is the broken one. */
function openHearers(api: Api, isBroken: () => boolean) {
  const events = ['contact.*'];
  return Promise.all([
    openHearer(api, { events }, isBroken),
    openHearer(api, { events }),
    openHearer(api, { events, payload: 'full' }),
    openHearer(api, { events, chatbot_ids: [sharedChatbot] }),
    openHearer(api, { events: ['contact.created', 'contact.merged'] }),
  ]);
}
