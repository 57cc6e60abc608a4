import { hash } from 'node:crypto';

import type { Contact } from '../../contacts/contact.ts';
import type { ContactSearch } from '../../contacts/store.ts';
import { type Conditioned, conditionTerms, valueTerms } from '../../contacts/where.ts';
import { indexedTerms, type Searchable, soughtTerms, wordFinder } from '../../contacts/words.ts';
import { AppError } from '../../errors.ts';
import { attributesIn } from '../contact-rows.ts';
import { raw } from '../sql.ts';

/** Begins the codes of projects and chatbots, and what stands for a value; no word contains it. */
const mark = '~';
/** SQLite indexes only short beginnings; a collision is harmless, as rows are read with their project. */
const codeLength = 3;
const codes = 36 ** codeLength;

function projectTerm(projectId: string): string {
  const number = Number.parseInt(digestOf(projectId), 16) % codes;
  return mark + number.toString(36).padStart(codeLength, '0');
}

export function projectNumber(terms: string): number {
  return Number.parseInt(terms.slice(mark.length, mark.length + codeLength), 36);
}

export function numberOfProject(projectId: string): number {
  return projectNumber(projectTerm(projectId));
}

/** Terms of earlier versions begin with one mark: so PostgreSQL tells what older programs write (migrations/0022). */
function chatbotTerm(projectId: string, chatbotId: string): string {
  return mark + mark + digestOf(projectId, chatbotId);
}

type Terms = (contact: Indexed) => string;

/** Makes the terms of a chatbot's contacts, separated by spaces, the project's first. */
export function termsIn(projectId: string, chatbotId: string): Terms {
  const project = projectTerm(projectId);
  const both = [project, chatbotTerm(projectId, chatbotId)];
  return (contact) =>
    [
      ...both,
      ...valueTerms(contact).map((term) => project + mark + term),
      ...indexedTerms(contact).map((term) => project + term),
    ].join(' ');
}

export type Indexed = Searchable & Conditioned;

export type SearchedRow = Omit<Indexed, 'tags' | 'attributes'> & Record<'tags' | 'attributes', string | null>;

export interface FoundRow extends Contact, Omit<SearchedRow, keyof Contact> {
  chatbot_id: string;
  updated_at: string | null;
  place: number;
}

export const searchedColumns = raw(
  'name, email, company, job_title, external_id, tags, phone, industry, city, state, country, attributes',
);

export function toIndexed(row: SearchedRow): Indexed {
  return { ...row, tags: row.tags?.split(',') ?? [], attributes: attributesIn(row) };
}

const finders = new WeakMap<SearchedRow, (beginning: string) => boolean>();

export function hasWord(row: SearchedRow, beginning: string): boolean {
  const finder = finders.get(row) ?? wordFinder(toIndexed(row));
  finders.set(row, finder);
  return finder(beginning);
}

type Sought = Pick<ContactSearch, 'words' | 'tag' | 'where' | 'chatbotIds' | 'updated'>;

/** Whether a row is what a search asks for, but for the time of its creation. */
export function isHit(
  row: SearchedRow & { chatbot_id: string; updated_at: string | null },
  { words, tag, where, chatbotIds, updated }: Sought,
): boolean {
  const time = row.updated_at ?? '';
  if (updated && (time < updated.from || time >= updated.before)) return false;
  if (chatbotIds && !chatbotIds.includes(row.chatbot_id)) return false;
  if (tag !== undefined && row.tags?.split(',').includes(tag) !== true) return false;
  if (!words.every((word) => hasWord(row, word))) return false;
  if (!where || where.length === 0) return true;
  const terms = valueTerms(toIndexed(row));
  return where.map(conditionTerms).every(({ terms: sought, isNot }) => {
    return terms.some((term) => sought.some((one) => isOf(term, one))) !== isNot;
  });
}

function isOf(term: string, sought: string): boolean {
  return sought.endsWith('*') ? term.startsWith(sought.slice(0, -1)) : term === sought;
}

/** A hit has one of each of `all`, none of `none`. Terms have no quote or backslash, and a `*` only as an open end. */
export function searchTerms(projectId: string, { words, tag, where = [], chatbotIds, updated }: Sought) {
  const project = projectTerm(projectId);
  const sought = words.map(soughtTerms);
  const conditions = [...(tag === undefined ? [] : [{ field: 'tags', is: tag }]), ...where].map(conditionTerms);
  const those = (isNot: boolean) =>
    conditions.filter((one) => one.isNot === isNot).map(({ terms }) => terms.map((term) => project + mark + term));
  const all = [
    ...sought.flat().map((term) => [project + term]),
    ...those(false),
    ...(chatbotIds ? [chatbotIds.map((id) => chatbotTerm(projectId, id))] : []),
  ];
  return {
    all: all.length === 0 ? [[project]] : all,
    none: those(true),
    isExact: updated === undefined && sought.every((terms) => terms.length === 1),
  };
}

const candidatesMax = 2_500;

export function moreCandidates(number: number): number {
  return Math.min(4 * number, candidatesMax);
}

const searchMs = 5_000;

/** After this time the returned function throws `unavailable`. */
export function searchTimer(): () => void {
  const end = performance.now() + searchMs;
  return () => {
    if (performance.now() > end)
      throw new AppError('unavailable', 'The search takes too long; search for longer words.');
  };
}

function digestOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 12);
}
