import type { Matching } from '../imports.ts';
import { emailKey, objectionToEmail } from '../values/email.ts';
import type { FileColumns } from '../values/field.ts';
import { translatedHeadings } from '../values/translated-headings.ts';
import { isOwner, type Member, memberStatuses, memberFields, type MemberStatus, type Role, roles } from './member.ts';

const memberColumns = {
  email: { headings: `email emailaddress mail useremail memberemail ${translatedHeadings.email}` },
  status: { headings: `status memberstatus membershipstatus ${translatedHeadings.status}` },
  roles: { headings: `roles role userrole memberrole memberroles ${translatedHeadings.roles}` },
} as const satisfies Record<(typeof memberFields)[number], FileColumns>;

/** The texts of a row before the check; several roles are separated by `,`, `;` or `|`. */
export type MemberTexts = Partial<Record<(typeof memberFields)[number], string>>;

export interface MemberDraft {
  email: string;
  status?: MemberStatus;
  roles: Role[];
}

export const memberReader = {
  columns: memberColumns,
  needed: [['email'], ['roles']],
  foundBy: ['email'],
  optional: ['status'],
  draft: draftMember,
} as const;

function draftMember({ texts }: { texts: MemberTexts }): MemberDraft | { objections: string[] } {
  const objections: string[] = [];
  const email = texts.email ?? '';
  const emailObjection = email === '' ? 'is missing' : objectionToEmail(email);
  if (emailObjection !== undefined) objections.push(`email ${emailObjection}`);
  const status = texts.status === undefined ? undefined : statusOf(texts.status);
  if (texts.status !== undefined && status === undefined) {
    objections.push(`status is not one of ${memberStatuses.join(', ')}`);
  }
  const given = texts.roles === undefined ? undefined : readRoles(texts.roles);
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

const statusWords: Readonly<Record<MemberStatus, readonly string[]>> = {
  Active: ['active', 'aktiv', 'actif', 'activo', 'ativo', 'attivo', 'actief'],
  Pending: ['pending', 'ausstehend', 'en attente', 'pendiente', 'pendente', 'in attesa', 'in afwachting'],
};

function statusOf(text: string): MemberStatus | undefined {
  return memberStatuses.find((status) => statusWords[status].includes(text.trim().toLowerCase()));
}

function spelled<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word.toLowerCase() === text.trim().toLowerCase());
}

/** The key under which `Find` knows the project's Owner, whatever the address. */
export const ownerKey = 'owner';

export function memberKey(member: { email: string }): string {
  return `email:${emailKey(member.email)}`;
}

function comparable(member: Member, field: keyof Member): string {
  return field === 'email' ? memberKey(member) : String(member[field]);
}

export const memberMatching: Matching<MemberDraft, Member> = {
  draftKeys: (draft) => [memberKey(draft)],
  personKeys: (member) => (isOwner(member) ? [memberKey(member), ownerKey] : [memberKey(member)]),
  rank: () => '',
  mayMean: () => true,
  claim: (member) => member,
  create: (draft) => ({ status: 'Pending', ...draft }),
  merge: (member, draft) => ({ ...member, ...draft }),
  differing: (before, after) => memberFields.filter((field) => comparable(before, field) !== comparable(after, field)),
  isKnown: () => true,
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
