import { expect } from 'vitest';

import type { Member } from '../../src/members/member.ts';
import type { Store } from '../../src/store.ts';
import { aMember } from './people.ts';

/** The address of the nth of `someMembers`. */
export const addressOf = (n: number) => `m${n}@example.com`;
export const someMembers = (count: number, first = 1): Member[] =>
  Array.from({ length: count }, (_, i) => aMember({ email: addressOf(first + i) }));
/** The nth, as the Owner. */
export const asOwner = (n: number): Member => aMember({ email: addressOf(n), roles: ['Owner'] });

/** A member as an answer has it. */
export function threeFields({ email, status, roles }: Member): Member {
  return { email, status, roles };
}

/** The addresses of all pages of `limit`, of which each has the same total. */
export async function everybody(store: Pick<Store, 'members'>, projectId: string, limit: number): Promise<string[]> {
  const emails: string[] = [];
  for (let offset = 0; ; offset += limit) {
    const { total, members } = await store.members.list(projectId, {}, limit, offset);
    emails.push(...members.map(({ email }) => email));
    if (offset + limit < total) continue;
    expect(emails).toHaveLength(total);
    return emails;
  }
}

/** The addresses of an export. */
export async function exported(store: Pick<Store, 'members'>, projectId: string): Promise<string[]> {
  const pages = await Array.fromAsync(store.members.listAll(projectId));
  return pages.flat().map(({ email }) => email);
}
