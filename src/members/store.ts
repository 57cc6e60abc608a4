import type { Member, MemberFilter } from './member.ts';

export interface StoredMember extends Member {
  id: string;
}

/** One page of members and the total, from one snapshot. */
export interface MemberPage {
  total: number;
  members: Member[];
}

export interface MemberReads {
  /** `limit` members after the first `offset`: the Owner first, then in the order in which they joined. */
  list(projectId: string, filter: MemberFilter, limit: number, offset: number): Promise<MemberPage>;
  /** All members in pages, in their order. One who is there throughout and does not become the Owner comes exactly once. */
  listAll(projectId: string): AsyncIterable<Member[]>;
  listProjectsWithoutOwner(): Promise<string[]>;
}

export interface MemberWrites {
  /** The Owner and the members with these addresses, in any letter case. No other import runs until the transaction ends. */
  findForImport(projectId: string, emails: readonly string[]): Promise<StoredMember[]>;
  /** Stores members, new ones at the end in the order given. The database refuses a second Owner. */
  save(projectId: string, members: readonly StoredMember[]): Promise<void>;
}
