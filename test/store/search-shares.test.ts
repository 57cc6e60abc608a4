import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { identityOf } from '../../src/database/sqlite/reader.ts';
import { openSearchThreads } from '../../src/database/sqlite/search-threads.ts';
import { migrate } from '../../src/database/upkeep/migrate.ts';
import { run } from '../../src/operation.ts';
import { type Place, postgresDatabase, sqliteFile, temporaryFolder } from '../support/engines.ts';
import { aContact, aProject } from '../support/people.ts';
import { askOf } from '../support/searches.ts';

const places: { engine: string; place: () => Promise<Place> }[] = [
  { engine: 'SQLite', place: async () => sqliteFile() },
  { engine: 'PostgreSQL', place: () => postgresDatabase() },
];

const words = 'ada bea cleo dora emil fay gus hal ivo jo'.split(' ');

async function serving(place: Place) {
  const database = await openDatabase(place.url, { serving: true });
  await migrate(database);
  const store = storeOn(database, { serving: true });
  const small = await aProject(store, { contacts: [aContact({ id: 'ana' })] });
  return { store, small, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

/** Each word is frequent, and nobody has all. */
const many = Array.from({ length: 3_000 }, (_, i) => {
  const name = words.filter((_word, place) => place !== i % words.length).join(' ');
  return aContact({ id: `p${i}`, name, email: null });
});

describe.each(places)('searches of a service on $engine', ({ place }) => {
  it('of one project wait for each other, and hold up neither searches of another nor its reads', async () => {
    await using own = await place();
    await using service = await serving(own);
    const { store, small } = service;
    const large = await aProject(store, { contacts: many });
    const [ask, askOther] = [askOf(store, large), askOf(store, small)];
    await Promise.all([ask({ query: 'ada' }), askOther({ query: 'ana' })]);
    let done = 0;
    const slow = Array.from({ length: 60 }, async () => {
      expect((await ask({ query: words.join(' ') })).ids).toEqual([]);
      done++;
    });
    const doneBefore = async (work: () => Promise<unknown>) => {
      await work();
      return done;
    };
    expect(await doneBefore(() => store.contacts.find(small.projectId, small.chatbotId, 'ana'))).toBeLessThan(15);
    expect(await doneBefore(() => askOther({ query: 'ana' }))).toBeLessThan(15);
    await Promise.all(slow);
  });

  it('find whoever was written before them', async () => {
    await using own = await place();
    await using service = await serving(own);
    const { store, small } = service;
    const { projectId, chatbotId } = small;
    for (let number = 0; number < 20; number++) {
      const properties = { name: `Bo${number}` };
      const { output } = await run(createContact, store, operator(projectId), { chatbotId, properties });
      expect((await askOf(store, small)({ query: `bo${number}` })).ids).toEqual([output.id]);
    }
  });

  it('of one project are unavailable where too many wait, and found again afterwards', async () => {
    await using own = await place();
    await using service = await serving(own);
    const ask = askOf(service.store, service.small);
    const answers = await Promise.allSettled(Array.from({ length: 300 }, () => ask({ query: 'ana' })));
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'unavailable' });
    expect((await ask({ query: 'ana' })).ids).toEqual(['ana']);
  });
});

describe('a thread that searches on SQLite', () => {
  const search = { words: ['ana'], order: 'newest', limit: 1 } as const;
  const unavailable = (message: RegExp) => ({ code: 'unavailable', message: expect.stringMatching(message) as string });

  it('that ends makes its search unavailable, and the next one has another', async () => {
    using folder = temporaryFolder();
    const endsOnce = `
      import { existsSync, writeFileSync } from 'node:fs';
      import { parentPort, workerData } from 'node:worker_threads';
      parentPort.on('message', (asked) => {
        if (asked === null) return process.exit();
        if (existsSync(workerData[0])) return parentPort.postMessage({ rows: [] });
        writeFileSync(workerData[0], '');
        throw new Error();
      });`;
    const entry = new URL(`data:text/javascript,${encodeURIComponent(endsOnce)}`);
    await using threads = openSearchThreads([join(folder.path, 'ended'), 0], entry);
    await expect(threads.search('acme', search, false)).rejects.toMatchObject(unavailable(/worker thread failed/));
    expect(await threads.search('acme', search, false)).toEqual([]);
  });

  it('reports a file that is gone or was replaced as the connection of the service does', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'roster.db');
    {
      await using threads = openSearchThreads([path, 0]);
      await expect(threads.search('acme', search, false)).rejects.toMatchObject(unavailable(/cannot be opened/));
    }
    await using database = await openDatabase(`sqlite:${path}`);
    await migrate(database);
    const [file, inode] = identityOf(path);
    await using threads = openSearchThreads([file, inode + 1]);
    await expect(threads.search('acme', search, false)).rejects.toMatchObject(unavailable(/was replaced/));
  });
});
