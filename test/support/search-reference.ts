import type { StoredContact } from '../../src/contacts/contact.ts';

/** The promise of search, written as plainly as it is made: no index, no shared code. */

const equals: Record<string, string> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŋ: 'n', ς: 'σ',
}; // prettier-ignore

/** A letter as it is compared: without case, accent, ligature or width. */
function plain(letter: string): string {
  const parts = Array.from(letter.normalize('NFKD')).filter((part) => !/\p{M}/u.test(part));
  return parts.map((part) => equals[part.toLowerCase()] ?? part.toLowerCase()).join('');
}

const known = new Map<string, string[]>();

function words(text: string): string[] {
  const folded = () => Array.from(text, plain).join('');
  const found =
    known.get(text) ??
    folded()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
  known.set(text, found);
  return found;
}

const withoutSpaces = /\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana}|\p{scx=Thai}/u;

function begins(word: string, sought: string): boolean {
  if (word.startsWith(sought)) return true;
  return Array.from(word).some(
    (letter, at, all) => withoutSpaces.test(letter) && all.slice(at).join('').startsWith(sought),
  );
}

function numbers(phone: string): string[] {
  const groups = phone
    .normalize('NFKD')
    .split(/[^\p{Nd}]+/u)
    .filter((group) => group !== '');
  const all = groups.join('');
  return [...groups, all, all.slice(-10), all.slice(-7), all.slice(-4)];
}

export function isFound(contact: StoredContact, query: string): boolean {
  const { name, email, company, job_title, external_id, tags, phone } = contact;
  const texts = [name, email, company, job_title, external_id, ...tags].map((text) => text ?? '');
  const own = [...texts.flatMap(words), ...numbers(phone ?? '')];
  const sought = words(query);
  return sought.length > 0 && sought.every((word) => own.some((one) => begins(one, word)));
}

/** As lists are sorted: by time, then by the bytes of the id. */
export function newestFirst(a: StoredContact, b: StoredContact): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return Buffer.compare(Buffer.from(b.id), Buffer.from(a.id));
}
