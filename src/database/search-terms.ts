import { hash } from 'node:crypto';

import type { ContactSearch } from '../contacts/store.ts';
import { type Searchable, wordsOf } from '../contacts/words.ts';

/** Stands in the index beside the words of a contact: none of them has this character. */
const mark = '~';

/** So that the words of other chatbots are not met. A collision is harmless: rows are read with their project. */
export function chatbotTerm(projectId: string, chatbotId: string): string {
  return termOf('chatbot', projectId, chatbotId);
}

/** A tag as a whole. */
export function tagTerm(tag: string): string {
  return termOf('tag', tag);
}

/** What the index holds of a contact, separated by spaces. */
export function termsOf(chatbot: string, contact: Searchable): string {
  return [chatbot, ...contact.tags.map(tagTerm), ...wordsOf(contact)].join(' ');
}

/** What a search asks of the index: terms as they are, and beginnings of words. Neither holds a quote or a backslash. */
export function searchTerms(
  projectId: string,
  chatbotId: string,
  { words, tag }: Pick<ContactSearch, 'words' | 'tag'>,
): { whole: string[]; beginnings: readonly string[] } {
  return {
    whole: [chatbotTerm(projectId, chatbotId), ...(tag === undefined ? [] : [tagTerm(tag)])],
    beginnings: words,
  };
}

function termOf(...parts: readonly string[]): string {
  return mark + hash('sha256', JSON.stringify(parts), 'hex').slice(0, 12);
}
