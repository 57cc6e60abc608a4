import type { StoredContact } from './contact.ts';

/** Counts up when a contact gives other words than before, with a migration that says so: then the index is made anew. */
export const foldingVersion = 2;

/** The letters that Unicode does not take apart. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ς: 'σ',
};
const specialLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

const ascii = /^[\0-\x7f]*$/;

/** The words of a text in their folded form: without case, accents, ligatures and full-width forms. In their order. */
export function foldedWords(text: string): string[] {
  if (ascii.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(specialLetters, (letter) => letters[letter] ?? letter);
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const spaceless = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/** No word of a query is longer, counted in characters. */
export const wordLengthMax = 64;

const hangul = /\p{Script=Hangul}/u;
/** A character of Hangul is taken apart into three. */
const hangulLengthMax = 3 * wordLengthMax;
/** Longer words are indexed by so much, which is more than a query may ask for. */
const indexedLengthMax = 255;
/** More than all fields of a contact can have, unless of characters that stand for whole words; PostgreSQL takes a megabyte. */
const allLengthMax = 330_000;

/** The word; and where it is in a script without spaces, what begins at each of its characters. */
function beginningsIn(word: string): string[] {
  if (word.length <= indexedLengthMax && !spaceless.test(word)) return [word];
  const characters = Array.from(word).slice(0, indexedLengthMax);
  const length = hangul.test(word) ? hangulLengthMax : wordLengthMax;
  const later = characters.flatMap((character, start) =>
    start > 0 && spaceless.test(character) ? [characters.slice(start, start + length).join('')] : [],
  );
  return [characters.join(''), ...later];
}

const lastDigits = [10, 7, 4];

function numbersIn(phone: string): string[] {
  const groups = phone.normalize('NFKD').match(/\p{Nd}+/gu) ?? [];
  const all = groups.join('');
  return [...groups, all, ...lastDigits.map((count) => all.slice(-count))];
}

/** What search looks through. */
export type Searchable = Pick<
  StoredContact,
  'name' | 'email' | 'company' | 'job_title' | 'external_id' | 'tags' | 'phone'
>;

/** The words by whose beginnings a contact is found. Sorted; none begins another. */
export function wordsOf({
  name,
  email,
  company,
  job_title: title,
  external_id: id,
  tags,
  phone,
}: Searchable): string[] {
  const texts = [name, email, company, title, id, ...tags].filter((text) => text !== null);
  let room = allLengthMax;
  const words = foldedWords(texts.join(' '))
    .flatMap(beginningsIn)
    .filter((word) => (room -= word.length) >= 0);
  if (phone !== null) words.push(...numbersIn(phone));
  words.sort();
  return words.filter((word, place) => word !== '' && words[place + 1]?.startsWith(word) !== true);
}
