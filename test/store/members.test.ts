import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { unchanged } from '../../src/events/event.ts';
import type { Member, MemberFilter } from '../../src/members/member.ts';
import type { Store } from '../../src/store.ts';
import { newId } from '../../src/values/identifier.ts';
import { engines, shared } from '../support/engines.ts';
import { threeFields } from '../support/members.ts';
import { aMember, aProject, importMembers, storeMembers } from '../support/people.ts';

async function listed(store: Store, projectId: string) {
  return (await store.members.list(projectId, {}, 100, 0)).members.map(threeFields);
}

describe.each(engines)('members on $engine', ({ open }) => {
  const opened = shared(open);

  it('are listed Owner first, then in the order in which they joined', async () => {
    const { projectId } = await aProject(opened.store);
    const joined = ['zoe@example.com', 'ada@example.com', 'Ömer@example.com', 'bob@example.com'];
    await storeMembers(
      opened.store,
      projectId,
      joined.map((email) => aMember({ email })),
    );
    await storeMembers(opened.store, projectId, [aMember({ email: 'late@example.com', roles: ['Owner'] })]);
    const { members } = await opened.store.members.list(projectId, {}, 100, 0);
    expect(members.map(({ email }) => email)).toEqual(['late@example.com', ...joined]);
  });

  it('keep their place when they change', async () => {
    const { projectId } = await aProject(opened.store);
    await storeMembers(opened.store, projectId, [
      aMember({ email: 'a@example.com' }),
      aMember({ email: 'b@example.com' }),
    ]);
    await storeMembers(opened.store, projectId, [aMember({ email: 'A@example.com', roles: ['Viewer'] })]);
    expect(await listed(opened.store, projectId)).toEqual([
      aMember({ email: 'A@example.com', roles: ['Viewer'] }),
      aMember({ email: 'b@example.com' }),
    ]);
  });

  it('come to the front when they become the Owner of a project that has none', async () => {
    const { projectId } = await aProject(opened.store);
    await storeMembers(opened.store, projectId, [
      aMember({ email: 'a@example.com' }),
      aMember({ email: 'b@example.com' }),
    ]);
    await storeMembers(opened.store, projectId, [aMember({ email: 'b@example.com', roles: ['Owner', 'Admin'] })]);
    const { members } = await opened.store.members.list(projectId, {}, 100, 0);
    expect(members.map(({ email }) => email)).toEqual(['b@example.com', 'a@example.com']);
  });

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

  it('belong to their project alone', async () => {
    const one = await aProject(opened.store, { members: [aMember({ email: 'one@example.com' })] });
    const other = await aProject(opened.store, { members: [aMember({ email: 'other@example.com' })] });
    const mine = await opened.store.members.list(one.projectId, {}, 100, 0);
    expect(mine).toMatchObject({ total: 1, members: [aMember({ email: 'one@example.com' })] });
    const theirs = await opened.store.members.list(other.projectId, {}, 100, 0);
    expect(theirs).toMatchObject({ total: 1, members: [aMember({ email: 'other@example.com' })] });
  });

  it('have one Owner, whatever the front decides', async () => {
    const owner = aMember({ email: 'owner@example.com', roles: ['Owner'] });
    const { projectId } = await aProject(opened.store, { members: [owner] });
    const second = aMember({ email: 'second@example.com', roles: ['Owner'] });
    const save = (...members: Member[]) =>
      opened.store.write(operator(projectId), async (unit) => {
        const some = { invited_at: null, joined_at: null, revision: 1 };
        await unit.members.save(
          projectId,
          members.map((member) => ({ ...member, ...some, id: newId() })),
        );
        return unchanged(undefined);
      });
    await expect(save(aMember(), second)).rejects.toThrow();
    const without = aMember({ email: 'owner@example.com', roles: ['Admin'] });
    await expect(save(without)).rejects.toThrow();
    expect(await listed(opened.store, projectId)).toEqual([owner]);
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

  it('are imported by address: created, updated, unchanged, refused', async () => {
    const { projectId } = await aProject(opened.store, {
      members: [aMember({ email: 'owner@example.com', roles: ['Owner'] }), aMember({ email: 'ada@example.com' })],
    });
    const drafts = [
      { email: 'new@example.com', roles: ['Agent' as const] },
      { email: 'ADA@example.com', roles: ['Viewer' as const] },
      { email: 'owner@example.com', roles: ['Owner' as const] },
      { email: 'OWNER@example.com', roles: ['Admin' as const] },
      { email: 'second@example.com', roles: ['Owner' as const] },
    ];
    expect(await importMembers(opened.store, projectId, drafts)).toEqual([
      'created',
      'updated',
      'unchanged',
      { refused: 'contradicts line 3', differing: ['roles'] },
      { refused: 'would be a second Owner' },
    ]);
    expect(await listed(opened.store, projectId)).toEqual([
      aMember({ email: 'owner@example.com', roles: ['Owner'] }),
      aMember({ email: 'ADA@example.com', roles: ['Viewer'] }),
      { email: 'new@example.com', status: 'Pending', roles: ['Agent'] },
    ]);
  });

  it('refuse an import that takes the role from the Owner or makes an Active member Pending', async () => {
    const { projectId } = await aProject(opened.store, {
      members: [aMember({ email: 'owner@example.com', roles: ['Owner'] }), aMember()],
    });
    expect(
      await importMembers(opened.store, projectId, [
        { email: 'owner@example.com', roles: ['Admin'] },
        { email: 'ada@example.com', roles: ['Admin'], status: 'Pending' },
      ]),
    ).toEqual([
      { refused: 'would take the role from the Owner' },
      { refused: 'would make an Active member Pending again' },
    ]);
  });

  it('accept one Owner from a file that names two', async () => {
    const { projectId } = await aProject(opened.store);
    const drafts = [
      { email: 'a@example.com', roles: ['Owner' as const] },
      { email: 'b@example.com', roles: ['Owner' as const] },
    ];
    expect(await importMembers(opened.store, projectId, drafts)).toEqual([
      'created',
      { refused: 'would be a second Owner' },
    ]);
  });
});
