import { describe, expect, it } from 'vitest';

import type { Outcome } from '../../src/imports.ts';
import type { MemberDraft } from '../../src/members/matching.ts';
import type { Member, MemberFilter } from '../../src/members/member.ts';
import { engines, shared } from '../support/engines.ts';
import { threeFields } from '../support/members.ts';
import { aMember, aProject, importMembers } from '../support/people.ts';

const owner = aMember({ email: 'owner@example.com', roles: ['Owner'] });

// Their order and their one Owner, whatever is stored and deleted: member-pages.test.ts.
describe.each(engines)('members on $engine', ({ open }) => {
  const opened = shared(open);

  it('are counted and listed by status, role and address in any letter case', async () => {
    const { projectId } = await aProject(opened.store, {
      members: [
        aMember({ email: 'Ada@example.com', roles: ['Owner', 'Billing'] }),
        aMember({ email: 'bob@example.com', status: 'Pending', roles: ['Billing'] }),
        aMember({ email: 'cem@example.com', roles: ['Agent'] }),
      ],
    });
    const emails = async (filter: MemberFilter) => {
      const { total, members } = await opened.store.members.list(projectId, filter, 100, 0);
      expect(total).toBe(members.length);
      return members.map(({ email }) => email);
    };
    expect(await emails({ status: 'Pending' })).toEqual(['bob@example.com']);
    expect(await emails({ role: 'Billing' })).toEqual(['Ada@example.com', 'bob@example.com']);
    expect(await emails({ email: 'aDA@EXAMPLE.com' })).toEqual(['Ada@example.com']);
    expect(await emails({ role: 'Billing', status: 'Active' })).toEqual(['Ada@example.com']);
    expect(await emails({ role: 'Admin' })).toEqual([]);
  });

  it('cannot lose the Owner to a statement from outside', async () => {
    const { projectId } = await aProject(opened.store, { members: [aMember({ roles: ['Owner'] })] });
    const script = (text: string) => opened.database.script(`${text} where project_id = '${projectId}'`);
    await expect(script('delete from members')).rejects.toThrow('Owner');
    await expect(script("update members set roles = 'Admin', position = 7")).rejects.toThrow('Owner');
    await expect(script("update members set roles = 'Admin'")).rejects.toThrow();
  });

  it('without an Owner are reported by project', async () => {
    await aProject(opened.store, {
      id: 'owned',
      members: [aMember({ roles: ['Owner'] }), aMember({ email: 'b@example.com' })],
    });
    await aProject(opened.store, { id: 'ownerless', members: [aMember()] });
    await aProject(opened.store, { id: 'empty' });
    const found = await opened.store.members.listProjectsWithoutOwner();
    expect(found.filter((id) => /^(owned|ownerless|empty)$/.test(id))).toEqual(['empty', 'ownerless']);
  });

  it.each<[string, Member[], MemberDraft[], Outcome[], Member[]]>([
    [
      'are created, updated, unchanged, and refused where a line contradicts another',
      [owner, aMember()],
      [
        { email: 'new@example.com', roles: ['Agent'] },
        { email: 'ADA@example.com', roles: ['Viewer'] },
        { email: 'owner@example.com', roles: ['Owner'] },
        { email: 'OWNER@example.com', roles: ['Admin'] },
        { email: 'second@example.com', roles: ['Owner'] },
      ],
      [
        'created',
        'updated',
        'unchanged',
        { refused: 'contradicts line 3', differing: ['roles'] },
        { refused: 'would be a second Owner' },
      ],
      [
        owner,
        aMember({ email: 'ADA@example.com', roles: ['Viewer'] }),
        { email: 'new@example.com', status: 'Pending', roles: ['Agent'] },
      ],
    ],
    [
      'take the role from no Owner, and make nobody Pending again',
      [owner, aMember()],
      [
        { email: 'owner@example.com', roles: ['Admin'] },
        { email: 'ada@example.com', roles: ['Admin'], status: 'Pending' },
      ],
      [{ refused: 'would take the role from the Owner' }, { refused: 'would make an Active member Pending again' }],
      [owner, aMember()],
    ],
    [
      'have one Owner though a file names two',
      [],
      [
        { email: 'a@example.com', roles: ['Owner'] },
        { email: 'b@example.com', roles: ['Owner'] },
      ],
      ['created', { refused: 'would be a second Owner' }],
      [{ email: 'a@example.com', status: 'Pending', roles: ['Owner'] }],
    ],
  ])('that are imported by address %s', async (_what, members, drafts, outcomes, after) => {
    const { projectId } = await aProject(opened.store, { members });
    expect(await importMembers(opened.store, projectId, drafts)).toEqual(outcomes);
    expect((await opened.store.members.list(projectId, {}, 100, 0)).members.map(threeFields)).toEqual(after);
  });
});
