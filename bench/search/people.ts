import { type StoredContact, unknownContact } from '../../src/contacts/contact.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { seededRandom } from '../../test/support/random.ts';

const syllables = 'an be ca do el fer gi ho in jo ka lu mar na ol pe qui ro sa ti ul vi wa xe ya zo'.split(' ');
const titles = ['Engineer', 'Assistant', 'Manager', 'Head of Sales', 'Director', 'CEO'];
const forms = ['Ltd', 'GmbH', 'Inc', 'SA'];
const firstDay = new Date('2023-01-01T00:00:00Z');
const threeYears = 3 * 365 * 86_400;

/** A made-up word: the same number gives the same one. */
function word(number: number, kind: number): string {
  let rest = number * 7_919 + kind * 104_729;
  const parts = Array.from({ length: 2 + (number % 3) }, () => {
    const part = syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length) + 31;
    return part;
  });
  return parts.join('');
}

export type Person = StoredContact & { first: string; last: string };

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Made-up people whose names are as unequally frequent as those of real ones, created over three years: `total` of them in order, or in none. */
export function madeUpPeople(seed: number, total: number, isInOrder: boolean) {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(limit ** (random.below(1_000_000) / 1_000_000)) - 1;
  return (number: number): Person => {
    const [first, last, host, firm] = [
      word(below(3_000), 1),
      word(below(30_000), 2),
      word(below(500), 3),
      word(below(50_000), 4),
    ];
    const at = addSeconds(
      firstDay,
      isInOrder ? Math.floor((number / total) * threeYears) : (number * 740_737_387) % threeYears,
    );
    return {
      ...unknownContact,
      id: String((number * 740_737_387) % 4_294_967_296),
      name: `${capital(first)} ${capital(last)}`,
      email: `${first}.${last}${number % 100}@${host}.example`,
      phone: `+1 555 ${String(random.below(10_000_000)).padStart(7, '0')}`,
      company: `${capital(firm)} ${forms[number % forms.length]}`,
      job_title: titles[below(titles.length)] ?? null,
      created_at: formatTimestamp(at),
      updated_at: formatTimestamp(at),
      first,
      last,
    };
  };
}

/** What is asked, of people who are there. */
export const kinds: Record<string, (person: Person) => string> = {
  'one letter': ({ first }) => first.slice(0, 1),
  'a beginning': ({ last }) => last.slice(0, 4),
  'one word': ({ first }) => first,
  'two words': ({ first, last }) => `${first.slice(0, 3)} ${last.slice(0, 3)}`,
  'a frequent word': ({ job_title: title }) => title ?? 'ltd',
  'a rare word': ({ phone }) => phone?.slice(-7) ?? '',
  'an address': ({ email }) => email ?? '',
};
