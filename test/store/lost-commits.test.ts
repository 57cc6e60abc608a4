import { setImmediate as turn } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { updateContact } from '../../src/contacts/update.ts';
import type { Database } from '../../src/database/database.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { sql } from '../../src/database/sql.ts';
import { run, type RunOptions } from '../../src/operation.ts';
import { startProxy } from '../support/cut-connections.ts';
import { engines, type Place, postgresDatabase } from '../support/engines.ts';
import { aProject } from '../support/people.ts';
import { transact } from '../support/transactions.ts';

const unknown = {
  code: 'outcome_unknown',
  message: expect.stringMatching(/^The outcome is unknown: .*lost during COMMIT; look .*\.$/),
};

let place: Place;
let direct: Database;
beforeAll(async () => {
  place = await postgresDatabase();
  direct = openPostgres(place.url);
});
afterAll(async () => {
  await direct[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

/** A serving database with an empty table `t`, by way of a proxy; and a way past it. */
async function opened() {
  await direct.script('drop table if exists t; drop function if exists slow; create table t (n integer)');
  const proxy = await startProxy(place.url);
  const database = openPostgres(proxy.url, { serving: true });
  await database.all(sql`select n from t`);
  return {
    database,
    direct,
    proxy,
    rows: async () => (await direct.all<{ n: number }>(sql`select n from t order by n`)).map(({ n }) => n),
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

/** Until this process has read that a connection of its own was cut. */
async function isSeen(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await turn();
}

function insert(database: Database): Promise<unknown> {
  return database.transaction((connection) => connection.run(sql`insert into t values (1)`));
}

/** Makes COMMIT on `t` run this first. */
async function beforeCommit(database: Database, statement: string): Promise<void> {
  await database.script(`
    create function slow() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$;
    create constraint trigger slow after insert on t deferrable initially deferred for each row execute function slow()`);
}

describe('a transaction on PostgreSQL', () => {
  it('whose connection is lost before COMMIT is unavailable and not stored', async () => {
    await using at = await opened();
    const lost = at.database.transaction(async (connection) => {
      await connection.run(sql`insert into t values (1)`);
      at.proxy.cut();
      await isSeen();
    });
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    expect(await at.rows()).toEqual([]);
    await insert(at.database);
    expect(await at.rows()).toEqual([1]);
  });

  // To a caller the two are alike, which is why nobody may say that nothing was stored.
  it.each([
    ['cut before it arrives', []],
    ['cut before its answer', [1]],
    ['silent from then on', [1]],
  ] as const)('whose COMMIT is %s has an unknown outcome', async (fate, stored) => {
    await using at = await opened();
    at.proxy.on('commit', fate);
    await expect(insert(at.database)).rejects.toMatchObject(unknown);
    expect(await at.rows()).toEqual(stored);
  });

  it('whose session is ended by an administrator during COMMIT has an unknown outcome', async () => {
    await using at = await opened();
    await beforeCommit(at.direct, 'perform pg_terminate_backend(pg_backend_pid())');
    await expect(insert(at.database)).rejects.toMatchObject(unknown);
  });

  it.each([
    ['a warning, as where a standby was not waited for', "raise warning 'not replicated'", [1]],
    ['40003', "raise exception 'who knows' using errcode = '40003'", []],
    ['08007', "raise exception 'who knows' using errcode = '08007'", []],
  ])('whose COMMIT ends with %s has an unknown outcome', async (_end, statement, stored) => {
    await using at = await opened();
    await beforeCommit(at.direct, statement);
    const message = expect.stringMatching(/^The outcome is unknown: .* COMMIT .*; look .*\.$/);
    await expect(insert(at.database)).rejects.toMatchObject({ code: 'outcome_unknown', message });
    expect(await at.rows()).toEqual(stored);
  });

  it('whose COMMIT comes with a notice is stored, and that is known', async () => {
    await using at = await opened();
    await beforeCommit(
      at.direct,
      "raise notice 'by the way'; create table if not exists pg_temp.there (); create table if not exists pg_temp.there ()",
    );
    await insert(at.database);
    expect(await at.rows()).toEqual([1]);
  });

  it('whose COMMIT is refused is not stored, and that is known', async () => {
    await using at = await opened();
    await beforeCommit(at.direct, "raise exception 'no' using errcode = '53100'");
    await expect(insert(at.database)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await at.rows()).toEqual([]);
  });

  it('with a signal that is aborted during COMMIT is stored, and says so', async () => {
    await using at = await opened();
    const given = new AbortController();
    at.proxy.on('commit', () => given.abort());
    await transact(at.database, (connection) => connection.run(sql`insert into t values (1)`), given.signal);
    expect(given.signal.aborted).toBe(true);
    expect(await at.rows()).toEqual([1]);
  });

  it('that waits for a lock and is aborted is not stored', async () => {
    await using at = await opened();
    await at.direct.transaction(async (holder) => {
      await holder.script('lock table t in access exclusive mode');
      const given = new AbortController();
      at.proxy.on('insert into t', () => given.abort(new Error('given up')));
      const waiting = transact(at.database, (own) => own.run(sql`insert into t values (1)`), given.signal);
      await expect(waiting).rejects.toThrow('given up');
    });
    expect(await at.rows()).toEqual([]);
  });
});

describe('a statement that commits by itself', () => {
  it('has an unknown outcome when its answer is lost', async () => {
    await using at = await opened();
    at.proxy.on('insert into t', 'cut before its answer');
    await expect(at.database.run(sql`insert into t values (1)`)).rejects.toMatchObject(unknown);
  });

  it('is unavailable when it could not be sent', async () => {
    await using at = await opened();
    await at.proxy[Symbol.asyncDispose]();
    await isSeen();
    await expect(at.database.run(sql`insert into t values (1)`)).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await at.rows()).toEqual([]);
  });
});

describe('a write over a connection that is lost', () => {
  const withStore = async () => {
    const stack = new AsyncDisposableStack();
    const { url, store: own } = stack.use(await engines[1].open());
    const { projectId, chatbotId } = await aProject(own);
    const proxy = stack.use(await startProxy(url));
    const store = stack.use(storeOn(openPostgres(proxy.url, { serving: true })));
    const create = (more?: RunOptions) =>
      run(createContact, store, operator(projectId), { chatbotId, properties: { name: 'Ana' } }, more);
    const update = () =>
      run(updateContact, store, operator(projectId), { chatbotId, contactId: 'nobody', properties: { name: 'Bo' } });
    return { proxy, create, update, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  };

  it('in the middle of its transaction is unavailable, through however many hands it goes', async () => {
    await using at = await withStore();
    at.proxy.on('insert into contacts', 'cut before it arrives');
    const created = at.create({ idempotent: { keyHash: 'one', requestDigest: 'the same' } });
    await expect(created).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('while another one in its transaction is undone is unavailable, and not told of the other', async () => {
    await using at = await withStore();
    at.proxy.on('rollback to work', 'cut before it arrives');
    const [, created] = await Promise.allSettled([at.update(), at.create()]);
    expect(created).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  });
});
