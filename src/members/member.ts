import type { Matching, Stored } from '../imports.ts';
import { paginate, type PageRequest, type Pages } from '../values/page.ts';
import { emailKey, objectionToEmail } from '../values/text.ts';

export const memberStatuses = ['Active', 'Pending'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** In the order in which a member's roles are printed. */
export const roles = ['Owner', 'Admin', 'Editor', 'Analyst', 'Agent', 'Billing', 'Viewer'] as const;
export type Role = (typeof roles)[number];

/** A person who works on a project. */
export interface Member {
  /** As given; unique in the project without regard to letter case. */
  email: string;
  status: MemberStatus;
  /** At least one, none twice, in the order of `roles`. */
  roles: Role[];
}

export const memberFields = ['email', 'status', 'roles'] as const;

/** What a row of a file says of a member, before it is checked. */
export interface MemberText {
  email?: string;
  status?: string;
  /** Several roles separated by `,`, `;` or `|`. */
  roles?: string;
}

/** A checked row of a file. */
export interface MemberDraft {
  email: string;
  status?: MemberStatus;
  roles: Role[];
}

/** Narrows the list; what is missing does not narrow. */
export interface MemberFilter {
  status?: MemberStatus | undefined;
  role?: Role | undefined;
  /** Exact, without regard to letter case. */
  email?: string | undefined;
}

/** Chooses what to store once everybody whom the batch may mean, and the Owner, are found. */
export type DecideMembers = (stored: Stored<Member>) => Member[];

/** Some of the members, and how many there are on all pages, at one moment. */
export interface MemberPage {
  total: number;
  members: Member[];
}

export interface ProjectWithGaps {
  id: string;
  /** Whether the store knows, and so counts instead; else its pages are wrong. */
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

/** One page of the project's members and where it lies among all pages. */
export async function listMembers(
  store: Pick<MemberStore, 'listMembers'>,
  caller: { projectId: string },
  filter: MemberFilter,
  page: PageRequest,
): Promise<{ pages: Pages; members: Member[] }> {
  // Nobody is that far, and a larger number would not be exact.
  const offset = Math.min((page.page - 1) * page.perPage, Number.MAX_SAFE_INTEGER - page.perPage);
  const { total, members } = await store.listMembers(caller.projectId, filter, page.perPage, offset);
  return { pages: paginate(page, total), members };
}

/** The row as a draft, or every objection to it: field by field, without the values. */
export function checkMember(text: MemberText): MemberDraft | { objections: string[] } {
  const objections: string[] = [];
  const email = text.email ?? '';
  const emailObjection = email === '' ? 'is missing' : objectionToEmail(email);
  if (emailObjection !== undefined) objections.push(`email ${emailObjection}`);
  const status = text.status === undefined ? undefined : spelled(memberStatuses, text.status);
  if (text.status !== undefined && status === undefined) {
    objections.push(`status is not one of ${memberStatuses.join(', ')}`);
  }
  const given = text.roles === undefined ? undefined : readRoles(text.roles);
  if (given === undefined) objections.push('roles is missing');
  else if (given === 'unknown') objections.push(`roles holds another than ${roles.join(', ')}`);
  if (objections.length > 0 || given === undefined || given === 'unknown') return { objections };
  return { email, roles: given, ...(status && { status }) };
}

/** The roles of a text in their order, each once; undefined when it names none. */
function readRoles(text: string): Role[] | 'unknown' | undefined {
  const words = text
    .split(/[,;|]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const found = new Set(words.map((word) => spelled(roles, word)));
  if (found.has(undefined)) return 'unknown';
  return found.size > 0 ? roles.filter((role) => found.has(role)) : undefined;
}

function spelled<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word.toLowerCase() === text.trim().toLowerCase());
}

/** The key under which `Find` knows the project's Owner, whatever the address. */
export const ownerKey = 'owner';

/** The key by which a row finds its member. */
export function memberKey(member: { email: string }): string {
  return `email:${emailKey(member.email)}`;
}

export function isOwner(member: Pick<Member, 'roles'>): boolean {
  return member.roles.includes('Owner');
}

/** How rows find members: by e-mail, without regard to letter case. */
export const memberMatching: Matching<MemberDraft, Member> = {
  draftKey: memberKey,
  personKeys: (member) => (isOwner(member) ? [memberKey(member), ownerKey] : [memberKey(member)]),
  // Nobody shares an address.
  rank: () => '',
  create: (draft) => ({ status: 'Pending', ...draft }),
  merge: (member, draft) => ({ ...member, ...draft }),
  equal: (a, b) =>
    memberKey(a) === memberKey(b) && a.status === b.status && a.roles.join() === b.roles.join(),
  onlyAdds: () => false,
  objection: (before, after, find) => {
    if (before && isOwner(before) && !isOwner(after)) return 'would take the role from the Owner';
    const owner = find(ownerKey);
    if (isOwner(after) && owner && memberKey(owner) !== memberKey(after)) {
      return 'would be a second Owner';
    }
    if (before?.status === 'Active' && after.status === 'Pending') {
      return 'would make an Active member Pending again';
    }
    return undefined;
  },
};
