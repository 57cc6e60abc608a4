import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Connection } from '../../src/database/database.ts';
import { findPage, pageAfter, pageOf, toMember } from '../../src/database/member-pages.ts';
import { type Sql, sql } from '../../src/database/sql.ts';
import { type Member, type MemberFilter, roles } from '../../src/members/member.ts';
import { engines, shared } from '../support/engines.ts';
import { addressOf, asOwner, everybody, exported, someMembers } from '../support/members.ts';
import { aMember, aProject, storeMembers } from '../support/people.ts';

type Step = { import: Member[] } | { remove: number[] };

const anImport = fc
  .uniqueArray(fc.record({ n: fc.integer({ min: 1, max: 12 }), role: fc.constantFrom(...roles) }), {
    selector: ({ n }) => n,
    maxLength: 6,
  })
  .map((some): Step => ({
    import: some.map(({ n, role }) => aMember({ email: addressOf(n), roles: [role] })),
  }));
const aRemoval = fc
  .uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 })
  .map((remove): Step => ({ remove }));

/** The members in their order by the rules alone; undefined where the step is refused whole. */
function afterStep(members: readonly Member[], step: Step): Member[] | undefined {
  const byAddress = new Map(members.map((member) => [member.email, member]));
  const isOwner = (member: Member | undefined) => member?.roles[0] === 'Owner';
  if ('remove' in step) {
    const gone = step.remove.map(addressOf);
    if (gone.some((email) => isOwner(byAddress.get(email)))) return undefined;
    return members.filter(({ email }) => !gone.includes(email));
  }
  for (const member of step.import) {
    if (isOwner(byAddress.get(member.email)) && !isOwner(member)) return undefined;
    byAddress.set(member.email, member);
  }
  const all = [...byAddress.values()];
  if (all.filter(isOwner).length > 1) return undefined;
  return [...all.filter(isOwner), ...all.filter((member) => !isOwner(member))];
}

describe.each(engines)('whatever is imported and removed by hand on $engine', ({ open }) => {
  const opened = shared(open);

  it('leaves every page of every size, the total and the export right', async () => {
    let projects = 0;
    const steps = fc.array(fc.oneof({ weight: 2, arbitrary: anImport }, aRemoval), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(steps, async (some) => {
        const { projectId } = await aProject(opened.store, { id: `p${projects++}` });
        let members: Member[] = [];
        for (const step of some) {
          const next = afterStep(members, step);
          const done =
            'import' in step
              ? storeMembers(opened.store, projectId, step.import)
              : opened.database.script(
                  `delete from members where project_id = '${projectId}' and email_key in (${step.remove.map((n) => `'${addressOf(n)}'`).join()})`,
                );
          if (next) await done;
          else await expect(done).rejects.toThrow();
          members = next ?? members;
          const emails = members.map(({ email }) => email);
          const pages = [2, 5].map((limit) => everybody(opened.store, projectId, limit));
          for (const listed of await Promise.all(pages)) expect(listed).toEqual(emails);
          expect(await exported(opened.store, projectId)).toEqual(emails);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe.each(engines)('members on $engine', ({ open }) => {
  const opened = shared(open);

  it('are counted in whole, and listed by nobody, past the end', async () => {
    const pending = [addressOf(2), addressOf(5)].map((email) => aMember({ email, status: 'Pending' }));
    const { projectId } = await aProject(opened.store, { members: someMembers(6) });
    await storeMembers(opened.store, projectId, pending);
    const page = async (filter: MemberFilter, limit: number, offset: number) => {
      const { total, members } = await opened.store.members.list(projectId, filter, limit, offset);
      return [total, ...members.map(({ email }) => email)];
    };
    expect(await page({}, 2, 4)).toEqual([6, addressOf(5), addressOf(6)]);
    expect(await page({}, 2, 6)).toEqual([6]);
    expect(await page({ status: 'Pending' }, 1, 1)).toEqual([2, addressOf(5)]);
    expect(await page({ status: 'Pending' }, 1, 2)).toEqual([2]);
    expect(await page({ status: 'Active' }, 3, 3)).toEqual([4, addressOf(6)]);
    expect(await page({ role: 'Viewer' }, 3, 3)).toEqual([0]);
    expect(await page({}, 100, Number.MAX_SAFE_INTEGER - 100)).toEqual([6]);
  });

  it('are of one moment past the end, too, where somebody joins just then', async () => {
    const { database, store } = opened;
    const { projectId } = await aProject(store, { members: someMembers(4) });
    let asked = 0;
    const joinedBetween: Connection = {
      ...database,
      all: async (query) => {
        const rows = await database.all(query);
        if (asked++ === 0) await storeMembers(store, projectId, [aMember({ email: addressOf(5) })]);
        return rows as never;
      },
    };
    const { total, members } = await findPage(joinedBetween, { projectId, filter: {}, limit: 2, offset: 4 });
    expect([total, ...members.map(({ email }) => email)]).toEqual([5, addressOf(5)]);
  });

  it('have a UUIDv7 that stays when they change, become the Owner or come again in another letter case', async () => {
    const { projectId } = await aProject(opened.store, { members: someMembers(3) });
    const ids = async () => {
      const rows = await opened.database.all<{ id: string }>(
        sql`select id from members where project_id = ${projectId} order by email_key`,
      );
      return rows.map(({ id }) => id);
    };
    const before = await ids();
    expect(new Set(before).size).toBe(3);
    for (const id of before) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    await storeMembers(opened.store, projectId, [asOwner(3), aMember({ email: addressOf(1).toUpperCase() })]);
    const { members } = await opened.store.members.list(projectId, {}, 100, 0);
    expect(members.map(({ email }) => email)).toEqual([addressOf(3), addressOf(1).toUpperCase(), addressOf(2)]);
    expect(await ids()).toEqual(before);
  });
});

const aPage = { projectId: 'acme', filter: {}, limit: 15, offset: 30 };
const byAddress = { ...aPage, filter: { email: addressOf(9) }, offset: 0 };

describe('a page is found by an index', () => {
  const explained = (query: Sql, by: string): Sql => ({
    ...query,
    pieces: [`${by} ${query.pieces[0]}`, ...query.pieces.slice(1)],
  });
  const questions: [string, Sql, RegExp][] = [
    ['all members', pageOf(aPage), /^SEARCH members .*\(project_id=\?\)/],
    ['one by address', pageOf(byAddress), /^SEARCH members .*email_key=\?/],
    ['the next of an export', pageAfter('acme', 7), /^SEARCH members .*position>\?/],
  ];

  it('on SQLite', async () => {
    await using opened = await engines[0].open();
    for (const [what, query, bounds] of questions) {
      const steps = await opened.database.all<{ detail: string }>(explained(query, 'explain query plan'));
      const details = steps.map(({ detail }) => detail);
      expect(details, what).toContainEqual(expect.stringMatching(bounds));
      expect(details.filter((detail) => !/^(SEARCH|SCALAR SUBQUERY) /.test(detail))).toEqual([]);
    }
  });

  it('on PostgreSQL', async () => {
    await using opened = await engines[1].open();
    await aProject(opened.store, { id: 'acme', members: someMembers(150) });
    await aProject(opened.store, { id: 'other', members: someMembers(3_000) });
    await opened.database.script('analyze');
    for (const [what, query] of questions) {
      const steps = await opened.database.all<{ 'QUERY PLAN': string }>(
        explained(query, 'explain (analyze, timing off)'),
      );
      const plan = steps.map((step) => step['QUERY PLAN']).join('\n');
      expect(plan, what).toMatch(/Index .*members/);
      expect(plan, what).not.toMatch(/Seq Scan on members/);
    }
  });
});

it('a row of a damaged page, which may lack every column, is no member but a damage', () => {
  const row = { email: 'ada@example.com', status: 'Active', roles: 'Owner' } as const;
  expect(toMember(row)).toEqual({ ...row, roles: ['Owner'] });
  for (const lost of ['email', 'roles'])
    expect(() => toMember({ ...row, [lost]: null })).toThrow(/a row differs from what was stored/);
});
