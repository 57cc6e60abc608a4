import { somebody } from '../../test/support/many-scripts.ts';
import type { seededRandom } from '../../test/support/random.ts';
import type { Person } from '../../test/support/search-reference.ts';

export type Random = ReturnType<typeof seededRandom>;

/** Somebody with a number that is the same on both engines, where the id may be the program's choice. */
export interface Known extends Person {
  readonly number: number;
}

/** The fields that a write can set, so without the id and the time of creation. */
export type Details = Omit<Person, 'id' | 'created_at'>;

/** Lists sort ids by their bytes; alphabetical or UTF-16 order would sort these differently. */
const beginnings = ['', 'Z', 'a', 'ü', '静', '～', '\u{1F600}', "' or 1=1 --"];

export function aPerson(random: Random, number: number): Known {
  const id = `${random.pick(beginnings)}${random.below(1e9).toString(36)}-${number}`;
  return { ...somebody(random, id), number };
}

/** Some random new details; the external id stays, as it is unique. */
export function otherDetails(random: Random): Partial<Details> {
  const { name, email, phone, company, job_title, tags } = somebody(random, 'other');
  const all = { name, email, phone, company, job_title, tags };
  // A name stays: nobody may be left without anything.
  const chosen = Object.entries(all).filter(([key]) => key === 'name' || random.below(2) === 0);
  return Object.fromEntries(chosen);
}

export function detailsOf({ name, email, phone, company, job_title, external_id, tags }: Person): Details {
  return { name, email, phone, company, job_title, external_id, tags };
}

const columns = 'id,name,email,phone,company,job_title,external_id,tags,created_at'.split(',') as (keyof Person)[];

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

export function toCsv(people: readonly Person[]): string {
  const rows = people.map((one) => columns.map((column) => cell(String(one[column] ?? ''))).join());
  return [columns.join(), ...rows].join('\n');
}
