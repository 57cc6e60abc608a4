import { describe, expect, it } from 'vitest';

import { migrate, readMigrations } from '../../src/database/migrate.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { openSqlite } from '../../src/database/sqlite/sqlite.ts';
import { engines, postgresDatabase } from '../support/engines.ts';
import { addressOf, asOwner, everybody } from '../support/members.ts';
import { aProject, storeMembers } from '../support/people.ts';

/** Databases of the version before, by engine. */
const before = [
  {
    engine: 'SQLite',
    open: async () => {
      const database = openSqlite(':memory:');
      await migrate(database, readMigrations('sqlite').slice(0, 1));
      return { database, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
    },
  },
  {
    engine: 'PostgreSQL',
    open: async () => {
      const place = await postgresDatabase('template0');
      const database = await openDatabase(place.url);
      await migrate(database, readMigrations('postgres').slice(0, 1));
      const close = async () => {
        await database[Symbol.asyncDispose]();
        await place[Symbol.asyncDispose]();
      };
      return { database, [Symbol.asyncDispose]: close };
    },
  },
];

/** What it left behind: the third became the Owner, and others were removed by hand. */
const left = `
  insert into projects (id, name, created_at) values ('acme', 'Acme', ''), ('zeta', 'Zeta', ''), ('none', 'None', '');
  insert into members (project_id, position, email, email_key, status, roles) values
    ${[0, 1, 2, 4, 7, 1_000, 2_000_000]
      .map((position) => {
        const email = addressOf(position);
        return `('acme', ${position}, '${email}', '${email}', 'Active', '${position === 0 ? 'Owner' : 'Admin'}')`;
      })
      .join()},
    ('zeta', 9, 'b@example.com', 'b@example.com', 'Active', 'Admin'),
    ('zeta', 12, 'a@example.com', 'a@example.com', 'Active', 'Admin');`;

describe.each(before)('a database of the version before on $engine', ({ open }) => {
  it('is numbered without gaps, in the same order, and goes on so', async () => {
    await using opened = await open();
    await opened.database.script(left);
    expect(await migrate(opened.database)).toEqual(['0002-dense-members']);
    const store = storeOn(opened.database);
    const emails = [0, 1, 2, 4, 7, 1_000, 2_000_000].map(addressOf);
    for (const limit of [1, 3, 100]) {
      expect(await everybody(store, 'acme', limit)).toEqual(emails);
      expect(await everybody(store, 'zeta', limit)).toEqual(['b@example.com', 'a@example.com']);
      expect(await everybody(store, 'none', limit)).toEqual([]);
    }
    expect(await store.listProjectsWithGaps()).toEqual([]);
    const noted = await opened.database.all({
      pieces: ['select id from projects where members_have_gaps = 1'],
      values: [],
    });
    expect(noted).toEqual([]);
    await storeMembers(store, 'zeta', [asOwner(3)]);
    expect(await everybody(store, 'zeta', 2)).toEqual([addressOf(3), 'b@example.com', 'a@example.com']);
  });

  it('is still written and read by that version', async () => {
    await using opened = await open();
    await opened.database.script(left);
    await migrate(opened.database);
    await opened.database.script(`
      insert into projects (id, name, created_at) values ('late', 'Late', '');
      insert into members (project_id, position, email, email_key, status, roles) values (
        'acme', (select coalesce(max(position), 0) + 1 from members where project_id = 'acme'),
        'late@example.com', 'late@example.com', 'Active', 'Agent')`);
    const page = await opened.database.all<{ email: string }>({
      pieces: [
        "select email, status, roles from members where project_id = 'acme' and 1 = 1 order by position limit 3 offset 5",
      ],
      values: [],
    });
    expect(page.map(({ email }) => email)).toEqual([
      addressOf(1_000),
      addressOf(2_000_000),
      'late@example.com',
    ]);
    expect(await storeOn(opened.database).listProjectsWithGaps()).toEqual([]);
  });
});

describe.each(engines.slice(1))('the operator on $engine', ({ open }) => {
  it('is told of gaps that nobody noted, whose pages are wrong', async () => {
    await using opened = await open();
    await aProject(opened.store, { id: 'whole', members: [asOwner(1)] });
    await aProject(opened.store, { id: 'acme', members: [asOwner(1)] });
    await opened.database.script(`
      insert into members values ('acme', 5, 'm5@example.com', 'm5@example.com', 'Active', 'Agent');
      update projects set members_have_gaps = 0`);
    expect(await opened.store.listProjectsWithGaps()).toEqual([{ id: 'acme', isNoted: false }]);
  });
});
