import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { deleteChatbot } from '../../src/chatbots/delete.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import type { ContactList } from '../../src/contacts/store.ts';
import { sql } from '../../src/database/sql.ts';
import { AppError } from '../../src/errors.ts';
import type { Event } from '../../src/events/event.ts';
import { type Job, jobs } from '../../src/jobs/jobs.ts';
import { run } from '../../src/operation.ts';
import { deleteProject } from '../../src/projects/delete.ts';
import { updateProjectSettings } from '../../src/projects/settings.ts';
import type { Store } from '../../src/store.ts';
import { addSeconds, day, formatTimestamp } from '../../src/values/timestamp.ts';
import { at } from '../support/clock.ts';
import { engines } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { areJobsDone, daysAgo, deletedDaysAgo, jobsOf, makeJobsDue, runJobs } from '../support/jobs.ts';
import { aContact, aProject, type ProjectWithPeople } from '../support/people.ts';

/** Two stores as two processes that serve have them. */
async function two({ open }: (typeof engines)[number]) {
  const opened = await open();
  return { ...opened, stores: [await opened.another(), await opened.another()] as const };
}

const people = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => aContact({ id: `${prefix}-${String(i).padStart(4, '0')}` }));
const idsOf = (contacts: { id: string }[]) => contacts.map(({ id }) => id);
const sequencesOf = (events: Event[]) => events.map(({ sequence }) => Number(sequence));
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

type Desk = Pick<ProjectWithPeople, 'projectId' | 'chatbotId'>;

async function listed(store: Store, { projectId, chatbotId }: Desk, list: ContactList): Promise<string[]> {
  const found = await store.contacts.after(projectId, chatbotId, { list, isWhole: false }, undefined, 10_000);
  return idsOf(found).toSorted();
}

const binOf = (store: Store, desk: Desk) => listed(store, desk, 'deleted');

describe.each(engines)('a job on $engine', (engine) => {
  it('is claimed by one process, and again by another once the run of one that died must be over', async () => {
    await using opened = await two(engine);
    await makeJobsDue(opened.database);
    const now = new Date();
    const inSeconds = (seconds: number) => formatTimestamp(addSeconds(now, seconds));
    const claims = (seconds: number) =>
      Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          (opened.stores[i % 2] as Store).upkeep.claim('purge-bin', inSeconds(seconds), inSeconds(seconds + 300)),
        ),
      );
    const count = async (seconds: number) => (await claims(seconds)).filter(Boolean).length;
    expect([await count(0), await count(299), await count(300), await count(301)]).toEqual([1, 0, 1, 0]);
    const dueAt = async () => (await opened.store.upkeep.jobs()).find(({ name }) => name === 'purge-bin')?.due_at;
    // The one that was thought dead ends its run late.
    await opened.store.upkeep.release('purge-bin', inSeconds(300), inSeconds(0));
    expect(await dueAt()).toBe(inSeconds(600));
    await opened.store.upkeep.release('purge-bin', inSeconds(600), inSeconds(900));
    expect(await dueAt()).toBe(inSeconds(900));
  });

  it('is in the table under the name that the program knows', async () => {
    await using opened = await engine.open();
    expect((await opened.store.upkeep.jobs()).map(({ name }) => name)).toEqual(jobs.map(({ name }) => name).toSorted());
  });

  it('purges all that has been in the bin too long once, though two processes run it, and nobody else', async () => {
    await using opened = await two(engine);
    const desks = [
      await aProject(opened.store, { contacts: people(230, 'a') }),
      await aProject(opened.store, { contacts: people(30, 'b') }),
    ] as const;
    const before = new Map<string, number>();
    for (const desk of desks) {
      const all = await listed(opened.store, desk, 'oldest');
      await deletedDaysAgo(opened.store, 31, desk, all.slice(0, -20));
      await deletedDaysAgo(opened.store, 29, desk, all.slice(-20, -10));
      before.set(desk.projectId, (await eventsOf(opened.store, desk.projectId)).length);
    }
    await runJobs(opened, { by: opened.stores });
    for (const [desk, total] of [
      [desks[0], 230],
      [desks[1], 30],
    ] as const) {
      expect(await binOf(opened.store, desk)).toHaveLength(10);
      expect(await listed(opened.store, desk, 'newest')).toHaveLength(10);
      const events = await eventsOf(opened.store, desk.projectId);
      const purges = events.slice(before.get(desk.projectId));
      expect(purges.map(({ type, actor, changed }) => ({ type, actor, changed }))).toEqual(
        purges.map(() => ({ type: 'contact.purged', actor: { type: 'job', id: 'purge-bin' }, changed: null })),
      );
      const ids = purges.flatMap(({ contact_ids }) => contact_ids ?? []);
      expect([ids.length, new Set(ids).size]).toEqual([total - 20, total - 20]);
      expect(purges.length).toBe(Math.ceil((total - 20) / 200));
      expect(sequencesOf(events)).toEqual(numbers(1, events.length));
    }
  });

  it('deletes the events that are too old, and leaves those of the project without a gap', async () => {
    await using opened = await engine.open();
    const rename = (projectId: string, days: number, name: string) =>
      at(daysAgo(days), () => run(updateProjectSettings, opened.store, operator(projectId), { name }));
    const { projectId } = await at(daysAgo(500), () => aProject(opened.store));
    const other = await at(daysAgo(399), () => aProject(opened.store));
    const old = Array.from({ length: 250 }, () => ({ type: 'project.updated' as const, changed: ['name'] }));
    await at(daysAgo(450), () => report(opened.store, projectId, ...old));
    await rename(projectId, 399, 'Kept');
    // A clock that was wrong: what follows one that is kept is kept.
    await rename(projectId, 450, 'Late');
    const all = sequencesOf(await eventsOf(opened.store, projectId));
    const untouched = await eventsOf(opened.store, other.projectId);
    expect((await runJobs(opened)).map(({ fields }) => fields)).toEqual([
      { job: 'purge-events', deleted: all.length - 2, duration_ms: expect.any(Number) },
    ]);
    expect(sequencesOf(await eventsOf(opened.store, projectId))).toEqual(all.slice(-2));
    expect(await eventsOf(opened.store, other.projectId)).toEqual(untouched);
    await rename(projectId, 0, 'Next');
    expect(sequencesOf(await eventsOf(opened.store, projectId))).toEqual([...all.slice(-2), all.length + 1]);
  });

  it('deletes idempotency keys after 24 hours, also where nobody writes any more', async () => {
    await using opened = await engine.open();
    const { projectId } = await aProject(opened.store);
    for (const hours of [400, 25, 23]) {
      await opened.database.run(
        sql`insert into idempotency_keys (project_id, api_key_id, key_hash, request_digest, created_at)
          values (${projectId}, 'key', ${String(hours)}, 'digest', ${formatTimestamp(daysAgo(hours / 24))})`,
      );
    }
    await runJobs(opened);
    const kept = await opened.database.all<{ key_hash: string }>(
      sql`select key_hash from idempotency_keys where project_id = ${projectId}`,
    );
    expect(kept.map(({ key_hash }) => key_hash)).toEqual(['23']);
  });

  it('does not purge whom somebody restores meanwhile', async () => {
    await using opened = await two(engine);
    const desk = await aProject(opened.store, { contacts: people(60, 'a') });
    const ids = idsOf(people(60, 'a'));
    await deletedDaysAgo(opened.store, 31, desk, ids);
    await makeJobsDue(opened.database);
    const restored: string[] = [];
    {
      await using _ = jobsOf(opened.stores[0]);
      for (const contactId of ids.toReversed()) {
        const input = { chatbotId: desk.chatbotId, contactId };
        await run(restoreContact, opened.stores[1], operator(desk.projectId), input).then(
          () => restored.push(contactId),
          (error: AppError) => expect(error.code).toBe('not_found'),
        );
      }
      await expect.poll(() => areJobsDone(opened.store)).toBe(true);
    }
    expect(await listed(opened.store, desk, 'oldest')).toEqual(restored.toSorted());
    expect(await binOf(opened.store, desk)).toEqual([]);
  });
});

describe('a run of a job', () => {
  it('follows the last within a day, as a later time counts as that of a wrong clock', () => {
    for (const { name, every = 0 } of jobs) expect(every, name).toBeLessThan(day);
  });

  it('stays claimed while its run works, and no longer than that once it has died', async () => {
    await using opened = await two(engines[0]);
    await makeJobsDue(opened.database);
    let [atOnce, most, runs] = [0, 0, 0];
    const { promise: isDead, resolve: die } = Promise.withResolvers<void>();
    const slow: Job = {
      name: 'purge-bin',
      does: 'deleted',
      steps: async function* () {
        most = Math.max(most, ++atOnce);
        if (++runs > 1) return;
        for (const until = Date.now() + 2_300; Date.now() < until;) yield 0;
        await isDead;
      },
    };
    const options = { jobs: [slow], claimedSeconds: 2 };
    await using _ = jobsOf(opened.stores[0], options);
    await using _other = jobsOf(opened.stores[1], options);
    await using _end = { [Symbol.asyncDispose]: async () => die() };
    await expect.poll(() => runs).toBe(1);
    const startedAt = Date.now();
    await expect.poll(() => runs).toBe(2);
    expect([Date.now() - startedAt > 2_000, most]).toEqual([true, 2]);
  });

  it('compares contacts of each project in turn, also when another is deleted meanwhile', async () => {
    await using opened = await two(engines[0]);
    const [store] = opened.stores;
    const big = await aProject(store, { id: 'a', contacts: people(450, 'a') });
    const small = await aProject(store, { id: 'b', contacts: people(2, 'b') });
    const gone = await aProject(store, { id: 'c', contacts: people(210, 'c') });
    const settings = { binDays: 30, eventDays: 400 };
    const findDuplicates = jobs.find(({ name }) => name === 'find-duplicates');
    const working = { store, settings, now: new Date(), signal: new AbortController().signal };
    const isCounted = async ({ projectId }: Desk) => (await store.duplicates.progress(projectId))?.contact_id === null;
    const order: string[] = [];
    let isGone = false;
    for await (const rows of findDuplicates?.steps(working) ?? []) {
      if (rows > 0 && !isGone) {
        isGone = true;
        await run(deleteChatbot, store, operator(gone.projectId), { chatbotId: gone.chatbotId });
        await run(deleteProject, store, operator(gone.projectId), {});
      }
      for (const desk of [big, small]) {
        if (!order.includes(desk.projectId) && (await isCounted(desk))) order.push(desk.projectId);
      }
    }
    expect(order).toEqual([small.projectId, big.projectId]);
  });

  it('is due although a clock that was far ahead has put it off', async () => {
    await using opened = await two(engines[0]);
    const [now, until] = [formatTimestamp(new Date()), formatTimestamp(addSeconds(new Date(), 40))];
    await opened.database.run(sql`update jobs set due_at = '2036-01-01T00:00:00+00:00'`);
    await using _jobs = jobsOf(opened.stores[0]);
    const isPutOff = async () => (await opened.store.upkeep.jobs()).some(({ due_at }) => due_at >= '2036');
    await expect.poll(isPutOff).toBe(false);
    expect(await opened.stores[1].upkeep.claim('send-webhooks', now, until)).toBe(true);
    expect(await opened.stores[0].upkeep.claim('send-webhooks', now, until)).toBe(false);
  });

  it('empties the bin at once where there is none any more', async () => {
    await using opened = await engines[0].open();
    const desk = await aProject(opened.store, { contacts: people(3, 'a') });
    await deletedDaysAgo(opened.store, 0, desk, ['a-0000', 'a-0001']);
    await runJobs(opened, { binDays: 0 });
    expect(await binOf(opened.store, desk)).toEqual([]);
    expect(await listed(opened.store, desk, 'newest')).toHaveLength(1);
  });

  it('ends at a stop, and is gone on with by another process later', async () => {
    await using opened = await two(engines[0]);
    const desk = await aProject(opened.store, { contacts: people(450, 'a') });
    await deletedDaysAgo(opened.store, 31, desk, idsOf(people(450, 'a')));
    await makeJobsDue(opened.database);
    const { promise: firstStep, resolve } = Promise.withResolvers<void>();
    const stopped = jobsOf(opened.stores[0], { onDeleted: (_job, rows) => void (rows > 0 && resolve()) });
    await firstStep;
    await stopped[Symbol.asyncDispose]();
    const left = (await binOf(opened.store, desk)).length;
    expect([250, 50]).toContain(left);
    {
      await using _ = jobsOf(opened.stores[1]);
      await expect.poll(() => areJobsDone(opened.store)).toBe(true);
    }
    expect(await binOf(opened.store, desk)).toEqual([]);
    const events = await eventsOf(opened.store, desk.projectId);
    const ids = events.flatMap(({ type, contact_ids }) => (type === 'contact.purged' ? (contact_ids ?? []) : []));
    expect(ids.toSorted()).toEqual(idsOf(people(450, 'a')));
  });

  it('that has too much to do stops, and is due again at once', async () => {
    await using opened = await two(engines[0]);
    const desk = await aProject(opened.store, { contacts: people(250, 'a') });
    await deletedDaysAgo(opened.store, 31, desk, idsOf(people(250, 'a')));
    await makeJobsDue(opened.database);
    const { promise: told, resolve } = Promise.withResolvers<void>();
    {
      const purges = jobs.filter(({ does }) => does === 'deleted');
      const options = { jobs: purges, runMs: 0, lookEveryMs: 60_000, onDeleted: () => resolve() };
      await using _ = jobsOf(opened.stores[0], options);
      await told;
      const dueAt = async () => (await opened.store.upkeep.jobs()).map(({ due_at }) => due_at);
      await expect.poll(async () => (await dueAt()).every((due) => due <= formatTimestamp(new Date()))).toBe(true);
    }
    expect((await binOf(opened.store, desk)).length).toBeGreaterThan(0);
  });

  it('waits while the store is away, says so once, and runs when it is back', async () => {
    await using opened = await two(engines[0]);
    await makeJobsDue(opened.database);
    let failures = 0;
    const { upkeep } = opened.stores[0];
    const away = async () => {
      if (++failures <= 3) throw new AppError('unavailable', 'The store cannot be reached.');
      return upkeep.jobs();
    };
    await using running = jobsOf({ ...opened.stores[0], upkeep: { ...upkeep, jobs: away } });
    await expect.poll(() => areJobsDone(opened.store)).toBe(true);
    expect(failures).toBeGreaterThan(3);
    expect(running.lines).toEqual([
      { level: 'warn', fields: { code: 'unavailable' }, message: 'jobs wait: The store cannot be reached.' },
    ]);
  });

  it('that fails keeps no other from running', async () => {
    await using opened = await two(engines[0]);
    await makeJobsDue(opened.database);
    const broken = {
      name: 'purge-bin',
      does: 'deleted' as const,
      steps: () => {
        throw new TypeError('planted');
      },
    };
    await using running = jobsOf(opened.stores[0], {
      jobs: [broken, ...jobs.filter(({ name }) => name !== broken.name)],
    });
    const dueAt = async () => new Map((await opened.store.upkeep.jobs()).map(({ name, due_at }) => [name, due_at]));
    const soon = formatTimestamp(addSeconds(new Date(), 400));
    await expect.poll(async () => [...(await dueAt()).values()].filter((due) => due > soon).length).toBe(3);
    expect(running.lines).toEqual([
      { level: 'error', fields: { err: expect.any(TypeError) }, message: 'a job failed' },
    ]);
  });
});
