import { setImmediate } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { sql } from '../../src/database/sql.ts';
import { pageMax, perPageMax } from '../../src/values/page.ts';
import { engines, type Opened } from '../support/engines.ts';
import { addressOf, asOwner, everybody, exported, someMembers } from '../support/members.ts';
import { aMember, aProject, importMembers, storeMembers } from '../support/people.ts';
import { aSession } from '../support/postgres.ts';

const owner = aMember({ email: 'owner@example.com', roles: ['Owner'] });

async function positions({ database }: Opened, projectId: string): Promise<[number, string][]> {
  const rows = await database.all<{ position: number; email: string }>(
    sql`select position, email from members where project_id = ${projectId} order by position`,
  );
  return rows.map(({ position, email }) => [position, email]);
}

/** As the operator does it, by the statement of docs/operating.md. */
function removeByHand({ database }: Opened, ...members: number[]): Promise<void> {
  const keys = members.map((n) => `'${addressOf(n)}'`).join(', ');
  return database.script(`delete from members where project_id = 'acme' and email_key in (${keys})`);
}

describe.each(engines)('positions of members on $engine', ({ open }) => {
  it.each([
    ['0 for the Owner and 1, 2, 3 for the others', [...someMembers(2), owner, ...someMembers(1, 3)], 0],
    ['1, 2, 3 where there is no Owner', someMembers(3), 1],
  ])('are %s', async (_what, members, first) => {
    await using opened = await open();
    const { projectId } = await aProject(opened.store, { members });
    const found = await positions(opened, projectId);
    expect(found.map(([position]) => position)).toEqual(members.map((_, i) => first + i));
    expect(await opened.store.listProjectsWithGaps()).toEqual([]);
  });

  it('have no gap after one who was stored became the Owner', async () => {
    await using opened = await open();
    const { projectId } = await aProject(opened.store, { members: someMembers(5) });
    await importMembers(opened.store, projectId, [
      { email: addressOf(6), roles: ['Agent'] },
      { email: addressOf(3), roles: ['Owner'] },
      { email: addressOf(7), roles: ['Agent'] },
    ]);
    expect(await positions(opened, projectId)).toEqual(
      [3, 1, 2, 4, 5, 6, 7].map((n, i) => [i, addressOf(n)]),
    );
    expect(await opened.store.listProjectsWithGaps()).toEqual([]);
  });

  it('may have gaps where somebody was removed by hand: pages and total are right, and the next import closes them', async () => {
    await using opened = await open();
    await aProject(opened.store, { id: 'acme', members: [owner, ...someMembers(9)] });
    await removeByHand(opened, 2, 3, 9);
    const left = [owner.email, ...[1, 4, 5, 6, 7, 8].map(addressOf)];
    for (const limit of [1, 2, 3, 7, 100]) {
      expect(await everybody(opened.store, 'acme', limit)).toEqual(left);
    }
    expect(await opened.store.listProjectsWithGaps()).toEqual([{ id: 'acme', isNoted: true }]);
    await storeMembers(opened.store, 'acme', []);
    expect(await opened.store.listProjectsWithGaps()).toEqual([{ id: 'acme', isNoted: true }]);
    await storeMembers(opened.store, 'acme', someMembers(1, 10));
    expect(await positions(opened, 'acme')).toEqual([...left, addressOf(10)].map((email, i) => [i, email]));
    expect(await opened.store.listProjectsWithGaps()).toEqual([]);
  });

  it('are closed up without an import, too', async () => {
    await using opened = await open();
    await aProject(opened.store, { id: 'acme', members: [owner, ...someMembers(4)] });
    await removeByHand(opened, 1, 3);
    await opened.store.closeMemberGaps('acme');
    const left = [owner.email, ...[2, 4].map(addressOf)];
    expect(await positions(opened, 'acme')).toEqual(left.map((email, i) => [i, email]));
    expect(await opened.store.listProjectsWithGaps()).toEqual([]);
  });

  it('that were given by hand keep pages right as well', async () => {
    await using opened = await open();
    await aProject(opened.store, { id: 'acme', members: someMembers(3) });
    await opened.database.script(
      "insert into members values ('acme', 700, 'm4@example.com', 'm4@example.com', 'Active', 'Admin')",
    );
    expect(await everybody(opened.store, 'acme', 2)).toEqual([1, 2, 3, 4].map(addressOf));
    await opened.database.script("update members set position = 900 where email_key = 'm1@example.com'");
    expect(await everybody(opened.store, 'acme', 2)).toEqual([2, 3, 4, 1].map(addressOf));
  });

  it('that a program of the version before leaves with a gap are right at once', async () => {
    await using opened = await open();
    await aProject(opened.store, { id: 'acme', members: someMembers(4) });
    // How it made somebody the Owner: in place, and nobody moved up.
    await opened.database.script(`
      insert into members (project_id, position, email, email_key, status, roles)
        values ('acme', 0, 'm2@example.com', 'm2@example.com', 'Active', 'Owner')
        on conflict (project_id, email_key) do update set roles = excluded.roles,
          position = case when excluded.position = 0 then 0 else members.position end`);
    expect(await everybody(opened.store, 'acme', 3)).toEqual([2, 1, 3, 4].map(addressOf));
  });

  it('belong to one project: a gap in one leaves the others as they are', async () => {
    await using opened = await open();
    await aProject(opened.store, { id: 'other', members: someMembers(3) });
    await aProject(opened.store, { id: 'acme', members: someMembers(3) });
    await removeByHand(opened, 1);
    await storeMembers(opened.store, 'acme', [asOwner(3)]);
    expect(await positions(opened, 'other')).toEqual([1, 2, 3].map((n) => [n, addressOf(n)]));
    expect(await positions(opened, 'acme')).toEqual([3, 2].map((n, i) => [i, addressOf(n)]));
  });

  it('give an empty page and the true total past the end, however far, and for nobody at all', async () => {
    await using opened = await open();
    const { projectId } = await aProject(opened.store, { members: someMembers(3) });
    for (const offset of [3, 1_000, (pageMax - 1) * perPageMax]) {
      const page = await opened.store.listMembers(projectId, {}, perPageMax, offset);
      expect(page).toEqual({ total: 3, members: [] });
    }
    const chosen = await opened.store.listMembers(projectId, { status: 'Active' }, 10, 30);
    expect(chosen).toEqual({ total: 3, members: [] });
    const { projectId: empty } = await aProject(opened.store);
    expect(await opened.store.listMembers(empty, {}, 10, 0)).toEqual({ total: 0, members: [] });
    expect(await opened.store.listMembers('nowhere', {}, 10, 0)).toEqual({ total: 0, members: [] });
  });

  it('are exported in order over several pages, the members before and behind a gap too', async () => {
    await using opened = await open();
    await aProject(opened.store, { id: 'acme', members: [...someMembers(2_300), owner] });
    const rest = Array.from({ length: 2_300 }, (_, i) => addressOf(i + 1));
    expect(await exported(opened.store, 'acme')).toEqual([owner.email, ...rest]);
    await removeByHand(opened, 999, 1_000, 1_001);
    const left = rest.filter((email) => !['m999@', 'm1000@', 'm1001@'].some((at) => email.startsWith(at)));
    expect(await exported(opened.store, 'acme')).toEqual([owner.email, ...left]);
  });

  it('that close up during an export leave nobody out of it and nobody in it twice', async () => {
    await using opened = await open();
    await aProject(opened.store, { id: 'acme', members: someMembers(1_500) });
    const emails: string[] = [];
    for await (const page of opened.store.listAllMembers('acme')) {
      if (emails.length === 0) await storeMembers(opened.store, 'acme', [asOwner(1_000)]);
      emails.push(...page.map(({ email }) => email));
    }
    expect(emails).toEqual(someMembers(1_500).map(({ email }) => email));
  });
});

describe.each(engines.slice(1))('at the same time on $engine', ({ open }) => {
  it('two imports that add members give each a position of its own, without gaps', async () => {
    await using opened = await open();
    // Two connections of one process to one file would wait for each other without letting each other go on.
    await using another = await opened.another();
    const other = opened.database.engine === 'sqlite' ? opened.store : another;
    const { projectId } = await aProject(opened.store, { members: [owner] });
    const batches = Array.from({ length: 6 }, (_, i) => someMembers(7, 1 + i * 5));
    await Promise.all(
      batches.map((batch, i) => storeMembers(i % 2 ? other : opened.store, projectId, batch)),
    );
    const found = await positions(opened, projectId);
    expect(found.map(([position]) => position)).toEqual(found.map((_, i) => i));
    expect(found).toHaveLength(1 + 32);
    expect(await opened.store.listProjectsWithGaps()).toEqual([]);
  });

  it('an import makes somebody the Owner and pages are read: each is of before or of after', async () => {
    await using opened = await open();
    await using other = await opened.another();
    const { projectId } = await aProject(opened.store, { members: someMembers(40) });
    const before = someMembers(40).map(({ email }) => email);
    const after = [addressOf(20), ...before.filter((email) => email !== addressOf(20))];
    const seen: string[] = [];
    const read = async () => {
      const { total, members } = await opened.store.listMembers(projectId, {}, 15, 15);
      seen.push(JSON.stringify([total, members.map(({ email }) => email)]));
    };
    const importing = storeMembers(other, projectId, [asOwner(20)]).then(() => 'done');
    while ((await Promise.race([importing, read(), setImmediate()])) !== 'done') await read();
    await importing;
    await read();
    const either = [before, after].map((list) => JSON.stringify([40, list.slice(15, 30)]));
    expect(new Set(seen).difference(new Set(either))).toEqual(new Set());
    expect(seen.at(-1)).toBe(either[1]);
  });
});

describe('while gaps are closed on PostgreSQL', () => {
  it.each([
    ['removes somebody', `delete from members where email_key = '${addressOf(7)}'`, 8],
    [
      'adds somebody',
      "insert into members values ('acme', 10, 'x@example.com', 'x@example.com', 'Active', 'Agent')",
      10,
    ],
  ])('an operator %s by hand: pages are right afterwards', async (_what, text, total) => {
    await using opened = await engines[2].open();
    await using operator = await aSession(opened.url);
    await aProject(opened.store, { id: 'acme', members: someMembers(9) });
    await operator.query('begin', text);
    const importing = storeMembers(opened.store, 'acme', [asOwner(2)]);
    const isWaiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await opened.database.all(isWaiting)).length).toBe(1);
    await operator.query('commit');
    await importing;
    const list = await everybody(opened.store, 'acme', 3);
    expect(list.slice(0, 3)).toEqual([2, 1, 3].map(addressOf));
    expect(list).toHaveLength(total);
    const gaps = await opened.store.listProjectsWithGaps();
    expect(gaps.filter(({ isNoted }) => !isNoted)).toEqual([]);
  });
});
