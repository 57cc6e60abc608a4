import { describe, expect, it } from 'vitest';

import { eventWatch } from '../../src/database/event-watch.ts';
import { engines } from '../support/engines.ts';
import { report } from '../support/events.ts';
import { createProject } from '../support/people.ts';

const change = { type: 'contact.updated', contact_id: 'a' } as const;
const never = new AbortController().signal;

describe.each(engines)('a watch of events on $engine', ({ open }) => {
  it('tells of what there is already, and of what comes', async () => {
    await using opened = await open();
    await createProject(opened.store, { name: 'A', id: 'acme' });
    expect(await opened.store.watch.next('acme', 0n, never)).toBe(true);
    const waiting = [1n, 1n, 2n].map((after) => opened.store.watch.next('acme', after, never));
    await report(opened.store, 'acme', change);
    expect(await Promise.all(waiting.slice(0, 2))).toEqual([true, true]);
    await report(opened.store, 'acme', change);
    expect(await waiting[2]).toBe(true);
  });

  it('tells nobody of the events of another project', async () => {
    await using opened = await open();
    for (const id of ['acme', 'other']) await createProject(opened.store, { name: 'A', id });
    const end = new AbortController();
    const [ours, theirs] = ['acme', 'other'].map((id) => opened.store.watch.next(id, 1n, end.signal));
    await report(opened.store, 'other', change);
    expect(await theirs).toBe(true);
    end.abort();
    expect(await ours).toBe(false);
    expect(await opened.store.watch.next('acme', 1n, end.signal)).toBe(false);
  });

  it('tells one who comes late, though nothing was committed since another began to wait', async () => {
    await using opened = await open();
    for (const id of ['acme', 'other']) await createProject(opened.store, { name: 'A', id });
    const end = new AbortController();
    const waiting = opened.store.watch.next('acme', 1n, end.signal);
    for (let times = 0; times < 3; times++) expect(await opened.store.watch.next('other', 0n, never)).toBe(true);
    end.abort();
    expect(await waiting).toBe(false);
  });

  it('asks for all projects at once, and nothing while nobody waits', async () => {
    await using opened = await open();
    for (const id of ['acme', 'other']) await createProject(opened.store, { name: 'A', id });
    let looks = 0;
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const watch = eventWatch({
      all: (query) => {
        if (++looks === 3) resolve();
        return opened.database.all(query);
      },
    });
    const end = new AbortController();
    const waiting = ['acme', 'other', 'acme'].map((id) => watch.next(id, 1n, end.signal));
    await enough;
    expect(looks).toBe(3);
    end.abort();
    expect(await Promise.all(waiting)).toEqual([false, false, false]);
    await new Promise((resolve_) => setTimeout(resolve_, 100));
    expect(looks).toBe(3);
  });

  it('sends those to ask for themselves whose project is gone', async () => {
    await using opened = await open();
    expect(await opened.store.watch.next('acme', 0n, never)).toBe(true);
  });
});

describe.each(engines)('a watch of events on $engine', ({ open }) => {
  it('tells of a commit on another connection', async () => {
    await using opened = await open();
    const other = await opened.another();
    await createProject(opened.store, { name: 'A', id: 'acme' });
    const waiting = opened.store.watch.next('acme', 1n, never);
    await report(other, 'acme', change);
    expect(await waiting).toBe(true);
  });
});

it('sends those who wait for events to ask for themselves where the store does not answer', async () => {
  const watch = eventWatch({ all: () => Promise.reject(new Error('away')) });
  expect(await watch.next('acme', 1n, never)).toBe(true);
});
