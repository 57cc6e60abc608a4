import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { openApi } from '../parts/api.ts';
import type { Tally } from '../writes/attempts.ts';
import { chatbotModel } from '../writes/chatbot-model.ts';
import { type Event, objectionsToOrder, readFeed } from '../writes/feed.ts';
import { openJudge } from '../writes/judge.ts';
import { openLane } from '../writes/lane.ts';
import { aTenant, makeChatbot, sharedChatbot, type Tenant } from '../writes/tenant.ts';
import { objectionsToLimit, objectionsToWhole } from '../writes/whole-project.ts';

/**
 * Random writes, merges, undos and erasures of tenants in several chatbots at once, with idempotency keys that are repeated. Each answer is held, to
 * the letter, against a plain model, and in the end so are searches of each whole project, its count and the feed of events. The size is the number of requests.
 */
export const writesAgainstAModel: Guarantee = {
  name: 'writes against a model',
  promise: 'each answer right to the letter, foreign contacts 404 by every operation, one event for each change',
  sizes: { smoke: 0, core: 4_000, full: 100_000 },
  engines: ['SQLite', 'PostgreSQL'],
  isHarmless: false,
  prove,
};

const projectsOf = (size: number) => (size >= 50_000 ? 8 : 2);

async function prove({ install, size, seed, tell }: Trial) {
  const at = await install();
  await at.run(['migrate']);
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  const names = Array.from({ length: projectsOf(size) }, (_, index) => `tenant-${index}`);
  const tenants = await Promise.all(names.map((name) => aTenant(at, name)));
  const lanes = await Promise.all(tenants.flatMap((tenant) => [laneOf(tenant, sharedChatbot), newLane(port, tenant)]));
  const tally: Tally = { failures: [], counts: {}, asked: 0, told: new Map() };
  tell(`${tenants.length} projects are there`);
  await Promise.all(
    lanes.map(async ({ tenant, model }, index) => {
      using api = await openApi(port, tenant.token);
      const others = lanes.filter((lane) => lane.model !== model);
      const foreign = {
        chatbots: () => others.filter((lane) => lane.tenant !== tenant && lane.isOwn).map((lane) => lane.model.id),
        contacts: () => others.flatMap((lane) => Array.from(lane.model.people.live.keys())),
      };
      const name = `${tenant.project}-${index}`;
      const burst = openLane({
        name,
        api,
        model,
        judge: openJudge(),
        tally,
        random: seededRandom(seed + index),
        foreign,
      });
      while (tally.asked < size && tally.failures.length === 0) await burst();
    }),
  );
  let events = 0;
  for (const tenant of tenants) {
    using api = await openApi(port, tenant.token, 1);
    const chatbots = lanes.filter((lane) => lane.tenant === tenant).map(({ model }) => model);
    tally.failures.push(...(await objectionsToWhole(api, tenant.project, chatbots, seededRandom(seed))));
    const feed = await readFeed(api);
    events += feed.events.length;
    tally.failures.push(...objectionsToOrder(feed.events), ...objectionsToEvents(feed.events, tenant, tally));
    tally.failures.push(...(await objectionsToLimit(at, api, tenant.project, chatbots)));
  }
  if (tally.told.size > 0) tally.failures.push(`no event tells of ${[...tally.told.keys()].slice(0, 5).join()}`);
  return {
    tried: tally.asked,
    measured: `${lanes.length} chatbots at once, ${events} events; ${told(tally.counts)}`,
    failures: [...tally.failures, ...missing(tally.counts)],
  };
}

async function laneOf(tenant: Tenant, id: string) {
  return { tenant, model: chatbotModel(id), isOwn: id !== sharedChatbot };
}

async function newLane(port: number, tenant: Tenant) {
  return laneOf(tenant, await makeChatbot(port, tenant));
}

/** Takes what was told off the tally; what is left over was changed without an event. */
function objectionsToEvents(feed: readonly Event[], { keyId }: Tenant, { told: all }: Tally): string[] {
  const byRequest = Map.groupBy(feed, ({ request_id: id }) => id ?? '');
  return [...byRequest].flatMap(([requestId, events]) => {
    const changes = all.get(requestId);
    // The project, its chatbots and its key.
    if (!changes) return events.some(({ type }) => type.startsWith('contact.')) ? [`${requestId}: no change`] : [];
    all.delete(requestId);
    const right = changes.map((change, index) => ({
      id: events[index]?.id,
      sequence: events[index]?.sequence,
      type: change.type,
      occurred_at: timeOf(events[index]),
      actor: { type: 'key', id: keyId },
      request_id: requestId,
      chatbot_id: change.chatbot_id,
      contact_id: change.contact_id,
      contact_ids: change.contact_ids,
      member_id: null,
      member_ids: null,
      key_id: null,
      changed: change.changed,
      receipt_id: change.receipt_id,
    }));
    const isRight = JSON.stringify(events.map(inOneOrder)) === JSON.stringify(right);
    return isRight ? [] : [`the events ${JSON.stringify(events)} instead of ${JSON.stringify(right)}`];
  });
}

/** An erasure names contacts in any order. */
function inOneOrder(event: Event): Event {
  if (event.type !== 'contacts.erased') return event;
  return { ...event, contact_ids: event.contact_ids?.toSorted() ?? null };
}

function timeOf(event: Event | undefined): string {
  const time = event?.occurred_at ?? '';
  return Math.abs(Date.now() - Date.parse(time)) < 3_600_000 ? time : 'a time of this run';
}

/** Every operation was done and every status was answered, so that none is right by default. */
function missing(counts: Readonly<Record<string, number>>): string[] {
  const kinds =
    'create 201,update 200,upsert 200,upsert 201,delete 200,restore 200,bulk 200,lookup 200,search 200,list 200,merge 200,undo 200,erase 200'.split(
      ',',
    );
  const statuses = ['200 again', '201 again', '404', '409', '410', '412', '422'];
  const isThere = (kind: string) => Object.keys(counts).some((one) => one === kind || one.endsWith(` ${kind}`));
  return [...kinds, ...statuses].filter((kind) => !isThere(kind)).map((kind) => `no answer was ${kind}`);
}

/** By status; repeats for themselves. */
function told(counts: Readonly<Record<string, number>>): string {
  const byStatus = Map.groupBy(Object.entries(counts), ([kind]) => kind.slice(kind.indexOf(' ') + 1));
  const sums = [...byStatus].map(([status, all]) => [status, all.reduce((sum, [, count]) => sum + count, 0)] as const);
  const sorted = sums.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([status, count]) => `${count} × ${status}`).join(', ');
}
