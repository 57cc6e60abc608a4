import { describe, expect, it } from 'vitest';

import type { Actor } from '../../src/actor.ts';
import { sql } from '../../src/database/sql.ts';
import { type Change, type Event, eventTypes } from '../../src/events/event.ts';
import { listEvents } from '../../src/events/feed.ts';
import { actorTypes, type Filter } from '../../src/events/filter.ts';
import { eventPatterns } from '../../src/events/patterns.ts';
import { run } from '../../src/operation.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { engines, type Opened } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { createProject } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';

type Random = ReturnType<typeof seededRandom>;

const start = new Date('2026-03-01T00:00:00Z');
const timeOf = (seconds: number) => formatTimestamp(addSeconds(start, seconds));
const count = 1_100;
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
function aChange(random: Random, n: number): Change {
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
async function fill({ store, database }: Opened, random: Random): Promise<Event[]> {
  await createProject(store, { name: 'A', id: 'acme' });
  const left = Array.from({ length: count - 1 }, (_, n) => aChange(random, n + 1));
  while (left.length > 0) {
    const changes = left.splice(0, 1 + random.below(12));
    await store.write(anActor(random), async () => ({ output: undefined, changes }));
  }
  for (let n = 1; n <= count; n++) {
    const at = timeOf(n * minutes - random.below(5 * minutes));
    await database.run(sql`update events set occurred_at = ${at} where project_id = 'acme' and sequence = ${n}`);
  }
  return eventsOf(store, 'acme');
}

function aFilter(random: Random): Filter {
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

async function walk({ store }: Opened, filter: Filter, order: 'asc' | 'desc', limit: number): Promise<string[]> {
  const actor: Actor = { type: 'job', id: 'test', projectId: 'acme', scopes: 'all', requestId: null };
  const seen: string[] = [];
  for (let after: string | null = '*'; after !== null;) {
    const asked = { ...filter, order, limit, after } as Parameters<typeof listEvents.run>[2];
    const { output } = await run(listEvents, store, actor, asked);
    seen.push(...output.events.map(({ sequence }) => sequence));
    if (order === 'asc' && output.next_cursor === after) break;
    after = output.next_cursor;
  }
  return seen;
}

describe.each(engines)('the filters of the feed on $engine', ({ open }) => {
  it('give what a plain filter gives, in both orders, from page to page', async () => {
    await using opened = await open();
    const random = seededRandom(34);
    const all = await fill(opened, random);
    expect(all).toHaveLength(count);
    let found = 0;
    for (let n = 0; n < 120; n++) {
      const filter = aFilter(random);
      const expected = all.filter((event) => isWanted(event, filter)).map(({ sequence }) => sequence);
      const limit = random.pick([7, 100, 500]);
      expect(await walk(opened, filter, 'asc', limit), JSON.stringify(filter)).toEqual(expected);
      expect(await walk(opened, filter, 'desc', limit), JSON.stringify(filter)).toEqual(expected.toReversed());
      found += expected.length > 0 ? 1 : 0;
    }
    expect(found).toBeGreaterThan(60);
  });
});
