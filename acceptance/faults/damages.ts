import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import type { seededRandom } from '../../test/support/random.ts';

const pageBytes = 4_096;
const sectorBytes = 512;

/** A file that is no database of ours, or no longer, and what is said of it. */
export interface Unusable {
  name: string;
  make: (file: string, good: Buffer) => void;
  says: RegExp;
}

export const unusable: Unusable[] = [
  { name: 'an empty file', make: (file) => writeFileSync(file, ''), says: /is empty; restore/ },
  {
    name: 'a file cut off in a page',
    make: (file, good) => {
      writeFileSync(file, good);
      truncateSync(file, Math.floor(good.length / 2) + 100);
    },
    says: /damaged; restore/,
  },
  {
    name: 'a file cut off between pages',
    make: (file, good) => writeFileSync(file, good.subarray(0, Math.floor(good.length / 2 / pageBytes) * pageBytes)),
    says: /damaged; restore/,
  },
  {
    name: 'a file without its first sector',
    make: (file, good) => writeFileSync(file, Buffer.from(good).fill(0, 0, sectorBytes)),
    says: /beginning is lost; set DATABASE_URL/,
  },
  {
    name: 'a file whose schema is lost',
    make: (file, good) => writeFileSync(file, Buffer.from(good).fill(0, 100, pageBytes)),
    says: /damaged; restore/,
  },
  {
    name: 'a letter',
    make: (file) => writeFileSync(file, 'Dear reader, this is no database. '.repeat(200)),
    says: /not a SQLite database/,
  },
  {
    name: 'a database of another program',
    make: (file) => withDatabase(file, 'create table theirs (id text)'),
    says: /not one of Roster; set DATABASE_URL/,
  },
  {
    name: 'a newer schema',
    make: (file, good) => {
      writeFileSync(file, good);
      withDatabase(file, `insert into schema_migrations values ('9999-more', 'x', '2030-01-01T00:00:00+00:00')`);
    },
    says: /newer than this program.*; start the newer/,
  },
  { name: 'a folder', make: (file) => mkdirSync(file), says: /is a folder; set DATABASE_URL/ },
];

type Random = ReturnType<typeof seededRandom>;

/** What becomes of a file; where, for who wants to try it again. */
export const damages: Record<string, (bytes: Buffer, good: Buffer, random: Random) => string> = {
  'a page of zeros': (bytes, _, random) => {
    const page = pageBehindFirst(bytes, random);
    bytes.fill(0, page * pageBytes, (page + 1) * pageBytes);
    return `${page}`;
  },
  'a page of noise': (bytes, _, random) => {
    const page = pageBehindFirst(bytes, random);
    for (let at = page * pageBytes; at < (page + 1) * pageBytes; at++) bytes[at] = random.below(256);
    return `${page}`;
  },
  'a sector of zeros': (bytes, _, random) => {
    const sector = (pageBehindFirst(bytes, random) * pageBytes) / sectorBytes + random.below(pageBytes / sectorBytes);
    bytes.fill(0, sector * sectorBytes, (sector + 1) * sectorBytes);
    return `${sector}`;
  },
  'two pages exchanged': (bytes, good, random) => {
    const [one, other] = [pageBehindFirst(bytes, random), pageBehindFirst(bytes, random)];
    good.copy(bytes, one * pageBytes, other * pageBytes, (other + 1) * pageBytes);
    good.copy(bytes, other * pageBytes, one * pageBytes, (one + 1) * pageBytes);
    return `${one} and ${other}`;
  },
};

function pageBehindFirst(bytes: Buffer, random: Random): number {
  return 1 + random.below(bytes.length / pageBytes - 1);
}

function withDatabase(file: string, text: string): void {
  const db = new DatabaseSync(file);
  db.exec(text);
  db.close();
}
