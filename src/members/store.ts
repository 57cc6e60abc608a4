import type { Stored } from '../imports.ts';
import type { MemberDraft } from './import.ts';
import type { Member, MemberStatus, Role } from './member.ts';

/** Narrows the list; a key that is missing does not narrow it. */
export interface MemberFilter {
  status?: MemberStatus | undefined;
  role?: Role | undefined;
  /** Exact, without regard to letter case. */
  email?: string | undefined;
}

/** Chooses the members to store once every member that the batch may mean, and the Owner, are found. */
export type DecideMembers = (stored: Stored<Member>) => Member[];

/** Some of the members, and how many there are on all pages, at one moment. */
export interface MemberPage {
  total: number;
  members: Member[];
}

export interface ProjectWithGaps {
  id: string;
  /** Whether the store knows, and so counts instead; otherwise its pages are wrong. */
  isNoted: boolean;
}

export interface MemberStore {
  /** Projects that have members but no Owner, by id: for the operator. */
  listProjectsWithoutOwner(): Promise<string[]>;
  /** Projects whose members are not numbered without gaps, by id: for the operator. */
  listProjectsWithGaps(): Promise<ProjectWithGaps[]>;
  /**
   * `limit` members after the first `offset`: the Owner, then in the order in which they joined. Without a filter
   * no page takes longer than another, however many members there are.
   */
  listMembers(projectId: string, filter: MemberFilter, limit: number, offset: number): Promise<MemberPage>;
  /** All members of a project in pages, in their order; one stored throughout, who is not made the Owner, exactly once. */
  listAllMembers(projectId: string): AsyncIterable<Member[]>;
  /**
   * One batch, one transaction, as for contacts. Who is new joins at the end, in the order given.
   * Refuses, whatever `decide` says, a second Owner and an Owner without the role.
   */
  importMembers(projectId: string, drafts: readonly MemberDraft[], decide: DecideMembers): Promise<void>;
  /** Numbers the members anew, in their order, where somebody was removed by hand; an import that stores anybody does, too. */
  closeMemberGaps(projectId: string): Promise<void>;
}
