import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';

import { isBuilt } from '../../scripts/built.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { openSqlite } from '../../src/database/sqlite/sqlite.ts';
import { migrate } from '../../src/database/upkeep/migrate.ts';
import { administer, databaseUrl, startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which tests make databases of their own, as copies of `template`. */
    postgres: { url: string; template: string; strategy: string };
    /** A migrated file, of which tests make copies. */
    sqlite: { template: string };
    engine: 'SQLite' | 'PostgreSQL';
  }
}

/**
 * The command line is tested as it is shipped, so it is built first where its sources have changed. PostgreSQL is the server that
 * TEST_DATABASE_URL names (with a user who may create databases), else one that is started for the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest says `test`, for which the console would be larger.
  const env = { ...process.env, NODE_ENV: 'production' };
  if (!isBuilt()) execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit', env });
  // Unpacks the browser, which two workers must not do at once.
  await chromium.executablePath();
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined || given === '' ? await startPostgres() : undefined;
  const url = server?.url ?? String(given);
  const template = `roster_template_${process.pid}`;
  await administer(url, `create database ${template} template template0 encoding 'UTF8'`);
  const database = openPostgres(databaseUrl(url, template));
  await migrate(database);
  await database[Symbol.asyncDispose]();
  project.provide('postgres', { url, template, strategy: await strategyOf(url) });
  const folder = mkdtempSync(join(tmpdir(), 'roster-template-'));
  const file = join(folder, 'roster.db');
  const migrated = openSqlite(file);
  await migrate(migrated);
  await migrated[Symbol.asyncDispose]();
  project.provide('sqlite', { template: file });
  return async () => {
    rmSync(folder, { recursive: true });
    if (server) await server[Symbol.asyncDispose]();
    else await dropAll(url, template);
  };
}

/** A copy of the files of a database takes a third of the time; until version 15 there is no other way, and no word for it. */
async function strategyOf(url: string): Promise<string> {
  const [server] = await administer(url, "select current_setting('server_version_num')::int as version");
  return Number(server?.['version']) < 150_000 ? '' : 'strategy file_copy';
}

/** The template and what tests have made of it. */
async function dropAll(url: string, template: string): Promise<void> {
  const made = await administer(url, `select datname from pg_database where datname like '${template}%'`);
  await administer(url, ...made.map(({ datname }) => `drop database ${String(datname)} with (force)`));
}
