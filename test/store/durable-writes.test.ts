import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import type { Transaction } from '../../src/database/database.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { openSqlite } from '../../src/database/sqlite/sqlite.ts';
import { writerOn } from '../../src/database/sqlite/writer.ts';
import { migrate } from '../../src/database/upkeep/migrate.ts';
import { temporaryFolder } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { createProject } from '../support/people.ts';
import { countSyncs, holdSyncs, makeUnsyncable } from '../support/syncs.ts';
import { transact } from '../support/transactions.ts';

/** A database with an empty table `t`. */
async function opened(options: Parameters<typeof openSqlite>[1] = { serving: true }) {
  const folder = temporaryFolder();
  const path = join(folder.path, 'roster.db');
  {
    await using made = openSqlite(path);
    await migrate(made);
    await made.script('create table t (n integer)');
  }
  const database = openSqlite(path, options);
  const insert = (n: number, given?: AbortSignal) => {
    const work = async (connection: Transaction) => void (await connection.run(sql`insert into t values (${n})`));
    return given ? transact(database, work, given) : database.transaction(work);
  };
  let closed: Promise<void> | undefined;
  const close = async () => (closed ??= Promise.resolve(database[Symbol.asyncDispose]()));
  return {
    path,
    close,
    log: `${path}-wal`,
    database,
    insert,
    rows: async () => (await database.all<{ n: number }>(sql`select n from t order by n`)).map(({ n }) => n),
    [Symbol.asyncDispose]: async () => {
      await close();
      folder[Symbol.dispose]();
    },
  };
}

/** `pending` until it settles, then `done` or the code of its error. */
function outcome(work: Promise<unknown>): () => string {
  let now = 'pending';
  work.then(
    () => (now = 'done'),
    (error: { code?: string; message: string }) => (now = error.code ?? error.message),
  );
  return () => now;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

const turn = () => new Promise(setImmediate);

/** Another process that has the write lock until it is told to end. */
async function lockedElsewhere(path: string) {
  const text = `const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
    db.exec('begin immediate'); console.log('locked'); process.stdin.once('data', () => process.exit())`;
  const child = spawn(process.execPath, ['-e', text], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    end: async () => {
      child.stdin.write('end');
      await ended;
    },
  };
}

describe('a write of a service on SQLite', () => {
  it('is acknowledged only after a sync that began after its commit', async () => {
    using syncs = holdSyncs();
    await using at = await opened();
    const first = outcome(at.insert(1));
    await expect.poll(syncs.begun).toBe(1);
    const second = outcome(at.insert(2));
    const third = outcome(at.database.run(sql`insert into t values (3)`));
    await turn();
    // Both have committed while the first sync was under way, which says nothing of them.
    expect(await at.rows()).toEqual([1, 2, 3]);
    syncs.end();
    await expect.poll(syncs.begun).toBe(2);
    expect([first(), second(), third()]).toEqual(['done', 'pending', 'pending']);
    syncs.end();
    await expect.poll(() => [second(), third(), syncs.begun()]).toEqual(['done', 'done', 2]);
  });

  it('shares its sync with others, and none of 200 is missing for another process', async () => {
    await using at = await opened();
    using syncs = countSyncs();
    await Promise.all(numbers(200).map((n) => at.insert(n)));
    expect(syncs.count()).toBeGreaterThan(0);
    expect(syncs.count()).toBeLessThan(20);
    const text = `const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(at.path)}, { readOnly: true });
      console.log(db.prepare('select count(distinct n) as found from t').get().found)`;
    expect(spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' }).stdout).toBe('200\n');
  });

  it('that changes nothing needs no sync, and waits for those whose commits it has read', async () => {
    using syncs = holdSyncs();
    await using at = await opened();
    const read = () => at.database.transaction((connection) => connection.all(sql`select n from t`));
    expect(await read()).toEqual([]);
    expect(syncs.begun()).toBe(0);
    const inserted = outcome(at.insert(1));
    await expect.poll(syncs.begun).toBe(1);
    const replayed = outcome(read());
    await turn();
    expect([inserted(), replayed()]).toEqual(['pending', 'pending']);
    syncs.end();
    await expect.poll(() => [inserted(), replayed(), syncs.begun()]).toEqual(['done', 'done', 1]);
  });

  it('that changes the schema alone is synced', async () => {
    await using at = await opened();
    using syncs = countSyncs();
    await at.database.transaction((connection) => connection.script('create table more (n integer)'));
    expect(syncs.count()).toBe(1);
  });

  it('is copied from the log into the file, which so does not grow for ever', async () => {
    await using at = await opened();
    const text = 'x'.repeat(40_000);
    for (const n of numbers(400)) await at.database.run(sql`insert into t values (${text + n})`);
    expect(statSync(at.path).size).toBeGreaterThan(10_000_000);
    expect(statSync(at.log).size).toBeLessThan(8_000_000);
  });

  it('is synced in the same log, whatever other processes do to the database', async () => {
    await using at = await opened();
    await at.insert(1);
    const { ino } = statSync(at.log);
    {
      await using other = openSqlite(at.path);
      await other.run(sql`insert into t values (2)`);
      await other.all(sql`pragma wal_checkpoint(truncate)`);
    }
    await at.insert(3);
    expect(statSync(at.log).ino).toBe(ino);
    expect(await at.rows()).toEqual([1, 2, 3]);
  });
});

describe.runIf(process.platform === 'linux')('after a sync that failed', () => {
  it('the outcome is unknown, and the process refuses writes, is not ready, and still reads', async () => {
    await using at = await opened();
    await at.insert(1);
    makeUnsyncable(at.log, 'Node');
    await expect(at.insert(2)).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringMatching(/^The outcome is unknown: .*fsync failed.*; check the disk, .*\.$/),
    });
    await expect(at.insert(3)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(at.database.run(sql`insert into t values (4)`)).rejects.toThrow('writes no more');
    await expect(at.database.hasTable('t')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await at.rows()).toEqual([1, 2]);
  });

  it('nothing is copied from the log into the file, not even at the end', async () => {
    await using at = await opened();
    // By another process: closing the file in this one would drop SQLite's locks.
    const digest = () => spawnSync('cksum', [at.path], { encoding: 'utf8' }).stdout;
    const before = digest();
    makeUnsyncable(at.log, 'Node');
    await expect(at.insert(1)).rejects.toMatchObject({ code: 'outcome_unknown' });
    await at.close();
    expect(digest()).toBe(before);
    expect(statSync(at.log).size).toBeGreaterThan(0);
  });

  it('all that had committed are unknown, and one that had not is not stored', async () => {
    using syncs = holdSyncs();
    await using at = await opened();
    const waiting = [outcome(at.insert(1))];
    await expect.poll(syncs.begun).toBe(1);
    waiting.push(outcome(at.insert(2)));
    await turn();
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    const late = outcome(
      at.database.transaction(async (connection) => {
        await connection.run(sql`insert into t values (3)`);
        await gate;
      }),
    );
    await turn();
    syncs.end(new Error('EIO'));
    await expect.poll(() => waiting.map((one) => one())).toEqual(['outcome_unknown', 'outcome_unknown']);
    goOn();
    await expect.poll(late).toBe('unavailable');
    expect(await at.rows()).toEqual([1, 2]);
    expect(syncs.begun()).toBe(1);
  });

  it('a command, which syncs in place, says the same', async () => {
    await using at = await opened({});
    await at.insert(1);
    makeUnsyncable(at.log, 'SQLite');
    await expect(at.insert(2)).rejects.toMatchObject({ code: 'outcome_unknown' });
    await expect(at.insert(3)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

/** A project in a database that two processes have open: one that serves, and another, whose syncs are not seen here. */
async function withFeed(options: Parameters<typeof openSqlite>[1] = { serving: true }) {
  const at = await opened(options);
  const store = storeOn(at.database);
  const writing = `const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(at.path)});
    db.exec("pragma synchronous = normal; begin; update projects set last_event = last_event + 1; " +
      "insert into events (project_id, sequence, id, type, occurred_at, actor_type, actor_id) " +
      "select id, last_event, 'other-' || last_event, 'contact.updated', 'now', 'job', 'x' from projects; commit");
    require('node:fs').writeSync(1, 'committed');
    setInterval(() => {}, 1000)`;
  const children: ChildProcess[] = [];
  return {
    ...at,
    change: () => report(store, 'acme', { type: 'contact.updated', contact_id: 'a' }),
    make: () => createProject(store, { name: 'A', id: 'acme' }),
    list: async (after = 0n) =>
      (await eventsOf(store, 'acme', { after })).map(({ sequence }) => Number(sequence)).join(' '),
    /** Commits an event without a sync, and goes on. */
    commitElsewhere: async () => {
      const child = spawn(process.execPath, ['-e', writing], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      await once(child.stdout, 'data');
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill('SIGKILL');
      await at[Symbol.asyncDispose]();
    },
  };
}

describe('the feed of events', () => {
  it('shows an event of its own process only once a sync that began after its commit has ended', async () => {
    await using at = await withFeed();
    await at.make();
    expect(await at.list()).toBe('1');
    using syncs = holdSyncs();
    const changed = outcome(at.change());
    await expect.poll(syncs.begun).toBe(1);
    const listed = outcome(at.list());
    await turn();
    expect([changed(), listed()]).toEqual(['pending', 'pending']);
    syncs.end();
    await expect.poll(changed).toBe('done');
    expect(listed()).toBe('pending');
    syncs.end();
    await expect.poll(listed).toBe('done');
  });

  it.each([
    ['a service', { serving: true }],
    ['a command', {}],
  ])('shows an event of another process only once it has been synced by %s', async (_who, options) => {
    await using at = await withFeed(options);
    await at.make();
    await at.commitElsewhere();
    using syncs = holdSyncs();
    const listed = at.list();
    const shown = outcome(listed);
    await expect.poll(syncs.begun).toBe(1);
    await turn();
    expect(shown()).toBe('pending');
    syncs.end();
    expect(await listed).toBe('1 2');
  });

  it('needs no sync where nothing has been committed since the last, or there is nothing new', async () => {
    await using at = await withFeed();
    await at.make();
    await at.change();
    expect(await at.list()).toBe('1 2');
    using syncs = countSyncs();
    expect(await at.list()).toBe('1 2');
    await at.insert(1);
    expect(syncs.count()).toBe(1);
    expect(await at.list(2n)).toBe('');
    expect(syncs.count()).toBe(1);
  });

  it.runIf(process.platform === 'linux')('is unavailable after a sync that failed, and stays so', async () => {
    await using at = await withFeed();
    await at.make();
    await at.commitElsewhere();
    makeUnsyncable(at.log, 'Node');
    for (let asked = 0; asked < 2; asked++) {
      await expect(at.list()).rejects.toMatchObject({ code: 'unavailable' });
    }
    await expect(at.change()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('while another process has the lock', () => {
  it('a write waits for it, and the event loop does not', async () => {
    await using at = await opened();
    const other = await lockedElsewhere(at.path);
    const written = outcome(Promise.all([at.insert(1), at.database.run(sql`insert into t values (2)`)]));
    // In the event loop a write would wait in vain for what ends the other process.
    for (let reads = 0; reads < 10; reads++) expect([await at.rows(), written()]).toEqual([[], 'pending']);
    await other.end();
    await expect.poll(written).toBe('done');
    expect(await at.rows()).toEqual([1, 2]);
  });

  it('for too long, a write is unavailable and does not happen later', async () => {
    await using at = await opened({ serving: true, busyTimeoutMs: 200 });
    const other = await lockedElsewhere(at.path);
    const refused = await Promise.allSettled([at.insert(1), at.insert(2), at.database.run(sql`delete from t`)]);
    expect(refused.map((one) => one.status === 'rejected' && one.reason)).toEqual(
      refused.map(() => expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('locked') })),
    );
    await other.end();
    await at.insert(3);
    expect(await at.rows()).toEqual([3]);
  });

  it('an aborted write ends, and does not happen later', async () => {
    await using at = await opened();
    const other = await lockedElsewhere(at.path);
    const given = new AbortController();
    const waiting = at.insert(1, given.signal);
    await turn();
    given.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
    await other.end();
    await at.insert(2);
    expect(await at.rows()).toEqual([2]);
  });
});

it('a signal that is aborted after the commit is ignored', async () => {
  using syncs = holdSyncs();
  await using at = await opened();
  const controller = new AbortController();
  const inserted = outcome(at.insert(1, controller.signal));
  await expect.poll(syncs.begun).toBe(1);
  controller.abort();
  await turn();
  expect(inserted()).toBe('pending');
  syncs.end();
  await expect.poll(inserted).toBe('done');
});

it('a rollback that fails ends all writes, as the next would be part of the same transaction', async () => {
  const db = new DatabaseSync(':memory:');
  const writer = writerOn(db);
  const failing = (text: string) => {
    if (text === 'rollback') throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
    return DatabaseSync.prototype.exec.call(db, text);
  };
  Object.assign(db, { exec: failing });
  const failed = writer.transaction(() => Promise.reject(new Error('of the work')));
  await expect(failed).rejects.toThrow('of the work');
  await expect(writer.transaction(async () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
  expect(() => writer.requireSound()).toThrow('cannot be used');
  await writer.end(() => db.close());
});
