import { AppError } from '../errors.ts';
import { nextRevision } from '../revision.ts';
import { emailLengthMax, emailSchemaPattern } from '../values/email.ts';
import { textSchema } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { type Timestamp, timestampSchema } from '../values/timestamp.ts';

export const memberStatuses = ['Active', 'Pending'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export const givenRoles = ['Admin', 'Editor', 'Analyst', 'Agent', 'Billing', 'Viewer'] as const;
export type GivenRole = (typeof givenRoles)[number];

export const roles = ['Owner', ...givenRoles] as const;
export type Role = (typeof roles)[number];

export interface Member {
  /** The e-mail as given; unique in the project without regard to letter case. */
  email: string;
  status: MemberStatus;
  /** At least one, none twice, in the order of `roles`. */
  roles: Role[];
}

export interface StoredMember extends Member {
  id: string;
  /** Null for whoever was there before invitations, and for whoever joined without one. */
  invited_at: Timestamp | null;
  joined_at: Timestamp | null;
  revision: number;
}

export const memberFields = ['email', 'status', 'roles'] as const;

export const memberIncludes = ['id', 'invited_at', 'joined_at'] as const;

export const exampleMember: StoredMember = {
  id: '0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90',
  email: 'grace@example.com',
  status: 'Pending',
  roles: ['Editor'],
  invited_at: '2026-01-05T09:30:00+00:00',
  joined_at: null,
  revision: 0,
};

export const memberIdSchema = textSchema(idLengthMax, 'A lower-case UUIDv7.', exampleMember.id);

const properties = {
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
    items: { type: 'string', enum: roles, description: 'The roles of the member. The set may grow.' },
    minItems: 1,
    maxItems: roles.length,
    uniqueItems: true,
    description: 'In the order of the list of values. The set may grow.',
  },
} as const;

const times = {
  invited_at: {
    ...timestampSchema,
    type: ['string', 'null'],
    description: 'When the member was invited last: UTC, whole seconds; null where nobody was, or it is not known.',
  },
  joined_at: {
    ...timestampSchema,
    type: ['string', 'null'],
    description: 'When the member became Active: UTC, whole seconds; null until then, or where it is not known.',
  },
} as const;

export const memberSchema = object(properties, {
  title: 'Member',
  description: 'A person who works on the project. The keys after `roles` are there where `include` asks for them.',
  optional: { id: memberIdSchema, ...times },
});

export const wholeMemberSchema = object(
  { id: memberIdSchema, ...properties, ...times },
  { title: 'WholeMember', description: 'A person who works on the project, with all that is known.' },
);

export const givenRolesSchema = {
  ...properties.roles,
  items: { type: 'string', enum: givenRoles },
  description: 'At least one, none twice. The ownership is handed over instead.',
  examples: [['Editor']],
} as const;

export interface MemberFilter {
  status?: MemberStatus | undefined;
  role?: Role | undefined;
  email?: string | undefined;
}

export function isOwner(member: Pick<Member, 'roles'>): boolean {
  return member.roles.includes('Owner');
}

export function rolesInOrder(given: readonly Role[]): Role[] {
  return roles.filter((role) => given.includes(role));
}

export function memberView({ id, email, status, roles: held, invited_at, joined_at }: StoredMember) {
  return { id, email, status, roles: held, invited_at, joined_at };
}

export function touchedMember(member: StoredMember): StoredMember {
  return { ...member, revision: nextRevision(member.revision) };
}

export function hasLostRole(before: Pick<Member, 'roles'>, after: Pick<Member, 'roles'>): boolean {
  return before.roles.some((role) => !after.roles.includes(role));
}

export function requireNotOwner(member: Member): void {
  if (!isOwner(member)) return;
  throw new AppError('owner_protected', 'The Owner stays until the ownership is handed over', { about: 'member' });
}
