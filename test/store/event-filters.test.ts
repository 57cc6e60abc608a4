import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { type Actor, job } from '../../src/actor.ts';
import { deleteProjectInSteps } from '../../src/cli/contacts/delete-in-steps.ts';
import type { Database } from '../../src/database/database.ts';
import { eventMarkingOf } from '../../src/database/event-marking.ts';
import { eventReads } from '../../src/database/event-pages.ts';
import { sql } from '../../src/database/sql.ts';
import { type Event, eventTypes, type NewEvent } from '../../src/events/event.ts';
import { listEvents } from '../../src/events/feed.ts';
import { actorTypes, type Filter } from '../../src/events/filter.ts';
import { eventPatterns } from '../../src/events/patterns.ts';
import { purgeEvents } from '../../src/events/retention.ts';
import { jobs } from '../../src/jobs/jobs.ts';
import { run } from '../../src/operation.ts';
import type { Upkeep } from '../../src/upkeep.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { engines, type Opened } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { createProject } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';

type Random = ReturnType<typeof seededRandom>;

const start = new Date('2026-03-01T00:00:00Z');
const timeOf = (seconds: number) => formatTimestamp(addSeconds(start, seconds));
const minutes = 60;

const idsLike = (random: Random, kind: string, n: number) =>
  random.below(3) > 0 ? null : Array.from({ length: 1 + random.below(4) }, () => `${kind}${random.below(n)}`);

function anActor(random: Random): Actor {
  const type = random.pick(actorTypes);
  const id = { key: 'k', member: 'm', job: 'purge-' }[type as 'key'] as string | undefined;
  const ofUser = random.pick(['cli', 'cli:ana', 'cli:bo', 'client']);
  return {
    type,
    id: id === undefined ? ofUser : `${id}${random.below(5)}`,
    projectId: 'acme',
    scopes: 'all',
    requestId: null,
  };
}

/** Rare values stand in the middle and at the ends. */
function aChange(random: Random, n: number, count: number): NewEvent {
  const isRare = n === 3 || n === 500 || n === count - 2;
  return {
    type: isRare ? 'contacts.erased' : random.pick(eventTypes.slice(0, 4)),
    chatbot_id: random.pick([null, 'b1', 'b2', 'b_']),
    contact_id: isRare ? 'rare' : random.pick([null, `c${random.below(40)}`, `C${random.below(40)}`]),
    contact_ids: isRare ? ['rare', 'c_', 'c%'] : idsLike(random, 'c', 40),
    member_id: random.pick([null, null, `m${random.below(9)}`]),
    member_ids: idsLike(random, 'm', 9),
  };
}

/** Clocks of two processes differ by some minutes. */
async function fill({ store, database }: Opened, random: Random, count: number): Promise<Event[]> {
  await createProject(store, { name: 'A', id: 'acme' });
  const left = Array.from({ length: count - 1 }, (_, n) => aChange(random, n + 1, count));
  while (left.length > 0) {
    const changes = left.splice(0, 1 + random.below(count / 40));
    await store.write(anActor(random), async () => ({ output: undefined, changes }));
  }
  for (let n = 0; n < count;) {
    const some = 1 + random.below(count / 40);
    const at = timeOf(n * minutes - random.below(some * 2 * minutes));
    await database.run(
      sql`update events set occurred_at = ${at} where project_id = 'acme' and sequence > ${n} and sequence <= ${n + some}`,
    );
    n += some;
  }
  return eventsOf(store, 'acme');
}

function aFilter(random: Random, count: number): Filter {
  const some = <T>(make: () => T) => (random.below(4) === 0 ? make() : undefined);
  const times = () => timeOf(random.below(count * minutes));
  const all: Filter = {
    type: some(() => [random.pick(eventPatterns), random.pick([...eventTypes.slice(0, 4), 'contacts.*' as const])]),
    chatbot_id: some(() => random.pick(['b1', 'b2', 'b_', 'B1', 'nobody'])),
    actor_type: some(() => random.pick(actorTypes)),
    actor_id: some(() => random.pick(['cli', 'cli:ana', 'k1', 'm2', 'purge-3', 'nobody'])),
    contact_id: some(() => random.pick(['rare', 'c1', 'c_', 'C1', 'nobody'])),
    member_id: some(() => random.pick(['m1', 'm8', 'nobody'])),
    occurred_after: some(times),
    occurred_before: some(times),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** What the filter says, plainly. */
function isWanted(event: Event, filter: Filter): boolean {
  const { type, chatbot_id, actor_type, actor_id, contact_id, member_id, occurred_after, occurred_before } = filter;
  const { actor, occurred_at: at } = event;
  const isOrHas = (id: string | undefined, one: string | null, list: string[] | null) =>
    id === undefined || one === id || list?.includes(id) === true;
  return (
    (type === undefined || type.some((one) => one === event.type || one === `${event.type.split('.')[0]}.*`)) &&
    (chatbot_id === undefined || event.chatbot_id === chatbot_id) &&
    (actor_type === undefined || actor.type === actor_type) &&
    (actor_id === undefined || actor.id === actor_id || (actor_id === 'cli' && actor.id.startsWith('cli:'))) &&
    isOrHas(contact_id, event.contact_id, event.contact_ids) &&
    isOrHas(member_id, event.member_id, event.member_ids) &&
    (occurred_after === undefined || at >= occurred_after) &&
    (occurred_before === undefined || at < occurred_before)
  );
}

/** Fewer than there are blocks and events, so that one look is not enough. */
const limits = { events: 900n, blocks: 4 };

async function walk(
  { store, database }: Opened,
  filter: Filter,
  order: 'asc' | 'desc',
  limit: number,
): Promise<string[]> {
  const actor: Actor = { type: 'job', id: 'test', projectId: 'acme', scopes: 'all', requestId: null };
  const looking = { ...store, events: eventReads(database, limits) };
  const seen: string[] = [];
  for (let after: string | null = '*'; after !== null;) {
    const asked = { ...filter, order, limit, after } as Parameters<typeof listEvents.run>[2];
    const { output } = await run(listEvents, looking, actor, asked);
    seen.push(...output.events.map(({ sequence }) => sequence));
    if (order === 'asc' && output.next_cursor === after) break;
    after = output.next_cursor;
  }
  return seen;
}

/** Walks by some filters in both orders, and compares with a plain filter; for how many there was something. */
async function expectPlain(opened: Opened, random: Random, all: readonly Event[], filters: number): Promise<number> {
  let found = 0;
  for (let n = 0; n < filters; n++) {
    const filter = aFilter(random, all.length);
    const expected = all.filter((event) => isWanted(event, filter)).map(({ sequence }) => sequence);
    const limit = random.pick(expected.length > 100 ? [150, 500] : [20, 100]);
    expect(await walk(opened, filter, 'asc', limit), JSON.stringify(filter)).toEqual(expected);
    expect(await walk(opened, filter, 'desc', limit), JSON.stringify(filter)).toEqual(expected.toReversed());
    found += expected.length > 0 ? 1 : 0;
  }
  return found;
}

async function mark({ store: { upkeep } }: Opened): Promise<number> {
  let events = 0;
  for (let some: number; (some = await upkeep.markEvents('acme')) > 0;) events += some;
  return events / 256;
}

/** CPU time of each turn of the event loop during the work. */
async function cpuOfTurns(work: Promise<unknown>): Promise<number[]> {
  const slices: number[] = [];
  for (let ended: unknown; ended === undefined;) {
    const before = process.cpuUsage();
    ended = await Promise.race([work, nextTurn()]);
    const { user, system } = process.cpuUsage(before);
    slices.push(user + system);
  }
  return slices;
}

/** So many changes, of this contact. */
const changes = (count: number, contact_id: string | null = null) =>
  Array.from({ length: count }, (): NewEvent => ({ type: 'contact.updated', contact_id }));

const markEvents = jobs.find(({ name }) => name === 'mark-events');
const settings = { binDays: 30, eventDays: 90 };

describe.each(engines)('the filters of the feed on $engine', ({ open }) => {
  it('give what a plain filter gives, in both orders, from page to page, however much a job has marked', async () => {
    await using opened = await open();
    const random = seededRandom(35);
    const all = await fill(opened, random, 2_900);
    expect(await opened.store.upkeep.unmarkedProjects()).toEqual(['acme']);
    let found = await expectPlain(opened, random, all, 10);
    await opened.store.upkeep.markEvents('acme');
    found += await expectPlain(opened, random, all, 10);
    expect(await mark(opened)).toBe(11 - 8);
    expect(await opened.store.upkeep.unmarkedProjects()).toEqual([]);
    expect(found + (await expectPlain(opened, random, all, 20))).toBeGreaterThan(40 / 2);
  });

  it('are kept up in slices, between which requests are served, after imports whose events name thousands', async () => {
    await using opened = await open();
    await createProject(opened.store, { name: 'A', id: 'acme' });
    const idsOf = (batch: number) => Array.from({ length: 1_000 }, (_, n) => `contact-${batch}-${n}`);
    const many = Array.from({ length: 256 }, (_, n): NewEvent => ({ type: 'contact.updated', contact_ids: idsOf(n) }));
    await report(opened.store, 'acme', ...many);
    const slices = await cpuOfTurns(mark(opened));
    const all = slices.reduce((sum, slice) => sum + slice, 0);
    // The first may be the collector's.
    expect(slices.toSorted((a, b) => b - a)[2]).toBeLessThan(all / 12);
  });

  it('skip blocks without a match: an event there that no mark tells of is not found', async () => {
    await using opened = await open();
    await createProject(opened.store, { name: 'A', id: 'acme' });
    await report(opened.store, 'acme', ...changes(600));
    expect(await mark(opened)).toBe(2);
    await opened.database.run(
      sql`update events set type = 'member.removed' where project_id = 'acme' and sequence in (9, 590)`,
    );
    for (const order of ['asc', 'desc'] as const) {
      expect(await walk(opened, { type: ['member.removed'] }, order, 100)).toEqual(['590']);
    }
  });

  it('lose marks with the events, and go on with the first that is kept', async () => {
    await using opened = await open();
    await createProject(opened.store, { name: 'A', id: 'acme' });
    const write = (contact: string) => report(opened.store, 'acme', ...changes(700, contact));
    await write('a');
    await mark(opened);
    const before = formatTimestamp(addSeconds(new Date(), 60));
    for (let left = 2; left > 0; left--)
      await run(purgeEvents, opened.store, job('purge-events', 'acme'), { before, limit: 300 });
    const blocks = await opened.database.all(sql`select distinct block from event_marks where project_id = 'acme'`);
    expect(blocks).toEqual([]);
    await write('b');
    expect(await mark(opened)).toBe(3);
    expect(await walk(opened, { contact_id: 'b' }, 'asc', 500)).toHaveLength(700);
    expect(await walk(opened, { contact_id: 'a' }, 'desc', 500)).toEqual(
      Array.from({ length: 101 }, (_, n) => String(701 - n)),
    );
  });

  it('get no marks of events that a failover lost meanwhile, whose numbers others take', async () => {
    await using opened = await open();
    const { store, database } = opened;
    await createProject(store, { name: 'A', id: 'acme' });
    const write = (count: number, contact: string) => report(store, 'acme', ...changes(count, contact));
    const loseAfter = async <T>(result: Promise<T>): Promise<T> => {
      const before = await result;
      await database.run(sql`delete from events where project_id = 'acme' and sequence > 200`);
      await database.run(sql`update projects set last_event = 200 where id = 'acme'`);
      return before;
    };
    const first: Database['first'] = (query) => loseAfter(database.first(query));
    const transaction: Database['transaction'] = async (work) => {
      await loseAfter(Promise.resolve());
      return database.transaction(work);
    };
    for (const losing of [{ first }, { transaction }]) {
      await write(400, 'lost');
      expect(await eventMarkingOf({ ...database, ...losing }).markEvents('acme')).toBe(0);
    }
    await write(400, 'found');
    expect(await mark(opened)).toBe(2);
    expect(await walk(opened, { contact_id: 'found' }, 'asc', 500)).toHaveLength(400);
  });

  it('get no marks in a project that was deleted meanwhile, which fails nothing', async () => {
    await using opened = await open();
    const { store, database } = opened;
    await createProject(store, { name: 'A', id: 'acme' });
    await report(store, 'acme', ...changes(600));
    const transaction: Database['transaction'] = async (work) => {
      await deleteProjectInSteps(store, 'acme');
      return database.transaction(work);
    };
    expect(await eventMarkingOf({ ...database, transaction }).markEvents('acme')).toBe(0);
  });

  it('are kept up in the other projects where one was deleted meanwhile', async () => {
    await using opened = await open();
    const { store, database } = opened;
    for (const id of ['acme', 'gone']) {
      await createProject(store, { name: 'A', id });
      await report(store, id, ...changes(600));
    }
    const first: Database['first'] = async (query) => {
      const before = await database.first<never>(query);
      await deleteProjectInSteps(store, 'gone');
      return before;
    };
    const gone = eventMarkingOf({ ...database, first });
    const upkeep: Upkeep = {
      ...store.upkeep,
      unmarkedProjects: async () => ['gone', 'acme'],
      markEvents: (id) => (id === 'gone' ? gone : store.upkeep).markEvents(id),
    };
    const work = { store: { ...store, upkeep }, settings, now: new Date(), signal: AbortSignal.any([]) };
    const marked = await Array.fromAsync(markEvents?.steps(work) ?? []);
    expect(marked).toEqual([512]);
  });
});
