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

export function isOwner(member: Pick<Member, 'roles'>): boolean {
  return member.roles.includes('Owner');
}
