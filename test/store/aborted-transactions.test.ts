import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { Database, Transaction } from '../../src/database/database.ts';
import { sql } from '../../src/database/sql.ts';
import { engines } from '../support/engines.ts';
import { transact } from '../support/transactions.ts';

/** The connections that PostgreSQL lends; SQLite has one. */
const turns = 4;

function insert(id: string) {
  return sql`insert into projects (id, name, created_at) values (${id}, ${id}, '2026-01-01T00:00:00+00:00')`;
}

function longInsertion(): Parameters<Database['insertAll']> {
  const columns = ['id', 'name', 'created_at'];
  const rows = Array.from({ length: 20_000 }, (_, n) => [`long ${n}`, 'long', '2026-01-01T00:00:00+00:00']);
  return [{ into: 'projects', columns, foundBy: [], ending: sql`` }, rows];
}

async function projects(database: Database): Promise<string[]> {
  return (await database.all<{ id: string }>(sql`select id from projects order by id`)).map(({ id }) => id);
}

describe.each(engines)('a transaction on $engine', ({ open }) => {
  it('that is aborted during slow work stores nothing, and frees its place', async () => {
    await using opened = await open();
    const { database } = opened;
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: late, resolve: setLate } = Promise.withResolvers<PromiseSettledResult<number>[]>();
    const controller = new AbortController();
    const work = async (connection: Transaction) => {
      await connection.run(insert('early'));
      controller.abort(new Error('given up'));
      await gate;
      setLate(await Promise.allSettled([connection.run(insert('late'))]));
    };
    const slow = transact(database, work, controller.signal);
    await expect(slow).rejects.toThrow('given up');
    await database.transaction((connection) => connection.run(insert('next')));
    // Work that goes on has no transaction any more, nor somebody else's.
    goOn();
    expect(await late).toMatchObject([{ status: 'rejected' }]);
    expect(await projects(database)).toEqual(['next']);
  });

  it('that is aborted while it waits for its turn ends at once, and never begins', async () => {
    await using opened = await open();
    const { database } = opened;
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    const holders = Array.from({ length: turns }, (_, n) =>
      database.transaction(async (connection) => {
        await gate;
        await connection.run(insert(`holder ${n}`));
      }),
    );
    let hasBegun = false;
    const waiting = transact(database, async () => void (hasBegun = true), AbortSignal.timeout(50));
    await expect(waiting).rejects.toThrow('timeout');
    const after = database.transaction((connection) => connection.run(insert('after')));
    goOn();
    await Promise.all([...holders, after]);
    expect(hasBegun).toBe(false);
    expect(await projects(database)).toHaveLength(turns + 1);
  });

  it('that undoes a long insertion goes on without any of its rows', async () => {
    await using opened = await open();
    await opened.database.transaction(async (connection) => {
      const savepoint = connection.savepoint();
      const inserting = connection.insertAll(...longInsertion()).catch(() => 'refused');
      await nextTurn();
      await savepoint.undo(new Error('given up'));
      await connection.run(insert('next'));
      expect(await inserting).toBe('refused');
    });
    expect(await projects(opened.database)).toEqual(['next']);
  });

  it('that fails during a long insertion stores nothing, then or later', async () => {
    await using opened = await open();
    let inserting: Promise<unknown> | undefined;
    const failing = opened.database.transaction(async (connection) => {
      inserting = connection.insertAll(...longInsertion()).catch(() => 'refused');
      await nextTurn();
      throw new Error('given up');
    });
    await expect(failing).rejects.toThrow('given up');
    await opened.database.transaction((connection) => connection.run(insert('next')));
    expect(await inserting).toBe('refused');
    expect(await projects(opened.database)).toEqual(['next']);
  });

  it('that was aborted before ends with the reason', async () => {
    await using opened = await open();
    const reason = new Error('given up');
    const given = AbortSignal.abort(reason);
    const work = transact(opened.database, (connection) => connection.run(insert('one')), given);
    await expect(work).rejects.toBe(reason);
    expect(await projects(opened.database)).toEqual([]);
  });
});
