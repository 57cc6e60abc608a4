import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import type { Draft } from '../../src/contacts/draft.ts';
import { importContacts } from '../../src/contacts/import.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { mirrored } from '../../src/imports.ts';
import { run } from '../../src/operation.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { seededRandom } from '../../test/support/random.ts';
import { chatbot, prepare } from '../writes/setting.ts';
import { roster, sqliteIn, timed } from '../writes/trial.ts';
import { kinds, madeUpPeople, type Person } from './people.ts';

interface Options {
  contacts: number;
  /** Whether the contacts come in the order of their creation, as to a service, or in none, as from a file. */
  isInOrder: boolean;
  folder: string;
}

export type SearchFigures = Awaited<ReturnType<typeof measureSearch>>;

const questionsOfKind = 500;
const batch = 1_000;
const otherProject = 'other';

/** Milliseconds of a search over HTTP, one after the other; 70 % of the contacts are in the chatbot that is asked. */
export async function measureSearch({ contacts, isInOrder, folder }: Options) {
  await using postgres = await startPostgres(200);
  const measured = [];
  for (const [engine, url] of [
    ['SQLite', sqliteIn(folder, 'search.db')],
    ['PostgreSQL', postgres.url],
  ] as const) {
    const token = await prepare(url);
    await prepare(url, otherProject);
    const { people, rowsPerSecond, bytesOfContact } = await fill(url, contacts, isInOrder);
    await using serving = await roster(url);
    const path = `/v2/chatbots/${chatbot}/contacts/search`;
    for (const [kind, queryOf] of Object.entries(kinds)) {
      const times: number[] = [];
      for (const person of people) times.push(await timed(serving.address, token, path, { query: queryOf(person) }));
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
      measured.push({ engine, contacts, kind, p50: at(0.5), p99: at(0.99), rowsPerSecond, bytesOfContact });
      console.error(`${engine}, ${kind}: ${at(0.5).toFixed(1)}, ${at(0.99).toFixed(1)} ms`);
    }
  }
  return measured;
}

/** Imports people in batches; returns some of those who can be found. */
export async function fill(url: string, contacts: number, isInOrder: boolean) {
  await using database = await openDatabase(url, { writesMany: true });
  const store = storeOn(database);
  const make = madeUpPeople(16, contacts, isInOrder);
  const random = seededRandom(17);
  const people: Person[] = [];
  const startedAt = performance.now();
  for (let from = 0; from < contacts; from += batch) {
    const isHere = (from / batch) % 10 < 7;
    const some = Array.from({ length: batch }, (_, i) => make(from + i));
    if (isHere && people.length < questionsOfKind) people.push(random.pick(some), random.pick(some));
    const input = { ...mirrored<Draft, StoredContact>(some.map((texts) => ({ texts }))), chatbotId: chatbot };
    await run(importContacts, store, operator(isHere ? 'acme' : otherProject), input);
  }
  const rowsPerSecond = (contacts * 1_000) / (performance.now() - startedAt);
  if (database.engine === 'postgres') await database.script('vacuum analyze contacts');
  // As the job of a service does within a minute.
  else await Array.fromAsync(store.upkeep.mergeIndex());
  const bytesOfContact = (await indexBytes(database)) / contacts;
  console.error(
    `${database.engine}: ${Math.round(rowsPerSecond)} rows a second, ${bytesOfContact.toFixed(0)} bytes each`,
  );
  return { people, rowsPerSecond, bytesOfContact };
}

async function indexBytes(database: Database): Promise<number> {
  const text =
    database.engine === 'postgres'
      ? `select pg_relation_size('contacts_by_words') as bytes`
      : `select sum(pgsize) as bytes from dbstat where name like 'contact_words%'`;
  return Number((await database.first<{ bytes: number }>({ pieces: [text], values: [] }))?.bytes);
}
