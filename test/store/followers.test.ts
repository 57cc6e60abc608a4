import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { Event, EventType } from '../../src/events/event.ts';
import { listEvents } from '../../src/events/feed.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { engines } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { createProject } from '../support/people.ts';

const script = fileURLToPath(new URL('../support/write-events.ts', import.meta.url));
const writers = 3;
const writesOfEach = 60;

/** Goes on from cursor to cursor, and waits, until it has seen the last event. */
async function follow(store: Store, limit: number, type?: EventType[]): Promise<Event[]> {
  const seen: Event[] = [];
  let after = '*';
  const openWaiter = () => ({
    next: (projectId: string, from: bigint) => store.watch.next(projectId, from, new AbortController().signal),
    [Symbol.dispose]: () => undefined,
  });
  while (seen.at(-1)?.type !== 'project.updated') {
    const input = { after, limit, wait: 20, ...(type !== undefined && { type }) };
    const { output } = await run(listEvents, store, operator('acme'), input, { openWaiter });
    seen.push(...output.events);
    after = output.next_cursor ?? '';
  }
  return seen;
}

describe.each(engines)('those who follow the feed on $engine', ({ open }) => {
  it('miss nothing and see nothing twice while several processes write, one of which is killed', async () => {
    await using opened = await open();
    await createProject(opened.store, { name: 'A', id: 'acme' });
    const store = await opened.another(true);
    const following = [follow(store, 500), follow(store, 7), follow(store, 3, ['contact.updated', 'project.updated'])];
    const args = [script, opened.url, 'acme'];
    const start = (count: number) => spawn(process.execPath, [...args, String(count)], { stdio: 'inherit' });
    const children = Array.from({ length: writers }, () => start(writesOfEach));
    const endless = start(1_000_000);
    const ends = Promise.all(children.map((child) => once(child, 'exit')));
    const hasWritten = async () =>
      (await eventsOf(opened.store, 'acme')).some(({ contact_id }) => contact_id === String(endless.pid));
    await expect.poll(hasWritten).toBe(true);
    endless.kill('SIGKILL');
    await once(endless, 'exit');
    const ended = await ends;
    await report(opened.store, 'acme', { type: 'project.updated', changed: ['name'] });
    expect(ended).toEqual(children.map(() => [0, null]));

    const all = await eventsOf(opened.store, 'acme');
    expect(all.map(({ sequence }) => Number(sequence))).toEqual(all.map((_, index) => index + 1));
    expect(new Set(all.map(({ contact_id }) => contact_id)).size).toBe(writers + 2);
    const [whole, paged, filtered] = await Promise.all(following);
    expect(whole).toEqual(all);
    expect(paged).toEqual(all);
    expect(filtered).toEqual(all.slice(1));
  });
});
