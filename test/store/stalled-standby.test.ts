import { expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { migrate } from '../../src/database/upkeep/migrate.ts';
import { run } from '../../src/operation.ts';
import { aProject } from '../support/people.ts';
import { aSession, startPostgres } from '../support/postgres.ts';
import { spawnRoster } from '../support/program.ts';

const projects = 64;

it('a standby that stalls uses up at most 16 connections of PostgreSQL, and no read waits for it, and a command says that it does', async () => {
  await using server = await startPostgres(100);
  await using database = openPostgres(server.url, { serving: true });
  await migrate(openPostgres(server.url));
  const store = storeOn(database);
  const made = await Promise.all(Array.from({ length: projects }, () => aProject(store, { contacts: [] })));
  const write = ({ projectId, chatbotId }: (typeof made)[number]) =>
    run(createContact, store, operator(projectId), { chatbotId, properties: { name: 'Ana' } });
  await using admin = await aSession(server.url);
  // A name that no standby has: every commit waits.
  await admin.query("alter system set synchronous_standby_names = 'nobody'", 'select pg_reload_conf()');
  const isStalled = async () => (await admin.query('show synchronous_standby_names'))[0]?.['synchronous_standby_names'];
  await expect.poll(isStalled).toBe('nobody');
  const elsewhere = { env: { DATABASE_URL: `${server.url}?application_name=elsewhere` } };
  const creating = spawnRoster(['projects', 'create', 'Example Ltd'], elsewhere);
  const doctor = spawnRoster(['doctor', '--json'], { env: { DATABASE_URL: server.url } });
  const { checks } = JSON.parse((await doctor.ended).stdout) as { checks: { check: string; status: string }[] };
  expect(checks.find(({ check }) => check === 'replication')).toMatchObject({ status: 'warning' });

  const codes = new Set<string>();
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.allSettled(made.map(write));
    for (const one of answers) codes.add(one.status === 'rejected' ? (one.reason as { code: string }).code : 'stored');
    const begunAt = performance.now();
    await store.projects.find(made[0]?.projectId ?? '');
    expect(performance.now() - begunAt).toBeLessThan(1_000);
  }
  const text = "select count(*)::int as n from pg_stat_activity where application_name = 'roster'";
  expect((await admin.query(text))[0]?.['n']).toBeLessThanOrEqual(16);
  expect([...codes].toSorted()).toEqual(['outcome_unknown', 'unavailable']);

  await expect
    .poll(() => creating.stderr())
    .toBe('Still waiting; "roster doctor" says whether writes wait for a standby.\n');
  await admin.query('alter system reset synchronous_standby_names', 'select pg_reload_conf()');
  await expect
    .poll(
      () =>
        Promise.all(made.map(write)).then(
          () => 'stored',
          () => 'not yet',
        ),
      { timeout: 5_000 },
    )
    .toBe('stored');
  expect((await creating.ended).code).toBe(0);
}, 60_000);
