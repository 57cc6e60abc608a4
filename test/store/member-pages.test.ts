import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pageBehind, pageByCounting, pageByPosition } from '../../src/database/member-pages.ts';
import type { Sql } from '../../src/database/sql.ts';
import { type Member, roles } from '../../src/members/member.ts';
import { engines } from '../support/engines.ts';
import { addressOf, everybody, exported, someMembers } from '../support/members.ts';
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

describe.each(engines.slice(1))('whatever is imported and removed by hand on $engine', ({ open }) => {
  it('leaves every page of every size, the total and the export right', async () => {
    await using opened = await open();
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
        expect((await opened.store.listProjectsWithGaps()).filter(({ isNoted }) => !isNoted)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});

const someOf = { projectId: 'acme', filter: { email: addressOf(9) }, limit: 15, offset: 0 };

describe('a page is found by keys alone', () => {
  const explained = (query: Sql, by: string): Sql => ({
    ...query,
    pieces: [`${by} ${query.pieces[0]}`, ...query.pieces.slice(1)],
  });
  const questions: [string, Sql, RegExp][] = [
    ['all members', pageByPosition(someOf), /^SEARCH page .*position>\? AND position<\?/],
    ['one by address', pageByCounting(someOf), /^SEARCH members .*email_key=\?/],
  ];

  it.each([
    ...questions,
    ['the next of an export', pageBehind('acme', ['a', 'b', 'c']), /^SEARCH members .*email_key=\?/] as const,
  ])('on SQLite: %s', async (_what, query, bounds) => {
    await using opened = await engines[0].open();
    const steps = await opened.database.all<{ detail: string }>(explained(query, 'explain query plan'));
    const details = steps.map(({ detail }) => detail);
    expect(details).toContainEqual(expect.stringMatching(bounds));
    expect(details.filter((detail) => !/^(SEARCH|SCALAR SUBQUERY) /.test(detail))).toEqual([]);
  });

  it.each(questions)('on PostgreSQL: %s', async (_what, query) => {
    await using opened = await engines[2].open();
    await aProject(opened.store, { id: 'acme', members: someMembers(5_000) });
    await opened.database.script('analyze');
    const steps = await opened.database.all<{ 'QUERY PLAN': string }>(
      explained(query, 'explain (analyze, timing off)'),
    );
    const plan = steps.map((step) => step['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan on members/);
    // Nothing gives more rows than the page has.
    const rows = [...plan.matchAll(/actual rows=(\d+)/g)].map(([, count]) => Number(count));
    expect(rows.length).toBeGreaterThan(2);
    expect(Math.max(...rows)).toBeLessThanOrEqual(15);
  });
});
