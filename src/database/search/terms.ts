import { hash } from 'node:crypto';

import type { ContactSearch } from '../../contacts/store.ts';
import { indexedTerms, type Searchable, type SoughtTerms, soughtTerms, wordFinder } from '../../contacts/words.ts';
import { AppError } from '../../errors.ts';
import { raw } from '../sql.ts';

/** First character of a chatbot's code and of a tag's term; no word contains it. */
const mark = '~';
const codeLength = 3;
const codes = 36 ** codeLength;

/**
 * Begins each term of a chatbot's contacts, and is a term itself. A collision is harmless: rows are read with their project.
 * Terms of an earlier folding lack the mark, so PostgreSQL recognises what an older program writes (migrations/0017).
 */
export function chatbotTerm(projectId: string, chatbotId: string): string {
  const number = Number.parseInt(digestOf(projectId, chatbotId), 16) % codes;
  return mark + number.toString(36).padStart(codeLength, '0');
}

export function chatbotNumber(terms: string): number {
  return Number.parseInt(terms.slice(mark.length, mark.length + codeLength), 36);
}

/** Separated by spaces. */
export function termsOf(chatbot: string, contact: Searchable): string {
  return [
    chatbot,
    ...contact.tags.map((tag) => chatbot + tagTerm(tag)),
    ...indexedTerms(contact).map((term) => chatbot + term),
  ].join(' ');
}

export type SearchedRow = Omit<Searchable, 'tags'> & { tags: string | null };

export const searchedColumns = raw('name, email, company, job_title, external_id, tags, phone');

export function toSearchable(row: SearchedRow): Searchable {
  return { ...row, tags: row.tags?.split(',') ?? [] };
}

const finders = new WeakMap<SearchedRow, (beginning: string) => boolean>();

export function hasWord(row: SearchedRow, beginning: string): boolean {
  const finder = finders.get(row) ?? wordFinder(toSearchable(row));
  finders.set(row, finder);
  return finder(beginning);
}

/** The terms of a search: whole terms and beginnings. None contains a quote or a backslash. */
export function searchTerms(
  projectId: string,
  chatbotId: string,
  { words, tag }: Pick<ContactSearch, 'words' | 'tag'>,
): SoughtTerms {
  const chatbot = chatbotTerm(projectId, chatbotId);
  const sought = words.map(soughtTerms);
  const whole = [...(tag === undefined ? [] : [tagTerm(tag)]), ...sought.flatMap((one) => one.whole)];
  const beginnings = sought.flatMap((one) => one.beginnings);
  return {
    whole: whole.length + beginnings.length === 0 ? [chatbot] : whole.map((term) => chatbot + term),
    beginnings: beginnings.map((term) => chatbot + term),
    isExact: sought.every((one) => one.isExact),
  };
}

const candidatesMax = 2_500;

export function moreCandidates(number: number): number {
  return Math.min(4 * number, candidatesMax);
}

const searchMs = 5_000;

/** Maximum wait for the answer; then it throws `unavailable`. */
export function searchTimer(): () => void {
  const end = performance.now() + searchMs;
  return () => {
    if (performance.now() > end)
      throw new AppError('unavailable', 'The search takes too long; search for longer words.');
  };
}

function tagTerm(tag: string): string {
  return mark + digestOf(tag);
}

function digestOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 12);
}
