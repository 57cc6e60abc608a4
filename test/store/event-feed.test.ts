import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { sql } from '../../src/database/sql.ts';
import type { Event } from '../../src/events/event.ts';
import { listEvents, listRecentEvents } from '../../src/events/feed.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { engines } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { aProject, createProject } from '../support/people.ts';

const writes = 50;

/** Concurrent writes of one or two changes each, by turns to each store; every fifth fails after its changes. */
async function writeTo(stores: readonly Store[], projectId: string): Promise<void> {
  const settled = await Promise.allSettled(
    Array.from({ length: writes }, async (_, i) => {
      const store = stores[i % stores.length];
      if (!store) return;
      const change = { type: 'contact.updated' as const, contact_id: String(i) };
      if (i % 5 === 4) {
        await store.write(operator(projectId), async () => {
          await Promise.resolve();
          throw new Error('changed its mind');
        });
      }
      await report(store, projectId, change, ...(i % 2 === 0 ? [change] : []));
    }),
  );
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(writes / 5);
}

/** All of 0 to 49 that did not fail, once or twice. */
const written = Array.from({ length: writes }, (_, i) => i)
  .filter((i) => i % 5 !== 4)
  .flatMap((i) => (i % 2 === 0 ? [i, i] : [i]));

/** The numbers in the order of the list, and which writes they are of; the first is that of the project itself. */
const summaryOf = (events: Event[]) => ({
  numbers: events.map(({ sequence }) => Number(sequence)),
  written: events
    .slice(1)
    .map(({ contact_id }) => Number(contact_id))
    .toSorted((a, b) => a - b),
});
const whole = { numbers: Array.from({ length: written.length + 1 }, (_, i) => i + 1), written };

describe.each(engines)('the order of events on $engine', ({ open }) => {
  it('has no gap in any of several projects that are written at once by two stores', async () => {
    await using opened = await open();
    const projects = ['a', 'b', 'c'];
    for (const id of projects) await createProject(opened.store, { name: 'P', id });
    const stores = [await opened.another(), await opened.another()];
    await Promise.all(projects.map((id) => writeTo(stores, id)));
    for (const id of projects) expect(summaryOf(await eventsOf(opened.store, id))).toEqual(whole);
  });
});

describe.each(engines)('a list of events on $engine', ({ open }) => {
  it('is of one project, of some types, from a cursor on, and as long as asked for', async () => {
    await using opened = await open();
    const { projectId, keyId } = await aProject(opened.store);
    const other = await aProject(opened.store);
    for (let i = 0; i < 5; i++)
      await report(opened.store, projectId, { type: 'contact.updated', contact_id: String(i) });
    await report(opened.store, other.projectId, { type: 'contact.updated', contact_id: '9' });
    const read = async (input: Parameters<typeof listEvents.run>[2]) =>
      (await run(listEvents, opened.store, operator(projectId), input)).output;
    const first = await read({ type: ['contact.updated', 'key.created'], limit: 3 });
    expect(first.events.map(({ contact_id, key_id }) => contact_id ?? key_id)).toEqual([keyId, '0', '1']);
    const second = await read({ type: ['contact.updated', 'key.created'], after: first.next_cursor ?? '' });
    expect(second.events.map(({ contact_id }) => contact_id)).toEqual(['2', '3', '4']);
    const end = await read({ after: second.next_cursor ?? '' });
    expect(end).toEqual({ events: [], next_cursor: second.next_cursor });
    await expect(read({ after: 'rubbish' })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('of the recent ones has the last, oldest first, and goes on where it ends', async () => {
    await using opened = await open();
    const { store } = opened;
    const { projectId } = await aProject(store);
    const change = () => report(store, projectId, { type: 'contact.updated', contact_id: 'a' });
    for (let n = 0; n < 8; n++) await change();
    const all = await eventsOf(store, projectId);
    const recent = async (input: Parameters<typeof listRecentEvents.run>[2]) =>
      (await run(listRecentEvents, store, operator(projectId), input)).output;
    const last = await recent({ limit: 3 });
    expect(last.events).toEqual(all.slice(-3));
    await change();
    expect((await recent({ after: last.next_cursor, limit: 3 })).events).toHaveLength(1);
    expect((await recent({ limit: 500 })).events).toHaveLength(all.length + 1);
  });
});

/** What a failover leaves that has lost the last events, and what is written after it. */
const rewrites = {
  'others stand in place of the last ones, and more came': [
    sql`update events set id = id || '-other' where sequence > 4`,
    sql`insert into events (project_id, sequence, id, type, occurred_at, actor_type, actor_id)
      select project_id, sequence + 1, id || '-more', type, occurred_at, actor_type, actor_id from events
      where sequence = 6`,
    sql`update projects set last_event = 7`,
  ],
  'others stand in place of the last ones': [sql`update events set id = id || '-other' where sequence > 4`],
  'the last ones are gone': [sql`delete from events where sequence > 4`, sql`update projects set last_event = 4`],
};

describe.each(engines)('somebody who waits for events on $engine', ({ open }) => {
  it.each(Object.entries(rewrites))('is told that the cursor has expired where %s', async (_what, statements) => {
    await using opened = await open();
    await createProject(opened.store, { name: 'A', id: 'acme' });
    for (let i = 0; i < 5; i++) await report(opened.store, 'acme', { type: 'contact.updated', contact_id: String(i) });
    const { promise: isWaiting, resolve } = Promise.withResolvers<void>();
    const end = new AbortController();
    const next = (projectId: string, after: bigint) => {
      resolve();
      return opened.store.watch.next(projectId, after, end.signal);
    };
    const openWaiter = () => ({ next, [Symbol.dispose]: () => undefined });
    const waiting = run(
      listEvents,
      opened.store,
      operator('acme'),
      { after: '*', type: ['key.created'], wait: 20 },
      { openWaiter },
    );
    await isWaiting;
    await opened.database.transaction(async (connection) => {
      for (const statement of statements) await connection.run(statement);
    });
    setTimeout(() => end.abort(), 500);
    await expect(waiting).rejects.toMatchObject({ code: 'cursor_expired' });
  });

  it('ends a page where its events name very many contacts, and goes on from there', async () => {
    await using opened = await open();
    const { store } = opened;
    const { id: projectId } = await createProject(store, { name: 'Example Ltd' });
    const ids = Array.from({ length: 1_000 }, (_, n) => `019aaaaa-0000-7000-8000-${String(n).padStart(12, '0')}`);
    const change = { type: 'contact.updated' as const, contact_ids: ids };
    for (let times = 0; times < 13; times++)
      await report(store, projectId, ...Array.from({ length: 10 }, () => change));
    const walk = (after: string) =>
      run(listEvents, store, operator(projectId), { after, limit: 500 }).then(({ output }) => output);
    const numbers: number[] = [];
    for (let after = '*'; ;) {
      const page = await walk(after);
      if (page.events.length === 0) break;
      expect(page.events.length).toBeLessThan(20);
      numbers.push(...page.events.map(({ sequence }) => Number(sequence)));
      after = page.next_cursor ?? '';
    }
    expect(numbers).toEqual(Array.from({ length: 131 }, (_, n) => n + 1));
  });
});
