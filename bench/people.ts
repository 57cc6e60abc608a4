import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** The columns of the files that are imported. */
export const headings = ['id', 'name', 'email', 'job_title', 'phone', 'website', 'company', 'created_at'] as const;

export type Person = Record<(typeof headings)[number], string> & { first: string; last: string };

const syllables = 'an be ca do el fer gi ho in jo ka lu mar na ol pe qui ro sa ti ul vi wa xe ya zo'.split(' ');
const titles = ['Engineer', 'Assistant', 'Manager', 'Head of Sales', 'Director', 'CEO'];
const forms = ['Ltd', 'GmbH', 'Inc', 'SA'];
const firstDay = Date.parse('2023-01-01T00:00:00Z');

/** The id of person number `i`: in no order, as ids come from elsewhere. */
export function idOf(i: number): string {
  return String((i * 740_737_387) % 4_294_967_296);
}

/** Made-up person number `i`, the same each time. Some names are far more frequent than others, as in life. */
export function personOf(i: number): Person {
  const [first, last] = [word(below(3_000, i, 1), 1), word(below(30_000, i, 2), 2)];
  return {
    id: idOf(i),
    name: `${capital(first)} ${capital(last)}`,
    email: `${first}.${last}.${i}@${word(below(500, i, 3), 3)}.example`,
    job_title: titles[below(titles.length, i, 4)] ?? '',
    phone: `+1 555 ${String(scattered(i, 5) % 10_000_000).padStart(7, '0')}`,
    website: `https://example.com/${i}`,
    company: `${capital(word(below(50_000, i, 6), 4))} ${forms[i % forms.length]}`,
    created_at: new Date(firstDay + i * 90_000).toISOString().replace('.000Z', '+00:00'),
    first,
    last,
  };
}

/** Writes people number `from` to `to` as CSV. */
export async function writePeople(path: string, from: number, to: number): Promise<void> {
  await pipeline(function* () {
    let text = `${headings.join(',')}\n`;
    for (let i = from; i <= to; i++) {
      const person = personOf(i);
      text += `${headings.map((heading) => person[heading]).join(',')}\n`;
      if (i % 5_000 !== 0 && i !== to) continue;
      yield text;
      text = '';
    }
  }, createWriteStream(path));
}

/** A number that looks random, below 2 ** 32. */
function scattered(i: number, kind: number): number {
  let value = Math.imul(i ^ (kind << 24), 0x9e_37_79_b1);
  value = Math.imul(value ^ (value >>> 15), 0x85_eb_ca_6b);
  return (value ^ (value >>> 13)) >>> 0;
}

/** A whole number below `limit`; small ones are the most frequent. */
function below(limit: number, i: number, kind: number): number {
  return Math.floor(limit ** (scattered(i, kind) / 2 ** 32)) - 1;
}

function word(number: number, kind: number): string {
  let rest = number * 7_919 + kind * 104_729;
  const parts = Array.from({ length: 2 + (number % 3) }, () => {
    const part = syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length) + 31;
    return part;
  });
  return parts.join('');
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
