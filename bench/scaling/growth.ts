import { statSync } from 'node:fs';
import { join } from 'node:path';

import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { administer } from '../../test/support/postgres.ts';
import { grow, prepare } from '../dataset.ts';
import { placeOf } from '../people.ts';
import { lookUp, shown } from './look-up.ts';

/** What a look-up and a stored contact cost as their number grows, on both engines. */
export async function measureGrowth(url: string, folder: string, sizes: number[]): Promise<void> {
  const path = join(folder, 'roster.db');
  await using sqlite = await openDatabase(`sqlite:${path}`);
  await using postgres = await openDatabase(url, { serving: true });
  await using loader = await openDatabase(url);
  await prepare(sqlite);
  await prepare(loader);
  let before = 0;
  for (const n of sizes) {
    for (const [engine, database, from] of [
      ['SQLite', sqlite, sqlite],
      ['PostgreSQL', postgres, loader],
    ] as const) {
      await grow(from, before + 1, n);
      const store = storeOn(database);
      const found = await lookUp(engine === 'SQLite' ? 1 : 8, n, (i) => store.contacts.find(...placeOf(i)));
      const bytes =
        engine === 'SQLite'
          ? statSync(path).size
          : Number((await administer(url, "select pg_total_relation_size('contacts') as size"))[0]?.['size']);
      console.log(`${engine} | ${n} | ${shown(found)} | ${Math.round(bytes / n)} B a contact`);
    }
    before = n;
  }
}
