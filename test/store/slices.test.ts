import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { bulkContacts, type BulkOutput } from '../../src/contacts/bulk.ts';
import { mergeContacts } from '../../src/contacts/merging/merge.ts';
import { undoMerge } from '../../src/contacts/merging/undo.ts';
import { inParts } from '../../src/database/contact-keys.ts';
import { sql } from '../../src/database/sql.ts';
import type { EventType } from '../../src/events/event.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { engines } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aContact, aProject, type ProjectWithPeople, totalOf } from '../support/people.ts';

const length = 1_000;
const created: { types: EventType[] } = { types: ['contact.created'] };
const ids = Array.from({ length: 255 }, (_, i) => i);

/** All of Han characters, so that each takes long. */
function manyPeople() {
  return Array.from({ length }, (_, n) => {
    const name = ids.map((i) => String.fromCharCode(0x4e00 + ((n * 255 + i * 7) % 20_000))).join('');
    return { op: 'create' as const, properties: { name, email: `person${n}@example.com` } };
  });
}

function bulk(store: Store, { projectId, chatbotId }: ProjectWithPeople, signal?: AbortSignal): Promise<BulkOutput> {
  const items = manyPeople();
  return run(bulkContacts, store, operator(projectId), { chatbotId, items }, { signal }).then(({ output }) => output);
}

/** What readers see while the work is under way, turn by turn. */
async function seenDuring(
  work: Promise<unknown>,
  store: Store,
  project: ProjectWithPeople,
  onSeen = (_reads: number) => {},
) {
  const seen: [total: number | undefined, events: number][] = [];
  let isOver = false;
  const ended = work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  for (;;) {
    const total = await totalOf(store, project);
    const events = await eventsOf(store, project.projectId, created);
    await nextTurn();
    if (isOver) break;
    seen.push([total, events.length]);
    onSeen(seen.length);
  }
  await ended;
  return seen;
}

describe.each(engines)('a bulk on $engine', ({ engine, open }) => {
  /** As a service has it open, with a project of no contacts. */
  async function opened() {
    const place = await open();
    const store = await place.another(true);
    return { ...place, store, project: await aProject(store) };
  }

  it('goes in slices between which reads are answered with what was there before, and is one commit', async () => {
    await using at = await opened();
    const { store, project } = at;
    const work = bulk(store, project);
    const seen = await seenDuring(work, store, project);
    expect(await work).toMatchObject({ succeeded: length, failed: 0 });
    const before = seen.findLastIndex(([, events]) => events === 0) + 1;
    expect(before).toBeGreaterThan(5);
    expect(new Set(seen.slice(0, before).map(String))).toEqual(new Set(['0,0']));
    // The others were read between the commit and the answer.
    for (const [, events] of seen.slice(before)) expect(events).toBe(1);
    expect((await eventsOf(store, project.projectId, created)).map(({ contact_ids: all }) => all?.length)).toEqual([
      length,
    ]);
  });

  it('that is given up between its slices leaves nothing, and what came with it is stored', async () => {
    await using at = await opened();
    const { store, project } = at;
    const { projectId, chatbotId } = project;
    const giveUp = new AbortController();
    const work = bulk(store, project, giveUp.signal);
    const beside = store.write(
      operator(projectId),
      async ({ contacts }) => {
        await contacts.save(projectId, chatbotId, [{ after: aContact({ id: 'beside' }) }]);
        return {
          output: undefined,
          changes: [{ type: 'contact.created', chatbot_id: chatbotId, contact_id: 'beside' }],
        };
      },
      undefined,
      [chatbotId],
    );
    // On SQLite by then it stores its rows.
    const reads = engine === 'PostgreSQL' ? 2 : 12;
    await seenDuring(work, store, project, (count) => count === reads && giveUp.abort(new Error('given up')));
    await expect(work).rejects.toThrow('given up');
    await beside;
    const people = await Array.fromAsync(store.contacts.listAll(projectId, chatbotId));
    expect(people.flat().map(({ id }) => id)).toEqual(['beside']);
    expect((await eventsOf(store, projectId, created)).map(({ contact_id: id }) => id)).toEqual(['beside']);
    // Its places and words in the index are free again.
    expect(await bulk(store, project)).toMatchObject({ succeeded: length });
  });
});

/** The CPU time of the longest turn of the event loop meanwhile, in ms. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  const cpuMs = () => Object.values(process.threadCpuUsage()).reduce((sum, part) => sum + part, 0) / 1_000;
  const turns: number[] = [];
  let before = cpuMs();
  const timer = setInterval(() => {
    const now = cpuMs();
    turns.push(now - before);
    before = now;
  }, 1);
  await work.finally(() => clearInterval(timer));
  return Math.max(...turns, cpuMs() - before);
}

describe('thousands of contacts', () => {
  it('who share a value are read in parts, each once', async () => {
    const rows = Array.from({ length: 6_500 }, (_, i) => ({ id: `c${i}`, chatbot: `b${i % 2}`, value: `v${i % 3}` }));
    const few = Array.from({ length: 40 }, (_, i) => ({ id: `f${i}`, chatbot: 'b0', value: `w${i}` }));
    const lengths: number[] = [];
    const values = ['v0', 'v1', 'v2', ...few.map(({ value }) => value)];
    const found = await inParts(['b0', 'b1', 'b2'], values, async (chatbots, some, { values: given }) => {
      const [after = ''] = given.length > 1 ? given : [];
      const part = [...rows, ...few]
        .filter(({ chatbot, value, id }) => chatbots.includes(chatbot) && some.includes(value) && id > String(after))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, Number(given.at(-1)));
      lengths.push(part.length);
      return part;
    });
    expect(found.length).toBe(rows.length + few.length);
    expect(new Set(found.map(({ id }) => id)).size).toBe(rows.length + few.length);
    expect(Math.max(...lengths)).toBe(1_000);
  });

  it('of a chain of merges are led on and back in short turns', async () => {
    await using opened = await engines[0].open();
    const { store, database } = opened;
    const contacts = ['a', 'b'].map((id) => aContact({ id, email: `${id}@example.com` }));
    const { projectId, chatbotId } = await aProject(store, { contacts });
    const at = '2026-06-08T13:38:33+00:00';
    const columns = 'project_id chatbot_id id created_at revision merge_id first_into merged_into merged_at'.split(' ');
    const into = (i: number) => (i === 5_000 ? 'a' : `s${i + 1}`);
    const rows = Array.from({ length: 5_000 }, (_, i) => {
      return [projectId, chatbotId, `s${i + 1}`, at, 1, `m${i}`, into(i + 1), 'a', at];
    });
    await database.insertAll({ into: 'merged_contacts', columns, foundBy: [], ending: sql`` }, rows);
    const led = (id: string) => store.contacts.mergedInto(projectId, chatbotId, [id]);
    const actor = operator(projectId);
    const merging = run(mergeContacts, store, actor, { chatbotId, contactId: 'b', from: ['a'] });
    const longest = [await longestTurn(merging)];
    expect((await led('b')).length).toBe(5_001);
    const mergeId = (await merging).output.merge_id ?? '';
    longest.push(await longestTurn(run(undoMerge, store, actor, { chatbotId, mergeId })));
    expect([(await led('a')).length, (await led('b')).length]).toEqual([5_000, 0]);
    expect(Math.max(...longest)).toBeLessThan(300);
  });
});
