import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { bulkContacts, type BulkOutput } from '../../src/contacts/bulk.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { type EventType } from '../../src/events/event.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { engines } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aContact, aProject, type ProjectWithPeople } from '../support/people.ts';

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
  { projectId, chatbotId }: ProjectWithPeople,
  onSeen = (_reads: number) => {},
) {
  const seen: [total: number | undefined, events: number][] = [];
  let isOver = false;
  const ended = work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  for (;;) {
    const page = await store.contacts.page(projectId, chatbotId, { list: 'newest', isWhole: false }, 1, 1);
    const events = await eventsOf(store, projectId, created);
    await nextTurn();
    if (isOver) break;
    seen.push([page?.total, events.length]);
    onSeen(seen.length);
  }
  await ended;
  return seen;
}

describe.each(engines)('a bulk on $engine', ({ engine, open }) => {
  /** As a service has it open, with a project of no contacts. */
  async function opened() {
    const place = await open();
    const store = storeOn(await openDatabase(place.url, { serving: true }));
    const project = await aProject(store);
    return {
      store,
      project,
      [Symbol.asyncDispose]: async () => {
        await store[Symbol.asyncDispose]();
        await place[Symbol.asyncDispose]();
      },
    };
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
