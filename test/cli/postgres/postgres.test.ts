import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { storeOn } from '../../../src/database/open-store.ts';
import { connect, isInTheClear, readHosts } from '../../../src/database/postgres/hosts.ts';
import { openPostgres } from '../../../src/database/postgres/postgres.ts';
import { sql } from '../../../src/database/sql.ts';
import { readMigrations } from '../../../src/database/upkeep/migrate.ts';
import { postgresDatabase } from '../../support/engines.ts';
import { listening } from '../../support/listening.ts';
import { aContact } from '../../support/people.ts';
import { administer, aSession } from '../../support/postgres.ts';
import { anInstallation, aProjectThere, findingOf, serving, stop } from '../../support/process.ts';
import { servingRole } from '../../support/serving-role.ts';

describe('the schema', () => {
  it('is made by "roster migrate" alone, once, also by four at once', async () => {
    const names = readMigrations('postgres').map(({ name }) => name);
    await using at = await anInstallation({ ownDatabase: true });
    await using empty = await postgresDatabase('template0');
    const env = { DATABASE_URL: empty.url };
    const { code, stderr } = await at.run(['projects', 'list'], { env });
    expect([code, stderr]).toEqual([
      69,
      expect.stringMatching(
        /^roster: \d+ migrations of the postgres database \w+ on [\w.]+:\d+ are pending; run "roster migrate"\.\n$/,
      ),
    ]);
    expect(await at.json(['migrate', '--status'], { env })).toEqual({
      applied: [],
      pending: names,
    });
    const [done, ...others] = await Promise.all([1, 2, 3, 4].map(() => at.json(['migrate'], { env })));
    expect(done).toMatchObject({ applied: names.map((name) => ({ name })), pending: [] });
    for (const other of [...others, await at.json(['migrate'], { env })]) expect(other).toEqual(done);
    expect(await at.json(['projects', 'list'], { env })).toEqual([]);
  });

  it('hides no row by a policy, and lends nobody the rights of its owner', async () => {
    await using place = await postgresDatabase();
    const found = await administer(
      place.url,
      `select relname as name from pg_class where relrowsecurity union all select policyname from pg_policies
        union all select proname from pg_proc where prosecdef`,
    );
    expect(found).toEqual([]);
  });

  it('is the old one where a migration is killed in the middle', async () => {
    await using at = await anInstallation({ ownDatabase: true });
    await using empty = await postgresDatabase('template0');
    const env = { DATABASE_URL: empty.url };
    await using other = await aSession(empty.url);
    // It stops half way, where it wants to make a table whose name somebody else is about to take.
    await other.query('begin', 'create table contacts (id text)');
    const migrating = at.start(['migrate'], env);
    const isBlocked = async () =>
      (await administer(empty.url, "select 1 from pg_stat_activity where wait_event_type = 'Lock'")).length;
    await expect.poll(isBlocked, { timeout: 10_000 }).toBe(1);
    migrating.child.kill('SIGKILL');
    await migrating.ended;
    await other.query('rollback');
    const tables = () => administer(empty.url, "select 1 from pg_tables where schemaname = 'public'");
    await expect.poll(async () => (await tables()).length).toBe(0);
    expect(await at.json(['migrate'], { env })).toMatchObject({ pending: [] });
    expect(await at.json(['projects', 'list'], { env })).toEqual([]);
  });
});

describe('a statement that was sent behind the one that prepares it', () => {
  it('is unavailable, and no fault of ours, when that one waited for a lock for too long', async () => {
    await using place = await postgresDatabase();
    await using holder = openPostgres(place.url);
    await using database = openPostgres(place.url, { serving: true });
    await holder.transaction(async (connection) => {
      await connection.script('lock table contacts in access exclusive mode');
      const reads = [1, 2, 3].map(() => database.all(sql`select id from contacts`));
      const failures = (await Promise.allSettled(reads)).map((one) => one.status === 'rejected' && one.reason);
      expect(failures).toEqual(reads.map(() => expect.objectContaining({ code: 'unavailable' })));
    });
    expect(await database.all(sql`select id from contacts`)).toEqual([]);
  });
});

it('a table that is locked holds up nobody who asks for something else', async () => {
  await using place = await postgresDatabase();
  await using holder = openPostgres(place.url);
  await using database = openPostgres(place.url, { serving: true });
  // In one turn with the others, as requests come.
  const members = async () => {
    const askedAt = performance.now();
    await database.all(sql`select email from members`);
    return performance.now() - askedAt;
  };
  await members();
  await holder.transaction(async (connection) => {
    await connection.script('lock table contacts in access exclusive mode');
    const locked: Promise<boolean>[] = [];
    const durations: number[] = [];
    for (let turn = 0; turn < 40; turn++) {
      for (let i = 0; i < 8; i++) {
        const read = database.all(sql`select id from contacts`);
        locked.push(
          read.then(
            () => false,
            () => true,
          ),
        );
      }
      durations.push(await members());
      await sleep(20);
    }
    // A statement that waits for the lock is ended after 400 ms, and would hold up what stands behind it.
    expect(durations.toSorted((a, b) => a - b)[20]).toBeLessThan(200);
    expect((await Promise.all(locked)).every(Boolean)).toBe(true);
  });
});

it('a server that takes a connection late and then falls silent is left within the time for connecting', async () => {
  const greeting = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
  using silent = await listening(createServer((socket) => void setTimeout(() => socket.write(greeting), 1_800)));
  const hosts = readHosts(`postgres://roster@127.0.0.1:${silent.port}/roster`, true);
  const startedAt = performance.now();
  await expect(connect(hosts, { connectTimeoutMs: 2_000 })).rejects.toMatchObject({ code: 'unavailable' });
  // Less than the silence before and the time for connecting together.
  expect(performance.now() - startedAt).toBeLessThan(3_500);
});

describe('doctor', () => {
  it('tells of the server, its connections, standbys and schema', async () => {
    await using at = await anInstallation({ ownDatabase: true });
    await aProjectThere(at);
    const { ok, checks } = await at.json<{ ok: boolean; checks: { check: string; finding: string }[] }>(['doctor']);
    const findings = Object.fromEntries(checks.map(({ check, finding }) => [check, finding]));
    expect(ok).toBe(true);
    expect(findings).toMatchObject({
      server: expect.stringMatching(/^PostgreSQL \d+/),
      encoding: 'UTF8',
      extensions: expect.stringContaining('none needed'),
      connections: expect.stringMatching(/^\d+ of \d+ left; a process of "serve" uses up to 8$/),
      replication: expect.any(String),
      schema: `current (${readMigrations('postgres').length} applied)`,
    });
  });

  it('warns of a superuser, as "roster serve" does in its log, and of nobody else', async () => {
    await using at = await anInstallation({ ownDatabase: true });
    await aProjectThere(at);
    await using role = await servingRole(at.databaseUrl);
    const warned = /the user of DATABASE_URL is a superuser/;
    for (const [env, isWarned] of [
      [{}, true],
      [{ DATABASE_URL: role.url }, false],
    ] as const) {
      const found = await findingOf(at, 'user', env);
      expect([found?.status, warned.test(found?.finding ?? '')]).toEqual([isWarned ? 'warning' : 'ok', isWarned]);
    }
    const server = await serving(at);
    await server.until(warned);
    await stop(server);
  });

  it.each([
    ['postgres://roster@db.example.com/roster', true],
    ['postgres://roster@192.0.2.1/roster?sslmode=disable', true],
    ['postgres://roster@localhost,db.example.com/roster', true],
    ['postgres://roster@db.example.com/roster?sslmode=require', false],
    ['postgres://roster@localhost,127.1.2.3:5433,[::1]/roster', false],
    ['postgres://roster@localhost/roster?host=/var/run/postgresql', false],
  ])('warns of a connection to another machine without TLS: %s', (url, isWarned) => {
    expect(isInTheClear(url)).toBe(isWarned);
  });
});

describe('a command', () => {
  it('ends with 69 and one sentence where the server cannot be reached', async () => {
    await using at = await anInstallation({ ownDatabase: true });
    const env = { DATABASE_URL: 'postgres://roster:planted-password@127.0.0.1:1/roster' };
    for (const args of [['projects', 'list'], ['serve'], ['migrate'], ['contacts', 'export', '--chatbot', 'x']]) {
      const { code, stderr } = await at.run(args, { env });
      expect([args, code, stderr]).toEqual([
        args,
        69,
        'roster: The postgres database roster on 127.0.0.1:1 cannot be used: PostgreSQL does not answer; check that it runs and that DATABASE_URL is right.\n',
      ]);
    }
    const doctor = await at.run(['doctor'], { env });
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/failed +server +The store cannot be used/),
    ]);
    expect(doctor.stdout + doctor.stderr).not.toContain('planted');
  });

  it('does not wait at its end for a host that is silent', async () => {
    await using at = await anInstallation({ ownDatabase: true });
    using silent = await listening(createServer());
    const { host } = new URL(at.databaseUrl);
    const env = { DATABASE_URL: at.databaseUrl.replace(host, `127.0.0.1:${silent.port},${host}`) };
    const startedAt = performance.now();
    expect(await at.json(['projects', 'list'], { env })).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  it('that backs up names the tool of PostgreSQL instead, and fails', async () => {
    await using at = await anInstallation({ ownDatabase: true });
    const { code, stderr } = await at.run(['backup', 'roster.db']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('pg_dump')]);
  });
});

describe('a transaction', () => {
  it('in which a statement failed is never taken for done, and spoils none after it', async () => {
    await using at = await anInstallation({ ownDatabase: true });
    await using database = openPostgres(at.databaseUrl);
    const swallowing = database.transaction(async (connection) => {
      await connection.run(sql`insert into projects values ('acme', 'A', '2026')`);
      await connection.run(sql`select 1 / 0`).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('rolled back');
    expect(await storeOn(database).projects.list()).toEqual([]);
    const next = database.transaction((connection) => connection.first(sql`select 1 as one`));
    expect(await next).toEqual({ one: 1 });
  });
});

describe('a copy', () => {
  it('to SQLite and back, each stopped in the middle and run again, holds the same', async () => {
    await using at = await anInstallation({ ownDatabase: true });
    const contacts = Array.from({ length: 4_000 }, (_, i) => aContact({ id: `p${i}`, email: `p${i}@example.com` }));
    await aProjectThere(at, { contacts });
    await using other = await postgresDatabase();
    const there = ['copy', '--to', `sqlite:${join(at.folder, 'there.db')}`];
    const back = ['copy', '--from', `sqlite:${join(at.folder, 'there.db')}`, '--to', other.url];
    const digests = [];
    for (const [args, signal, end] of [
      [there, 'SIGKILL', { signal: 'SIGKILL' }],
      [back, 'SIGINT', { code: 130, stderr: expect.stringContaining('goes on') }],
    ] as const) {
      const stopped = at.start([...args]);
      stopped.child.stderr?.once('data', () => stopped.child.kill(signal));
      expect(await stopped.ended).toMatchObject(end);
      const report = await at.json<{ equal: boolean; to: { sha256: string; rows: object } }>([...args]);
      expect(report).toMatchObject({ equal: true, to: { rows: { contacts: 4_000, api_keys: 1 } } });
      digests.push(report.to.sha256);
    }
    expect(digests[1]).toBe(digests[0]);
  });

  it('into itself, or into a database without a schema, is refused', async () => {
    await using at = await anInstallation({ ownDatabase: true });
    await using empty = await postgresDatabase('template0');
    const itself = await at.run(['copy', '--to', at.databaseUrl]);
    expect([itself.code, itself.stderr]).toEqual([2, expect.stringContaining('same database')]);
    const other = await at.run(['copy', '--to', 'mysql://db.example.com/x']);
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/^roster: --to names no engine/)]);
    for (const [from, to] of [
      [at.databaseUrl, at.databaseUrl.replace('127.0.0.1', 'localhost')],
      [`sqlite:${at.folder}/x.db`, `sqlite:${at.folder}/./x.db`],
    ]) {
      await at.run(['migrate'], { env: { DATABASE_URL: String(from) } });
      const twice = await at.run(['copy', '--from', String(from), '--to', String(to)]);
      expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('same database')]);
    }
    const missing = await at.run(['copy', '--from', 'sqlite:missing.db']);
    expect([missing.code, missing.stderr]).toEqual([
      69,
      expect.stringMatching(/^roster: --from: There is no database at .*; name another with --from\.\n$/),
    ]);
    const bare = await at.run(['copy', '--to', empty.url]);
    const advice = /\d+ migrations .* are pending; run "DATABASE_URL=URL roster migrate" with the URL of --to\.\n$/;
    expect([bare.code, bare.stderr]).toEqual([69, expect.stringMatching(advice)]);
  });
});
