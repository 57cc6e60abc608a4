import { hash } from 'node:crypto';

import type { ContactSearch } from '../contacts/store.ts';
import { type Searchable, wordsOf } from '../contacts/words.ts';

/** Begins a tag as a whole: no word has this character. */
const mark = '~';
const codeLength = 4;
const codes = 36 ** codeLength;

/**
 * Begins each term of a chatbot's contacts, and is a term of each, so that the words of other chatbots are not read.
 * A collision is harmless: rows are read with their project.
 */
export function chatbotTerm(projectId: string, chatbotId: string): string {
  const number = Number.parseInt(digestOf(projectId, chatbotId), 16) % codes;
  return number.toString(36).padStart(codeLength, '0');
}

/** What the index holds of a contact, separated by spaces. */
export function termsOf(chatbot: string, contact: Searchable): string {
  return [
    chatbot,
    ...contact.tags.map((tag) => chatbot + tagTerm(tag)),
    ...wordsOf(contact).map((word) => chatbot + word),
  ].join(' ');
}

/** What a search asks of the index: terms as they are, and beginnings of terms. Neither holds a quote or a backslash. */
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
