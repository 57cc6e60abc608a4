import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { AppError } from '../../src/errors.ts';
import { inviteMember, reinviteMember } from '../../src/members/invite.ts';
import { type GivenRole, rolesInOrder, type Member, type Role, type StoredMember } from '../../src/members/member.ts';
import { removeMember } from '../../src/members/remove.ts';
import { transferOwnership } from '../../src/members/transfer.ts';
import { updateMember } from '../../src/members/update.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { hashSecret } from '../../src/values/secret.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { threeFields } from '../support/members.ts';
import { aMember, aProject, storeMembers } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';

async function everybody(store: Store, projectId: string): Promise<StoredMember[]> {
  return (await store.members.list(projectId, {}, 1_000, 0)).members;
}

const emails = (members: readonly Member[]) => members.map(({ email }) => email);
const ownersIn = (members: readonly Member[]) => members.filter(({ roles }) => roles.includes('Owner'));

describe.each(engines)('the ownership on $engine', ({ open }) => {
  const opened = shared(open);

  const transfer = (store: Store, projectId: string, email: string) =>
    run(transferOwnership, store, operator(projectId), { email });

  it('is handed over in one event: the two exchange the roles Owner and Admin, and nobody else moves', async () => {
    const members = [
      aMember({ email: 'ada@example.com', roles: ['Owner', 'Billing'] }),
      aMember({ email: 'bo@example.com', roles: ['Editor'] }),
      aMember({ email: 'cy@example.com', roles: ['Admin', 'Viewer'] }),
      aMember({ email: 'di@example.com', roles: ['Agent'] }),
    ];
    const { projectId } = await aProject(opened.store, { members });
    await transfer(opened.store, projectId, 'CY@example.com');
    const after = await everybody(opened.store, projectId);
    expect(emails(after)).toEqual(['cy@example.com', 'ada@example.com', 'bo@example.com', 'di@example.com']);
    expect(after.map(({ roles }) => roles)).toEqual([['Owner', 'Viewer'], ['Admin', 'Billing'], ['Editor'], ['Agent']]);
    const [event] = (await eventsOf(opened.store, projectId)).slice(-1);
    expect(event).toMatchObject({ type: 'owner.transferred', member_id: after[0]?.id });
  });

  it('is handed over also where the Owner was imported and has an invitation, which stays theirs', async () => {
    const members = [
      aMember({ email: 'ada@example.com', status: 'Pending', roles: ['Owner'] }),
      aMember({ email: 'bo@example.com', status: 'Pending' }),
    ];
    const { projectId } = await aProject(opened.store, { members });
    const [ada, bo] = await everybody(opened.store, projectId);
    const renew = async (memberId = '') =>
      (await run(reinviteMember, opened.store, operator(projectId), { memberId })).output.invitation?.url.split('#')[1];
    const [ofAda = '', ofBo = ''] = [await renew(ada?.id), await renew(bo?.id)];
    await storeMembers(opened.store, projectId, [aMember({ email: 'bo@example.com' })]);
    await transfer(opened.store, projectId, 'bo@example.com');
    expect(await opened.store.members.findInvitation(hashSecret(ofBo))).toBeUndefined();
    expect(await opened.store.members.findInvitation(hashSecret(ofAda))).toMatchObject({ member_id: ada?.id });
    expect(emails(await everybody(opened.store, projectId))).toEqual(['bo@example.com', 'ada@example.com']);
  });

  it('is given to an Active member where there is no Owner, and to nobody else', async () => {
    const members = [aMember({ email: 'bo@example.com' }), aMember({ email: 'cy@example.com', status: 'Pending' })];
    const { projectId } = await aProject(opened.store, { members });
    await expect(transfer(opened.store, projectId, 'cy@example.com')).rejects.toMatchObject({ code: 'conflict' });
    await expect(transfer(opened.store, projectId, 'di@example.com')).rejects.toMatchObject({ code: 'not_found' });
    await transfer(opened.store, projectId, 'bo@example.com');
    expect(await everybody(opened.store, projectId)).toMatchObject([
      { email: 'bo@example.com', roles: ['Owner'] },
      { email: 'cy@example.com' },
    ]);
  });
});

/** Counts how often it is written out. */
class CountedDate extends Date {
  written = 0;

  override toISOString(): string {
    this.written++;
    return super.toISOString();
  }
}

describe.each(engines)('a link on $engine', ({ open }) => {
  const opened = shared(open);

  it('is looked up by the same steps, whether it is unknown or has expired', async () => {
    const { projectId } = await aProject(opened.store);
    const input = { email: 'bo@example.com', roles: ['Viewer' as const] };
    const { output } = await run(inviteMember, opened.store, operator(projectId), input);
    const secret = output.invitation?.url.split('#')[1] ?? '';
    const written: number[] = [];
    for (const sought of [secret, 'x'.repeat(30)]) {
      const inAYear = new CountedDate(Date.now() + 31_536_000_000);
      expect(await opened.store.members.findInvitation(hashSecret(sought), inAYear)).toBeUndefined();
      written.push(inAYear.written);
    }
    expect(written).toEqual([1, 1]);
  });
});

interface Step {
  kind: 'invite' | 'change' | 'transfer' | 'remove';
  who: string;
  roles: GivenRole[];
}

/** What a step makes of the members, in the order of the list; undefined where it is refused. */
function expected(members: readonly Member[], { kind, who, roles }: Step): Member[] | undefined {
  const place = members.findIndex(({ email }) => email === who);
  const found = members[place];
  if (kind === 'invite') return found ? undefined : [...members, { email: who, status: 'Pending', roles }];
  if (!found) return undefined;
  const isOwner = found.roles.includes('Owner');
  if (kind === 'transfer') {
    if (isOwner) return [...members];
    if (found.status === 'Pending') return undefined;
    const owner = members[0] ?? found;
    const rest = members.slice(1);
    const swapped = (one: Member, gained: Role, lost: Role): Member => ({
      ...one,
      roles: rolesInOrder([gained, ...one.roles.filter((role) => role !== lost)]),
    });
    return [swapped(found, 'Owner', 'Admin'), swapped(owner, 'Admin', 'Owner'), ...rest.filter((one) => one !== found)];
  }
  if (isOwner) return undefined;
  if (kind === 'remove') return members.filter((one) => one !== found);
  return members.map((one) => (one === found ? { ...one, roles } : one));
}

describe.each(engines)('a team on $engine', ({ open }) => {
  const opened = shared(open);

  const perform = async (store: Store, projectId: string, { kind, who, roles }: Step): Promise<void> => {
    const actor = operator(projectId);
    const idOf = async () => (await everybody(store, projectId)).find(({ email }) => email === who)?.id ?? 'nobody';
    if (kind === 'invite') await run(inviteMember, store, actor, { email: who, roles });
    else if (kind === 'transfer') await run(transferOwnership, store, actor, { email: who });
    else if (kind === 'remove') await run(removeMember, store, actor, { memberId: await idOf() });
    else await run(updateMember, store, actor, { memberId: await idOf(), roles });
  };
  const start = [
    aMember({ email: 'p0@example.com', roles: ['Owner'] }),
    ...Array.from({ length: 5 }, (_, n) => aMember({ email: `p${n + 1}@example.com`, roles: ['Editor'] })),
  ];
  const steps = (seed: number, count: number): Step[] => {
    const random = seededRandom(seed);
    return Array.from({ length: count }, () => ({
      kind: random.pick(['invite', 'change', 'transfer', 'transfer', 'remove'] as const),
      who: `p${random.below(9)}@example.com`,
      roles: (['Admin', 'Editor', 'Viewer'] satisfies GivenRole[]).slice(random.below(3)),
    }));
  };

  it('is as the model has it after each of 60 random steps', async () => {
    const { projectId } = await aProject(opened.store, { members: start });
    let model: Member[] = [...start];
    for (const step of steps(7, 60)) {
      const next = expected(model, step);
      const refused = await perform(opened.store, projectId, step).then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          return true;
        },
      );
      expect([step, refused]).toEqual([step, next === undefined]);
      model = next ?? model;
      expect((await opened.store.members.list(projectId, {}, 100, 0)).members.map(threeFields)).toEqual(model);
    }
  });

  it('has exactly one Owner throughout, whatever is done at once', async () => {
    const { projectId } = await aProject(opened.store, { members: start });
    const all = steps(11, 60);
    for (let from = 0; from < all.length; from += 12) {
      const seen = await Promise.all([
        ...all.slice(from, from + 12).map((step) => perform(opened.store, projectId, step).catch(requireForeseen)),
        ...Array.from({ length: 4 }, async () => ownersIn(await everybody(opened.store, projectId)).length),
      ]);
      expect(seen.slice(12)).toEqual([1, 1, 1, 1]);
    }
    const members = await everybody(opened.store, projectId);
    expect(new Set(emails(members)).size).toBe(members.length);
    expect(members[0]?.roles).toContain('Owner');
  });
});

function requireForeseen(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}
