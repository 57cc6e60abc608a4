import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';
import { describe, expect, it } from 'vitest';

import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { sql } from '../../src/database/sql.ts';
import { postgresDatabase, temporaryFolder } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';

const isThere = spawnSync('pgbouncer', ['--version']).status === 0;
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** PgBouncer before a database of the test's own, with no setting but these. */
async function aPooler(mode: string, more = '') {
  const stack = new AsyncDisposableStack();
  const place = stack.use(await postgresDatabase());
  const { path } = stack.use(temporaryFolder());
  const url = new URL(place.url);
  const { port } = url;
  url.port = String(await freePort());
  const users = join(path, 'users');
  const settings = join(path, 'pgbouncer.ini');
  writeFileSync(users, '"postgres" ""');
  const pooled = `listen_addr=127.0.0.1\nlisten_port=${url.port}\nauth_type=trust\nauth_file=${users}\npool_mode=${mode}\n${more}`;
  writeFileSync(settings, `[databases]\n* = host=127.0.0.1 port=${port}\n[pgbouncer]\n${pooled}\nunix_socket_dir=\n`);
  chmodSync(path, 0o755);
  const child = spawn('pgbouncer', [settings], { ...unprivileged, stdio: ['ignore', 'ignore', 'pipe'] });
  stack.defer(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  for await (const text of child.stderr.setEncoding('utf8') as AsyncIterable<string>)
    if (text.includes('process up')) break;
  return { url: url.href, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Makes the pooler open several connections to the server, which it then has to choose from. */
async function fill(url: string): Promise<void> {
  const clients = Array.from({ length: 3 }, () => new Client(url));
  const each = (act: (client: Client) => Promise<unknown>) => Promise.all(clients.map(act));
  await each((client) => client.connect());
  await each((client) => client.query('begin'));
  await each((client) => client.query('commit'));
  await each((client) => client.end());
}

describe.skipIf(!isThere)('a serving database behind PgBouncer, which this machine has', () => {
  it('is used with pool_mode session, with limits of time', async () => {
    await using pooler = await aPooler('session');
    await using database = openPostgres(`${pooler.url}?lock_timeout=50`, { serving: true });
    const limits = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
    expect(await database.first(limits)).toEqual({ statement: '1400ms', lock: '50ms' });
  });

  it.each(['default_pool_size=1', 'max_client_conn=1'])(
    'is used where it gives one connection alone: %s',
    async (more) => {
      await using pooler = await aPooler('session', more);
      await using database = openPostgres(pooler.url, { serving: true });
      expect(await database.first(sql`select 1 as one`)).toEqual({ one: 1 });
    },
  );

  it.each([
    ['transaction', ''],
    ['transaction', 'server_round_robin=1'],
    ['statement', ''],
  ])('is refused with pool_mode %s, in a sentence; %s', async (mode, more) => {
    await using pooler = await aPooler(mode, more);
    if (mode === 'transaction') await fill(pooler.url);
    await using database = openPostgres(pooler.url, { serving: true });
    const message = expect.stringContaining('set pool_mode = session');
    await expect(database.first(sql`select 1`)).rejects.toMatchObject({ code: 'unavailable', message });
  });
});
