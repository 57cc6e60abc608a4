import type { EventEmitter } from 'node:events';

import { Client, type QueryResult } from 'pg';
import { describe, expect, it } from 'vitest';

import { NamedQuery } from '../../src/database/postgres/named-query.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { sql } from '../../src/database/sql.ts';
import { engines, postgresDatabase } from '../support/engines.ts';
import { aSession } from '../support/postgres.ts';

async function opened() {
  const place = await postgresDatabase();
  const client = new Client({ connectionString: place.url, pipeline: true });
  await client.connect();
  let descriptions = 0;
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.on('rowDescription', () => descriptions++);
  const ask = (name: string, text: string, values: unknown[] = []) =>
    new Promise<QueryResult>((resolve, reject) => {
      const done = (error: Error | undefined, result: QueryResult) => (error ? reject(error) : resolve(result));
      client.query(new NamedQuery(name, text, values, done));
    });
  return {
    ask,
    descriptions: () => descriptions,
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await place[Symbol.asyncDispose]();
    },
  };
}

describe('the answers of a named statement', () => {
  it('have the same columns and types as the first, which alone describes them', async () => {
    await using at = await opened();
    const people = "select * from (values ('a', 1, null), ('b', null, 'Bo')) as p (id, total, name) where id = $1";
    const [a, b] = [
      { id: 'a', total: 1, name: null },
      { id: 'b', total: null, name: 'Bo' },
    ];
    expect((await at.ask('people', people, ['a'])).rows).toEqual([a]);
    const together = await Promise.all(['b', 'c', 'a'].map((id) => at.ask('people', people, [id])));
    expect(together.map(({ rows }) => rows)).toEqual([[b], [], [a]]);
    expect(at.descriptions()).toBe(1);
    expect((await at.ask('count', 'select count(*) as n from contacts')).rows).toEqual([{ n: 0 }]);
    expect(at.descriptions()).toBe(2);
  });

  it('are not mixed up while many are under way before the first is there', async () => {
    await using at = await opened();
    const asked = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0
        ? at.ask('even', 'select $1::int as even', [i])
        : at.ask('odd', 'select $1::text as odd, true as is_odd', [i]),
    );
    const rows = (await Promise.all(asked)).map((one) => one.rows);
    expect(rows).toEqual(rows.map((_, i) => [i % 2 === 0 ? { even: i } : { odd: String(i), is_odd: true }]));
  });

  it('tell the number of rows that a statement without columns has changed, each time', async () => {
    await using at = await opened();
    await at.ask('make', 'create temporary table things (id int)');
    const counts = [];
    for (const n of [3, 5, 0]) {
      counts.push((await at.ask('add', 'insert into things select generate_series(1, $1::int)', [n])).rowCount);
    }
    expect(counts).toEqual([3, 5, 0]);
  });

  it('come after one that failed', async () => {
    await using at = await opened();
    const divided = (by: number) => at.ask('divide', 'select 6 / $1::int as n', [by]);
    await expect(divided(0)).rejects.toMatchObject({ code: '22012' });
    expect((await divided(2)).rows).toEqual([{ n: 3 }]);
    await expect(divided(0)).rejects.toMatchObject({ code: '22012' });
    expect((await divided(3)).rows).toEqual([{ n: 2 }]);
  });
});

it('a column that gets another type under a running process is read as what it is now, after one refusal', async () => {
  await using own = await engines[1].openOwn();
  await using session = await aSession(own.url);
  await session.query('create table things (id text, size int)', "insert into things values ('a', 1)");
  await using database = openPostgres(own.url, { serving: true });
  const ask = () => database.first(sql`select size from things where id = ${'a'}`);
  expect([await ask(), await ask()]).toEqual([{ size: 1 }, { size: 1 }]);
  await session.query("alter table things alter column size type text using size || ' m'");
  await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
  expect([await ask(), await ask()]).toEqual([{ size: '1 m' }, { size: '1 m' }]);
});
