import type { StoredContact } from './contact.ts';

/** Increase it, with a migration, whenever a contact gives other words than before: then the index is rebuilt. */
export const foldingVersion = 4;

/** Unicode does not take them apart. */
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

const anyMarks = /\p{M}+/gu;

/** Without case, `marks`, ligatures and full-width forms. */
function folded(text: string, marks = anyMarks): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(marks, '')
    .toLowerCase()
    .replaceAll(specialLetters, (letter) => letters[letter] ?? letter);
}

export function foldedWords(text: string, marks = anyMarks): string[] {
  return folded(text, marks).match(ascii.test(text) ? /[a-z0-9]+/g : /[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** A text as conditions compare it: folded, each run of spaces as one. Punctuation stays. */
export function foldedText(text: string): string {
  return folded(text).trim().replaceAll(/\s+/g, ' ');
}

const spaceless = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

export const wordLengthMax = 64;

/** A character of Hangul is taken apart into three. */
const foldedLengthMax = 3 * wordLengthMax;
/** A term ends after this many characters of a script without spaces, so the index grows linearly with the text. */
const spacelessMax = 2;
const askedPartsMax = 8;

function cutting(word: string) {
  const characters = Array.from(word);
  const isSpaceless = characters.map((character) => spaceless.test(character));
  const cut = (start: number) => {
    let end = start;
    let left = spacelessMax;
    while (left > 0 && end < characters.length && end - start < foldedLengthMax) {
      if (isSpaceless[end++] === true) left--;
    }
    return { text: characters.slice(start, end).join(''), end, isFull: left === 0 };
  };
  return { isSpaceless, cut };
}

/** The terms of a word: one from each place where a query may begin, up to two characters of a script without spaces. */
function beginningsIn(word: string): string[] {
  if (word.length <= foldedLengthMax && !spaceless.test(word)) return [word];
  const { isSpaceless, cut } = cutting(word);
  return isSpaceless.flatMap((isStart, place) => (isStart || place === 0 ? [cut(place).text] : []));
}

/** The terms that a contact with a word of this beginning has in the index; several may find others too. `*` ends one that may go on. */
export function soughtTerms(beginning: string): string[] {
  const { isSpaceless, cut } = cutting(beginning);
  const terms: string[] = [];
  for (let start = 0; terms.length < askedPartsMax;) {
    const { text, end, isFull } = cut(start);
    terms.push(isFull ? text : `${text}*`);
    if (end === isSpaceless.length || !isFull) break;
    start = end - 1;
  }
  return terms;
}

const lastDigits = [10, 7, 4];

function numbersIn(phone: string | null): string[] {
  const groups = phone?.normalize('NFKD').match(/\p{Nd}+/gu) ?? [];
  const all = groups.join('');
  return all === '' ? [] : [...groups, all, ...lastDigits.map((count) => all.slice(-count))];
}

export type Searchable = Pick<
  StoredContact,
  'name' | 'email' | 'company' | 'job_title' | 'external_id' | 'tags' | 'phone'
>;

function wordsOf({ name, email, company, job_title: title, external_id: id, tags }: Searchable): string[] {
  const texts = [name, email, company, title, id, ...tags].filter((text) => text !== null);
  return foldedWords(texts.join(' '));
}

/** The terms of a contact in the index. Sorted; no term is a prefix of another. */
export function indexedTerms(contact: Searchable): string[] {
  const terms = [...wordsOf(contact).flatMap(beginningsIn), ...numbersIn(contact.phone)].toSorted();
  return terms.filter((term, place) => terms[place + 1]?.startsWith(term) !== true);
}

/** Whether a word or number of a contact begins with this text, or contains it in scripts without spaces. */
export function wordFinder(contact: Searchable): (beginning: string) => boolean {
  const words = [...wordsOf(contact), ...numbersIn(contact.phone)];
  return (beginning) => {
    const isPart = spaceless.test(String.fromCodePoint(beginning.codePointAt(0) ?? 0));
    return words.some((word) => word.startsWith(beginning) || (isPart && word.includes(beginning)));
  };
}
