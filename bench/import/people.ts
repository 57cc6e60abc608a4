import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** What the columns of the files are called. */
export const headings = ['name', 'email', 'job_title', 'phone', 'website', 'company', 'created_at'] as const;

const names = ['Ana', 'Björn', 'Chidi', 'Dilek', 'Émile', 'Fatima', 'Gus', 'Hana'];
const families = ['Keller', "O'Brien", 'Nakamura', 'Silva', 'Şahin', 'Novák', 'Haddad', 'Larsen'];
const titles = ['Engineer', 'Head of Purchasing', 'Nurse', 'Owner', 'Vice President, Sales'];
const companies = ['Example Ltd', 'Keller "K" GmbH', 'North, South & Sons', 'Silva SA'];

function oneOf(list: readonly string[], i: number): string {
  return list[i % list.length] ?? '';
}

/** Whether the file is in the order of its addresses, which an index likes best, or in none, as in life. */
export type Order = 'in order' | 'in no order';

/** Made-up person number `i`, in the order of `headings`. */
export function personOf(i: number, order: Order): string[] {
  const place = order === 'in order' ? i : (i * 740_737_387) % 4_294_967_296;
  const minute = String(i % 60).padStart(2, '0');
  const second = String((i >> 6) % 60).padStart(2, '0');
  return [
    `${oneOf(names, i)} ${oneOf(families, i >> 3)}`,
    `person${String(place).padStart(10, '0')}@example.com`,
    oneOf(titles, i >> 1),
    `+1 555 01${String(i % 100).padStart(2, '0')}`,
    `https://www.example.com/people/${i}`,
    oneOf(companies, i >> 2),
    `2024-06-08T13:${minute}:${second}+00:00`,
  ];
}

const linesAtOnce = 10_000;

/** Writes people 1 to `n`; returns how long the file is after each `step` of them, in bytes. */
export async function writePeople(
  path: string,
  { format, n, order, step = n }: { format: 'csv' | 'ndjson'; n: number; order: Order; step?: number },
): Promise<number[]> {
  const lengths: number[] = [];
  let length = 0;
  const text = async function* () {
    let lines = format === 'csv' ? `${headings.join(',')}\n` : '';
    for (let i = 1; i <= n; i++) {
      const person = personOf(i, order);
      lines += format === 'csv' ? csvLine(person) : ndjsonLine(person);
      if (i % linesAtOnce !== 0 && i % step !== 0 && i !== n) continue;
      length += Buffer.byteLength(lines);
      if (i % step === 0 || i === n) lengths.push(length);
      yield lines;
      lines = '';
    }
  };
  await pipeline(text, createWriteStream(path));
  return lengths;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}

function ndjsonLine(cells: readonly string[]): string {
  return `${JSON.stringify(Object.fromEntries(headings.map((heading, index) => [heading, cells[index]])))}\n`;
}
