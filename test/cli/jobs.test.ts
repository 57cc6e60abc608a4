import { expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { openDatabase } from '../../src/database/open-store.ts';
import { freePort } from '../support/free-port.ts';
import { areJobsDone, deletedDaysAgo, makeJobsDue } from '../support/jobs.ts';
import { aContact } from '../support/people.ts';
import { anInstallation, aProjectThere, linesOf, serving, stop } from '../support/process.ts';

it('a service purges a bin whose time is over, counts it, tells it without an id, and stops in time', async () => {
  await using at = await anInstallation();
  const ids = ['planted-1', 'planted-2', 'planted-3'];
  const desk = await aProjectThere(at, { contacts: ids.map((id) => aContact({ id })) });
  await using store = await openCurrentStore(at.databaseUrl);
  await deletedDaysAgo(store, 8, desk, ids);
  await using database = await openDatabase(at.databaseUrl);
  await makeJobsDue(database);
  const port = String(await freePort());
  const server = await serving(at, { ROSTER_BIN_DAYS: '7', ROSTER_METRICS_PORT: port });
  await expect.poll(() => areJobsDone(store)).toBe(true);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('\nroster_purged_rows_total{by="purge-bin"} 3\n');
  const { stdout } = await stop(server);
  const told = linesOf(server).filter(({ job }) => job !== undefined);
  expect(told).toMatchObject([{ level: 'info', job: 'purge-bin', deleted: 3 }]);
  expect(stdout).not.toContain('planted');
});
