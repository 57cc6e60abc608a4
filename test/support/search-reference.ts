/** The promise of search, written as plainly as it is made: no index, no shared code. */

export interface Person {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly company: string | null;
  readonly job_title: string | null;
  readonly external_id: string | null;
  readonly tags: readonly string[];
  readonly phone: string | null;
  readonly created_at: string;
}

const equals: Record<string, string> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŋ: 'n', ς: 'σ',
}; // prettier-ignore

/** A letter as it is compared: without case, accent, ligature or width. */
function plain(letter: string): string {
  const parts = Array.from(letter.normalize('NFKD')).filter((part) => !/\p{M}/u.test(part));
  return parts.map((part) => equals[part.toLowerCase()] ?? part.toLowerCase()).join('');
}

const ofText = new Map<string, string[]>();

/** The words of a text, as they are compared. */
export function words(text: string): string[] {
  const folded = () => Array.from(text, plain).join('');
  const found =
    ofText.get(text) ??
    folded()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
  ofText.set(text, found);
  return found;
}

const withoutSpaces =
  /\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana}|\p{scx=Thai}|\p{scx=Lao}|\p{scx=Khmer}|\p{scx=Myanmar}/u;

/** What begins with a word is found by its beginning: the whole, and in scripts without spaces each rest of it. */
function rests(word: string): string[] {
  return [
    word,
    ...Array.from(word).flatMap((letter, at, all) => (withoutSpaces.test(letter) ? [all.slice(at).join('')] : [])),
  ];
}

function numbers(phone: string): string[] {
  const groups = phone
    .normalize('NFKD')
    .split(/[^\p{Nd}]+/u)
    .filter((group) => group !== '');
  const all = groups.join('');
  return [...groups, all, all.slice(-10), all.slice(-7), all.slice(-4)];
}

const ofPerson = new WeakMap<Person, string>();

/** All that a word of a query may begin, each on a line. */
function beginnings(person: Person): string {
  const known = ofPerson.get(person);
  if (known !== undefined) return known;
  const { name, email, company, job_title, external_id, tags, phone } = person;
  const texts = [name, email, company, job_title, external_id, ...tags].map((text) => text ?? '');
  const own = [...texts.flatMap(words), ...numbers(phone ?? '')].flatMap(rests);
  const all = own.map((one) => `\n${one}`).join('');
  ofPerson.set(person, all);
  return all;
}

export function isFound(person: Person, query: string): boolean {
  const sought = words(query);
  return sought.length > 0 && sought.every((word) => beginnings(person).includes(`\n${word}`));
}
