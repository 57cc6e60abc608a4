import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { freePort } from '../../test/support/free-port.ts';
import { headings, idOf, personOf } from '../people.ts';
import { type Serving, start } from '../processes.ts';
import { install, isInstalled } from './install.ts';

// Node 22 is the newest on which its isolated-vm compiles, and the one that its own image has.
const packages = {
  node: '22.23.3',
  dependencies: { directus: '12.4.0' },
  builds: ['argon2', 'isolated-vm', 'sqlite3'],
};

export const version = packages.dependencies.directus;
export const token = 'bench-0123456789abcdef0123456789abcdef';

const folder = new URL('../../.cache/bench-directus', import.meta.url).pathname;
const startWithinMs = 120_000;

export function isThere(): boolean {
  return isInstalled(folder, packages);
}

/**
 * Directus on SQLite, one process, a static token, installed where it is missing. In its favour: one collection
 * without projects, with the person's id as its primary key, and no log of requests. The rest is at its defaults.
 */
export async function startDirectus(people: number): Promise<{ server: Serving; diskMiB: number }> {
  const { node, diskMiB } = await install(folder, packages);
  const data = join(folder, 'data');
  rmSync(data, { recursive: true, force: true });
  for (const one of ['uploads', 'extensions']) mkdirSync(join(data, one), { recursive: true });
  writeFileSync(join(data, 'package.json'), '{}');
  const port = await freePort();
  const env = settings(data, port);
  // Without the wrapper `directus`, which asks the registry for a newer version at each start.
  const cli = join(folder, 'node_modules/@directus/api/dist/cli/run.js');
  execFileSync(node, [cli, 'bootstrap'], { cwd: data, env, stdio: 'ignore', timeout: startWithinMs });
  fill(join(data, 'directus.db'), people);
  const server = await start([node, cli, 'start'], {
    address: `http://127.0.0.1:${port}`,
    ready: `/items/contacts/${idOf(1)}`,
    headers: { authorization: `Bearer ${token}` },
    env,
    cwd: data,
    within: startWithinMs,
  });
  return { server, diskMiB };
}

function settings(data: string, port: number): Record<string, string | undefined> {
  // Nothing listens there: telemetry goes out without a licence even where it is switched off.
  const nowhere = 'http://127.0.0.1:9';
  return {
    PATH: process.env['PATH'],
    HOME: data,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    CONFIG_PATH: join(data, '.env'),
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: join(data, 'directus.db'),
    SECRET: 'bench-secret-0123456789abcdef0123456789abcdef',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'bench-0123456789',
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
    TELEMETRY_URL: nowhere,
    COMPLIANCE_URL: nowhere,
    EMAIL_VERIFY_SETUP: 'false',
    // Else it answers 503 to some as soon as it is busy, and a figure counts answers.
    PRESSURE_LIMITER_ENABLED: 'false',
  };
}

/** The collection, a user with a token that may read and add, and the people, where its API would put them. */
function fill(path: string, people: number): void {
  const columns = headings.map((name) => `${name} varchar(255)${name === 'id' ? ' not null' : ''}`);
  const [policy, user, access] = [1, 2, 3].map((digit) =>
    '11111111-1111-4111-8111-111111111111'.replaceAll('1', `${digit}`),
  );
  using database = new DatabaseSync(path);
  database.exec(`
    pragma synchronous = off;
    pragma cache_size = -2000000;
    begin;
    create table contacts (${columns.join(', ')}, primary key (id));
    insert into directus_collections (collection) values ('contacts');
    insert into directus_policies (id, name) values ('${policy}', 'bench');
    insert into directus_users (id, token, status) values ('${user}', '${token}', 'active');
    insert into directus_access (id, user, policy) values ('${access}', '${user}', '${policy}');
    insert into directus_permissions (collection, action, fields, policy)
      values ('contacts', 'read', '*', '${policy}'), ('contacts', 'create', '*', '${policy}')`);
  const insert = database.prepare(`insert into contacts values (${headings.map(() => '?').join(', ')})`);
  for (let i = 1; i <= people; i++) {
    const person = personOf(i);
    insert.run(...headings.map((heading) => person[heading]));
  }
  database.exec('commit');
}
