import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { contactFields } from '../../src/contacts/contact.ts';
import { freePort } from '../../test/support/free-port.ts';
import { install } from './install.ts';
import type { Peer, PeerPlace, People } from './peer.ts';
import { start } from './program.ts';
import { servePeer } from './serve.ts';

// Node 22 is the newest on which its isolated-vm compiles, and the one that its own image has.
const packages = {
  node: '22.23.3',
  dependencies: { directus: '12.4.0' },
  builds: ['argon2', 'isolated-vm', 'sqlite3'],
};

const token = 'bench-0123456789abcdef0123456789abcdef';

/**
 * Directus 12 on SQLite, one process, `GET /items/contacts/ID` with a static token.
 *
 * In its favour: one collection without projects and chatbots, so that it has no tenant to check, with the contact's
 * id as its primary key; a policy that may read all of it, as rules of one's own take a licence; no log of requests.
 * At its defaults: caching (of schema and permissions, not of answers), the rate limit (off), the app beside the API.
 */
export async function startDirectus({ folder, people, core }: PeerPlace): Promise<Peer> {
  const installed = await install(join(folder, 'directus'), packages);
  const data = join(installed.folder, 'data');
  prepareFolder(data);
  const port = await freePort();
  // Without the wrapper `directus`, which asks the registry for a newer version at each start.
  const cli = join(installed.folder, 'node_modules/@directus/api/dist/cli/run.js');
  const command = { node: installed.node, folder: data, env: settings(data, port), core };
  await using bootstrap = start({ ...command, args: [cli, 'bootstrap'] });
  await bootstrap.ended();
  fill(join(data, 'directus.db'), people);
  return await servePeer({
    name: 'Directus',
    package: 'directus',
    installed,
    command: { ...command, args: [cli, 'start'] },
    address: `http://127.0.0.1:${port}`,
    path: (i) => `/items/contacts/${people.contact(i).id}`,
    headers: { Authorization: `Bearer ${token}` },
    contactIn: (body) => (body as { data: unknown }).data,
  });
}

function prepareFolder(data: string): void {
  rmSync(data, { recursive: true, force: true });
  for (const one of ['uploads', 'extensions']) mkdirSync(join(data, one), { recursive: true });
  writeFileSync(join(data, 'package.json'), '{}');
}

function settings(data: string, port: number): Record<string, string> {
  // Nothing listens there: telemetry goes out without a licence even where it is switched off.
  const nowhere = 'http://127.0.0.1:9';
  return {
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

/** The collection, a user with a token that may read it, and the contacts, in the tables where its API would put them. */
function fill(path: string, people: People): void {
  const columns = contactFields.map((field) => `${field} varchar(255)${field === 'id' ? ' not null' : ''}`);
  using database = new DatabaseSync(path);
  database.exec(`
    pragma synchronous = off;
    pragma cache_size = -2000000;
    begin;
    create table contacts (${columns.join(', ')}, primary key (id));
    insert into directus_collections (collection) values ('contacts');
    insert into directus_policies (id, name) values ('11111111-1111-4111-8111-111111111111', 'bench');
    insert into directus_users (id, token, status)
      values ('22222222-2222-4222-8222-222222222222', '${token}', 'active');
    insert into directus_access (id, user, policy) values ('33333333-3333-4333-8333-333333333333',
      '22222222-2222-4222-8222-222222222222', '11111111-1111-4111-8111-111111111111');
    insert into directus_permissions (collection, action, fields, policy)
      values ('contacts', 'read', '*', '11111111-1111-4111-8111-111111111111')`);
  const insert = database.prepare(`insert into contacts values (${contactFields.map(() => '?').join(', ')})`);
  for (let i = 1; i <= people.count; i++) {
    const contact = people.contact(i);
    insert.run(...contactFields.map((field) => contact[field]));
  }
  database.exec('commit');
}
