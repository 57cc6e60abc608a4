import { type Batch, beyondLimit, type Imported, judge, openSeen, type Outcome } from '../imports.ts';
import { emailKey, objectionToEmail } from '../values/email.ts';
import type { FileColumns } from '../values/field.ts';
import { translatedHeadings } from '../values/translated-headings.ts';
import {
  isOwner,
  type Member,
  memberStatuses,
  memberFields,
  type MemberStatus,
  type Role,
  roles,
  type StoredMember,
} from './member.ts';

const memberColumns = {
  email: { headings: `email emailaddress mail useremail memberemail ${translatedHeadings.email}` },
  status: { headings: `status memberstatus membershipstatus ${translatedHeadings.status}` },
  roles: { headings: `roles role userrole memberrole memberroles ${translatedHeadings.roles}` },
} as const satisfies Record<(typeof memberFields)[number], FileColumns>;

/** The texts of a row before the check; several roles are separated by `,`, `;` or `|`. */
type MemberTexts = Partial<Record<(typeof memberFields)[number], string>>;

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
  const given = readRoles(texts.roles ?? '');
  if (typeof given === 'string') objections.push(`roles ${given}`);
  if (objections.length > 0 || typeof given === 'string') return { objections };
  return { email, roles: given, ...(status && { status }) };
}

function readRoles(text: string): Role[] | string {
  const words = new Set(
    text
      .toLowerCase()
      .split(/[,;|]/)
      .map((word) => word.trim()),
  );
  words.delete('');
  const found = roles.filter((role) => words.delete(role.toLowerCase()));
  if (words.size > 0) return `holds another than ${roles.join(', ')}`;
  return found.length > 0 ? found : 'is missing';
}

const statusWords: Readonly<Record<MemberStatus, readonly string[]>> = {
  Active: ['active', 'aktiv', 'actif', 'activo', 'ativo', 'attivo', 'actief'],
  Pending: ['pending', 'ausstehend', 'en attente', 'pendiente', 'pendente', 'in attesa', 'in afwachting'],
};

function statusOf(text: string): MemberStatus | undefined {
  return memberStatuses.find((status) => statusWords[status].includes(text.trim().toLowerCase()));
}

export function memberKey(member: { email: string }): string {
  return `email:${emailKey(member.email)}`;
}

function comparable(member: Member, field: keyof Member): string {
  return field === 'email' ? memberKey(member) : String(member[field]);
}

/** Decides the rows of a batch in their order; `room` of the people may be new. */
export function planMembers(
  batch: Batch<MemberDraft & Partial<StoredMember>, Member>,
  stored: readonly Member[],
  room: number,
): { imported: Imported<Member>; changed: (Member & Partial<StoredMember>)[] } {
  const current = new Map<string, Member>([...stored, ...batch.planned].map((member) => [memberKey(member), member]));
  let owner = [...current.values()].find(isOwner);
  const changed = new Map<string, Member>();
  const seen = openSeen(batch.earlier);
  // Another service may have more of them than its limits allow.
  let left = batch.mode === 'mirror' ? Infinity : room - batch.created;
  const outcomes = batch.rows.map((row): Outcome => {
    const id = memberKey(row.draft);
    const before = current.get(id);
    const after: Member = { status: 'Pending', ...before, ...row.draft };
    const differing = before
      ? memberFields.filter((field) => comparable(before, field) !== comparable(after, field))
      : [];
    const isFull = !before && left <= 0;
    const refused = objectionTo(before, after, owner) ?? (isFull ? beyondLimit : undefined);
    const meeting = { id, isNew: before === undefined, differing, contradicted: differing, refused };
    const outcome = judge(row, meeting, batch, seen);
    if (outcome !== 'created' && outcome !== 'updated') return outcome;
    if (outcome === 'created') left--;
    current.set(id, after);
    changed.set(id, after);
    if (isOwner(after)) owner = after;
    return outcome;
  });
  const planned = batch.isDry ? Array.from(changed, ([id, person]) => ({ id, keys: keysOf(person), person })) : [];
  return { imported: { outcomes, warnings: [], met: seen.met(), planned }, changed: [...changed.values()] };
}

/** The keys by which a dry run finds whom it would have stored: the Owner matters for every row. */
function keysOf(member: Member): string[] {
  return isOwner(member) ? [memberKey(member), ownerKey] : [memberKey(member)];
}

export const ownerKey = 'owner';

function objectionTo(before: Member | undefined, after: Member, owner: Member | undefined): string | undefined {
  if (before && isOwner(before) && !isOwner(after)) return 'would take the role from the Owner';
  if (isOwner(after) && owner && memberKey(owner) !== memberKey(after)) return 'would be a second Owner';
  const isLess = before?.status === 'Active' && after.status === 'Pending';
  return isLess ? 'would make an Active member Pending again' : undefined;
}
