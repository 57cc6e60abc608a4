import { emailLengthMax, emailSchemaPattern } from '../values/email.ts';

export const memberStatuses = ['Active', 'Pending'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export const roles = ['Owner', 'Admin', 'Editor', 'Analyst', 'Agent', 'Billing', 'Viewer'] as const;
export type Role = (typeof roles)[number];

export interface Member {
  /** As given; unique in the project without regard to letter case. */
  email: string;
  status: MemberStatus;
  /** At least one, none twice, in the order of `roles`. */
  roles: Role[];
}

export const memberSchema = {
  type: 'object',
  title: 'Member',
  description: 'A person who works on the project.',
  additionalProperties: false,
  required: ['email', 'status', 'roles'],
  properties: {
    email: {
      type: 'string',
      maxLength: emailLengthMax,
      pattern: emailSchemaPattern,
      description: 'As given; unique in the project without regard to letter case.',
    },
    status: {
      type: 'string',
      enum: memberStatuses,
      description: 'Pending from the invitation until it is accepted.',
    },
    roles: {
      type: 'array',
      items: { type: 'string', enum: roles, description: 'What the member may do. The set may grow.' },
      minItems: 1,
      maxItems: roles.length,
      uniqueItems: true,
      description: 'In the order of the list of values. The set may grow.',
    },
  },
} as const;

export interface MemberFilter {
  status?: MemberStatus | undefined;
  role?: Role | undefined;
  /** Exact, without regard to letter case. */
  email?: string | undefined;
}

export const memberFields = ['email', 'status', 'roles'] as const;

export function isOwner(member: Pick<Member, 'roles'>): boolean {
  return member.roles.includes('Owner');
}
