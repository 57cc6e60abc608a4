import { describe, expect, it } from 'vitest';

import { storeOn } from '../../src/database/open-store.ts';
import { toFailure } from '../../src/database/postgres/failures.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { sql } from '../../src/database/sql.ts';
import { AppError } from '../../src/errors.ts';
import { startProxy } from '../support/cut-connections.ts';
import { engines, postgresDatabase } from '../support/engines.ts';
import { aContact, aProject, storeContacts, totalOf } from '../support/people.ts';
import { administer, aSession } from '../support/postgres.ts';
import { servingRole } from '../support/serving-role.ts';

/** What a driver throws. */
function thrown(code: string | undefined, message = 'planted@example.com', more: object = {}): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code }, more);
}

describe('a failure of PostgreSQL', () => {
  it.each([
    ['ECONNREFUSED', '', 'does not answer'],
    [undefined, 'Connection terminated unexpectedly', 'does not answer'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND ssl.example.com', 'name of its host'],
    ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN ssl.example.com', 'name of its host'],
    ['EPIPE', '', 'does not answer'],
    ['57P01', '', 'starting, stopping'],
    ['57014', '', 'told to end the statement'],
    ['55P03', '', 'holds the lock'],
    ['53300', '', 'no connection left'],
    ['25006', '', 'takes no writes'],
    ['08P01', 'bouncer config error', 'says "bouncer config error"'],
    ['28P01', '', 'user or password'],
    ['28000', '', 'wants TLS'],
    ['3D000', '', 'createdb'],
    ['42501', '', 'lacks a right'],
    ['42P01', 'relation "contacts" does not exist', '"contacts" does not exist: a table is missing'],
    ['26000', '', 'prepared statement'],
    ['SELF_SIGNED_CERT_IN_CHAIN', '', 'sslrootcert'],
    [undefined, 'The server does not support SSL connections', 'TLS'],
    [undefined, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'PGPASSWORD'],
    ['ENOENT', "no such file, open '/planted'", 'sslrootcert, sslcert and sslkey'],
  ])('%s %s is unavailable, with what mends it', (code, message, sentence) => {
    const failure = toFailure(thrown(code, message));
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining(sentence) });
    expect(failure.message).toMatch(/^The store cannot be used: [^.]*[;,] .*\.$/);
  });

  it('that is a fault of ours says code and constraint, and no value of a row', async () => {
    await using opened = await engines[1].open();
    const { projectId, chatbotId } = await aProject(opened.store);
    const planted = aContact({ name: 'Planted Name', phone: '', email: 'planted@example.com' });
    const failure = await storeContacts(opened.store, projectId, chatbotId, [planted]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).message).toBe('PostgreSQL 23514 (contacts_check)');
    const everything = JSON.stringify(failure, Object.getOwnPropertyNames(failure));
    expect(everything + String((failure as Error).stack)).not.toMatch(/planted/i);
  });

  it('names nothing of the URL where the server does not answer', async () => {
    await using database = openPostgres('postgres://planted:planted@127.0.0.1:1/planted', { serving: true });
    const failure = (await database.first(sql`select 1`).catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(`${failure.stack}${String((failure.cause as Error).stack)}`).not.toContain('planted');
  });

  it('is told in time where the server falls silent behind the first connection', async () => {
    await using opened = await engines[1].open();
    await using proxy = await startProxy(opened.url);
    proxy.on('pg_backend_pid', 'silent from then on');
    await using database = openPostgres(proxy.url, { serving: true });
    const startedAt = performance.now();
    await expect(database.first(sql`select 1`)).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it.each(['statement_timeout=700&lock_timeout=50ms', 'options=-c%20statement_timeout=700%20-c%20lock_timeout=50'])(
    'comes by the limits of time that DATABASE_URL gives: %s',
    async (query) => {
      await using place = await postgresDatabase();
      await using database = openPostgres(`${place.url}?${query}`, { serving: true });
      const limits = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
      expect(await database.first(limits)).toEqual({ statement: '700ms', lock: '50ms' });
    },
  );

  it('is none of a role that may have one connection alone', async () => {
    await using place = await postgresDatabase();
    await using role = await servingRole(place.url);
    await administer(place.url, `alter role ${new URL(role.url).username} connection limit 1`);
    await using database = openPostgres(role.url, { serving: true });
    expect(await database.first(sql`select 1 as one`)).toEqual({ one: 1 });
  });

  it('is none of a write that comes while a vacuum holds the table, however many rows there are', async () => {
    await using opened = await engines[1].open();
    const { projectId, chatbotId } = await aProject(opened.store);
    await using vacuum = await aSession(opened.url);
    await vacuum.query('begin', 'lock table contacts in share update exclusive mode');
    await using database = openPostgres(opened.url, { serving: true });
    for (let batch = 0; batch < 2; batch++) {
      const people = Array.from({ length: 1_000 }, (_, i) => aContact({ id: `${batch}-${i}` }));
      await storeContacts(storeOn(database), projectId, chatbotId, people);
    }
    await vacuum.query('rollback');
    expect(await totalOf(opened.store, { projectId, chatbotId })).toBe(2_000);
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
