import { describe, expect, it } from 'vitest';

import { openPostgres } from '../../../src/database/postgres/postgres.ts';
import { postgresDatabase } from '../../support/engines.ts';
import { anInstallation, aProjectThere, serving } from '../../support/process.ts';

describe('the schema', () => {
  it('is made by "roster migrate" alone, once', async () => {
    await using at = await anInstallation();
    await using empty = await postgresDatabase('template0');
    const env = { DATABASE_URL: empty.url };
    const { code, stderr } = await at.run(['projects', 'list'], { env });
    expect([code, stderr]).toEqual([
      69,
      'roster: The schema of the database lacks one migration; run "roster migrate".\n',
    ]);
    expect(await at.json(['migrate', '--status'], { env })).toEqual({
      applied: [],
      pending: ['0001-initial'],
    });
    const done = await at.json(['migrate'], { env });
    expect(done).toMatchObject({ applied: [{ name: '0001-initial' }], pending: [] });
    expect(await at.json(['migrate'], { env })).toEqual(done);
    expect(await at.json(['projects', 'list'], { env })).toEqual([]);
  });

  it('is made once by four processes at once', async () => {
    await using at = await anInstallation();
    await using empty = await postgresDatabase('template0');
    const env = { DATABASE_URL: empty.url };
    const ended = await Promise.all([1, 2, 3, 4].map(() => at.run(['migrate', '--json'], { env })));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']));
    expect(new Set(ended.map(({ stdout }) => stdout)).size).toBe(1);
  });

  it.each([
    ['behind', 'delete from schema_migrations', /lacks one migration; run "roster migrate"/],
    [
      'ahead',
      "insert into schema_migrations values ('9999-more', 'x', '2026-01-01T00:00:00+00:00')",
      /newer than this program.*9999-more; start the newer program/,
    ],
  ])('that is %s is refused by "roster serve" with one sentence', async (_state, text, sentence) => {
    await using at = await anInstallation();
    await using database = openPostgres(at.databaseUrl);
    await database.script(text);
    const { code, stderr } = await at.run(['serve']);
    expect([code, stderr]).toEqual([69, expect.stringMatching(sentence)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('that a newer program migrates leaves a running one ready', async () => {
    await using at = await anInstallation();
    const server = await serving(at);
    await using database = openPostgres(at.databaseUrl);
    await database.script(
      "insert into schema_migrations values ('9999-more', 'x', '2026-01-01T00:00:00+00:00')",
    );
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    await database.script('delete from schema_migrations');
    expect((await fetch(`${server.address}/readyz`)).status).toBe(503);
    server.child.kill();
    expect(await server.ended).toMatchObject({ code: 0 });
  });
});

describe('doctor', () => {
  it('tells of the server, its connections, standbys and schema', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const { ok, checks } = await at.json<{ ok: boolean; checks: { check: string; finding: string }[] }>([
      'doctor',
    ]);
    const findings = Object.fromEntries(checks.map(({ check, finding }) => [check, finding]));
    expect(ok).toBe(true);
    expect(findings).toMatchObject({
      server: expect.stringMatching(/^PostgreSQL \d+/),
      encoding: 'UTF8',
      extensions: expect.stringContaining('none needed'),
      connections: expect.stringMatching(/^\d+ of \d+ left/),
      replication: expect.any(String),
      schema: 'current (1 applied)',
    });
  });

  it('names what is wrong with a server that cannot be reached, and never its password', async () => {
    await using at = await anInstallation();
    const env = { DATABASE_URL: 'postgres://roster:planted-password@127.0.0.1:1/roster' };
    const { code, stdout, stderr } = await at.run(['doctor'], { env });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/failed +server +The store cannot be used/)]);
    expect(stdout + stderr).not.toContain('planted');
  });
});

describe('a command', () => {
  it('ends with 69 and one sentence where the server cannot be reached', async () => {
    await using at = await anInstallation();
    const env = { DATABASE_URL: 'postgres://roster:planted-password@127.0.0.1:1/roster' };
    for (const args of [
      ['projects', 'list'],
      ['serve'],
      ['migrate'],
      ['contacts', 'export', '--chatbot', 'x'],
    ]) {
      const { code, stderr } = await at.run(args, { env });
      expect([args, code, stderr]).toEqual([
        args,
        69,
        'roster: The store cannot be used: PostgreSQL does not answer; check that it runs and that DATABASE_URL is right.\n',
      ]);
    }
  });

  it('that backs up names the tool of PostgreSQL instead, and fails', async () => {
    await using at = await anInstallation();
    const { code, stderr } = await at.run(['backup', 'roster.db']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('pg_dump')]);
  });
});
