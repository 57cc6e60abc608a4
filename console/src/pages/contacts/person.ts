import type { Contact } from '../../types.ts';

/** A contact as lists show it. */
export type Person = Contact & Required<Pick<Contact, 'tags'>> & { chatbot_id: string };

/** A contact with all that is kept of it. */
export type WholePerson = Required<Omit<Contact, 'deleted_at'>> & Pick<Contact, 'deleted_at'>;

export type AttributeValue = WholePerson['attributes'][string];

export const wholeInclude = ['details', 'external_id', 'attributes', 'tags', 'updated_at'] as const;

export type Place = Pick<Person, 'chatbot_id' | 'id'>;

/** Names a contact in the project. No id contains the sign between. */
export function keyOf({ chatbot_id: chatbotId, id }: Place): string {
  return `${chatbotId}\0${id}`;
}

/** A person's label if the name is unknown. */
export function titleOf({ name, company }: Pick<Person, 'name' | 'company'>): string {
  return name ?? company ?? 'No name';
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** One or two letters that stand for a person. */
export function initialsOf(person: Pick<Person, 'name' | 'company'>): string {
  const words = (person.name ?? person.company ?? '').split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const chosen = words.length > 1 ? [words.at(0), words.at(-1)] : words;
  return chosen.map((word = '') => graphemes.segment(word).containing(0)?.segment.toLocaleUpperCase()).join('');
}

/** The hue of the round sign, the same for a person each time. */
export function hueOf(id: string): number {
  return Array.from(id).reduce((hue, character) => (hue * 31 + (character.codePointAt(0) ?? 0) * 137) % 360, 0);
}
