import { describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { openDatabase } from '../../src/database/open-store.ts';
import { eventsOf } from '../support/events.ts';
import { freePort } from '../support/free-port.ts';
import { areJobsDone, deletedDaysAgo, makeJobsDue } from '../support/jobs.ts';
import { aContact, aProject } from '../support/people.ts';
import { anInstallation, linesOf, serving } from '../support/process.ts';

describe('two processes that serve one database', () => {
  it('purge a bin full of people once, tell it without an id, and stop in time', async () => {
    await using at = await anInstallation();
    const people = Array.from({ length: 900 }, (_, i) => aContact({ id: `planted-${i}` }));
    const ids = people.map(({ id }) => id);
    await using store = await openCurrentStore(at.databaseUrl);
    const desk = await aProject(store, { contacts: people });
    await deletedDaysAgo(store, 8, desk, ids);
    await using database = await openDatabase(at.databaseUrl);
    await makeJobsDue(database);
    const env = { ROSTER_BIN_DAYS: '7' };
    const ports = [String(await freePort()), String(await freePort())];
    const both = await Promise.all(ports.map((port) => serving(at, { ...env, ROSTER_METRICS_PORT: port })));
    await expect.poll(() => areJobsDone(store)).toBe(true);
    const texts = await Promise.all(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    );
    const counted = texts.map((text) => Number(/^roster_purged_rows_total\{by="purge-bin"\} (\d+)$/m.exec(text)?.[1]));
    expect(counted.toSorted((a, b) => a - b)).toEqual([0, 900]);
    for (const { child, ended } of both) {
      child.kill();
      expect(await ended).toMatchObject({ code: 0 });
    }
    const told = both.flatMap(linesOf).filter(({ job }) => job !== undefined);
    expect(told).toMatchObject([{ level: 'info', job: 'purge-bin', deleted: 900 }]);
    for (const one of both) expect(one.stdout()).not.toContain('planted');
    const events = await eventsOf(store, desk.projectId);
    expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_, i) => i + 1));
    const purges = events.filter(({ type }) => type === 'contact.purged');
    expect(purges.map(({ contact_ids }) => contact_ids?.length)).toEqual([200, 200, 200, 200, 100]);
    expect(purges.flatMap(({ contact_ids }) => contact_ids ?? []).toSorted()).toEqual(ids.toSorted());
  });
});
