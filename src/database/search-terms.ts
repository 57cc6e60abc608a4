import { hash } from 'node:crypto';

import type { ContactSearch } from '../contacts/store.ts';
import { type Searchable, wordsOf } from '../contacts/words.ts';

/** Begins the term of a tag; no word has this character. */
const mark = '~';
const codeLength = 4;
const codes = 36 ** codeLength;

/**
 * A code that begins each term of a chatbot's contacts, so that a search reads no words of other chatbots. It is also a term
 * itself. A collision is harmless: rows are read with their project.
 */
export function chatbotTerm(projectId: string, chatbotId: string): string {
  const number = Number.parseInt(digestOf(projectId, chatbotId), 16) % codes;
  return number.toString(36).padStart(codeLength, '0');
}

/** The index terms of a contact, separated by spaces. */
export function termsOf(chatbot: string, contact: Searchable): string {
  return [
    chatbot,
    ...contact.tags.map((tag) => chatbot + tagTerm(tag)),
    ...wordsOf(contact).map((word) => chatbot + word),
  ].join(' ');
}

/** The terms of a search: whole ones, and beginnings. None contains a quote or a backslash. */
export function searchTerms(
  projectId: string,
  chatbotId: string,
  { words, tag }: Pick<ContactSearch, 'words' | 'tag'>,
): { whole: string[]; beginnings: string[] } {
  const chatbot = chatbotTerm(projectId, chatbotId);
  const whole = tag === undefined ? [] : [chatbot + tagTerm(tag)];
  const beginnings = words.map((word) => chatbot + word);
  return { whole: whole.length + beginnings.length === 0 ? [chatbot] : whole, beginnings };
}

function tagTerm(tag: string): string {
  return mark + digestOf(tag);
}

function digestOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 12);
}
