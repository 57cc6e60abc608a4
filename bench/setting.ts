import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { operator } from '../src/actor.ts';
import { createApiKey } from '../src/api-keys/create.ts';
import { takeOverChatbot } from '../src/chatbots/create.ts';
import type { StoredContact } from '../src/contacts/contact.ts';
import type { Draft } from '../src/contacts/draft.ts';
import { importContacts } from '../src/contacts/import.ts';
import { openDatabase, storeOn } from '../src/database/open-store.ts';
import { migrate } from '../src/database/upkeep/migrate.ts';
import { mirrored } from '../src/imports.ts';
import { run } from '../src/operation.ts';
import { createProject } from '../src/projects/create.ts';
import type { Store } from '../src/store.ts';
import { administer, startPostgres } from '../test/support/postgres.ts';
import { type Bench, chatbot, type Engine, type Growth, projects, read, type Setting } from './bench.ts';
import { importFile } from './commands.ts';
import { measure } from './load.ts';
import { headings, personOf, writePeople } from './people.ts';
import { memoryOf, startRoster } from './processes.ts';

/** Projects with a chatbot, a key and some people each; then imports into the first, until it has as many as it shall. */
export async function makeSetting(bench: Omit<Bench, 'setting'>, engine: Engine): Promise<Setting> {
  const { folder, open, size } = bench;
  const url =
    engine === 'SQLite' ? `sqlite:${join(folder, 'roster.db')}` : open.use(await startPostgres(200, true)).url;
  const tokens = await prepare(url, size.peopleOfProject);
  const growth: Growth[] = [];
  const file = join(folder, 'people.csv');
  for (const people of size.growth) {
    const before = growth.at(-1) ?? { people: 0, secondsInAll: 0 };
    bench.say(`${engine}: import up to ${people} people`);
    await writePeople(file, before.people + 1, people);
    const created = people - before.people;
    const { seconds, peakMiB } = await importFile({ url }, ['bench-0', chatbot], file, { created });
    await rm(file);
    await settle(url);
    const disk = await diskOf(url);
    growth.push({
      engine,
      people,
      rowsPerSecond: created / seconds,
      secondsInAll: before.secondsInAll + seconds,
      importPeakMiB: peakMiB,
      diskMiB: disk / 2 ** 20,
      bytesOfPerson: disk / (people + (projects - 1) * size.peopleOfProject),
      ...(await served(url, tokens, people, size.seconds)),
    });
  }
  return { engine, url, tokens, people: size.growth.at(-1) ?? 0, growth };
}

async function prepare(url: string, people: number): Promise<string[]> {
  await using database = await openDatabase(url);
  await migrate(database);
  const store = storeOn(database);
  const tokens: string[] = [];
  for (let i = 0; i < projects; i++) {
    const actor = operator(`bench-${i}`);
    await run(createProject, store, actor, { name: `Bench ${i}` });
    await run(takeOverChatbot, store, actor, { name: 'Desk', id: chatbot });
    const { output } = await run(createApiKey, store, actor, {
      name: 'bench',
      scopes: ['contacts:read', 'contacts:write'],
    });
    tokens.push(output.token);
    if (i > 0) await addPeople(store, `bench-${i}`, people);
  }
  return tokens;
}

async function addPeople(store: Store, projectId: string, people: number): Promise<void> {
  const rows = Array.from({ length: people }, (_, i) => {
    const person = personOf(i + 1);
    return { texts: Object.fromEntries(headings.map((heading) => [heading, person[heading]])) };
  });
  await run(importContacts, store, operator(projectId), {
    ...mirrored<Draft, StoredContact>(rows),
    chatbotId: chatbot,
  });
}

/** What the jobs of a service and of PostgreSQL do within a minute or two. */
async function settle(url: string): Promise<void> {
  if (url.startsWith('postgres:')) await administer(url, 'vacuum analyze', 'checkpoint');
  else {
    await using database = await openDatabase(url);
    await Array.fromAsync(storeOn(database).upkeep.mergeIndex());
  }
}

async function diskOf(url: string): Promise<number> {
  return url.startsWith('sqlite:')
    ? statSync(url.slice('sqlite:'.length)).size
    : Number((await administer(url, 'select pg_database_size(current_database()) as bytes'))[0]?.['bytes']);
}

async function served(url: string, tokens: readonly string[], people: number, seconds: number) {
  await using server = await startRoster(url);
  const load = { address: server.address, connections: 64, ...read, tokens: tokens.slice(0, 1), people };
  await measure([server.pid], { ...load, seconds });
  const { cpuMicros } = await measure([server.pid], { ...load, seconds });
  return { serviceMiB: memoryOf(server.pid), readCpuMicros: cpuMicros };
}
