import type { Maker } from '../rights.ts';
import type { Timestamp } from '../values/timestamp.ts';
import type { Member, MemberFilter, StoredMember } from './member.ts';

/** From one snapshot. */
export interface MemberPage {
  total: number;
  members: StoredMember[];
}

export interface Invitation {
  project_id: string;
  member_id: string;
  expires_at: Timestamp;
}

export interface NewInvitation extends Pick<Invitation, 'member_id' | 'expires_at'> {
  token_hash: string;
  /** The actor who was shown the link; null if unknown. */
  created_by_type: Maker['type'] | null;
  created_by_id: string | null;
}

export interface MemberReads {
  find(projectId: string, memberId: string): Promise<StoredMember | undefined>;
  /** `limit` members after the first `offset`: the Owner first, then in the order in which they joined. */
  list(projectId: string, filter: MemberFilter, limit: number, offset: number): Promise<MemberPage>;
  /** All members in pages, in their order. One who is there throughout and does not become the Owner comes exactly once. */
  listAll(projectId: string): AsyncIterable<Member[]>;
  listProjectsWithoutOwner(): Promise<string[]>;
  /** The Pending members whose link one of these makers made, in the order of their invitation. */
  listInvitedBy(projectId: string, makerIds: readonly string[]): Promise<StoredMember[]>;
  /** The invitation of this hash in any project, unless it has expired; an unknown one takes as long. */
  findInvitation(tokenHash: string, now?: Date): Promise<Invitation | undefined>;
}

export interface MemberWrites {
  /** The Owner and those with these addresses, in any letter case, or ids; locks the members of the project. */
  findForWriting(projectId: string, sought: { [By in 'emails' | 'ids']?: readonly string[] }): Promise<StoredMember[]>;
  /** Stores members, new ones at the end in the order given. The database refuses a second Owner. */
  save(projectId: string, members: readonly StoredMember[]): Promise<void>;
  remove(projectId: string, memberId: string): Promise<void>;
  /** Puts the successor first, in place of the Owner, who comes next; the others keep their order. */
  handOver(projectId: string, owner: StoredMember | undefined, successor: StoredMember): Promise<void>;
  /** Keeps the hash of a member's link; that of an earlier one is forgotten. */
  keepInvitation(projectId: string, invitation: NewInvitation): Promise<void>;
  endInvitations(projectId: string, memberIds: readonly string[]): Promise<void>;
}
