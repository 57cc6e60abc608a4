import { createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { contactFields } from '../../src/contacts/contact.ts';
import { freePort } from '../../test/support/free-port.ts';
import { install } from './install.ts';
import type { Peer, PeerPlace, People } from './peer.ts';
import { start } from './program.ts';
import { servePeer } from './serve.ts';
import { writeApplication } from './strapi-application.ts';

// What its own template asks for. From Node 24.19 on, this better-sqlite3 aborts the process at a garbage collection.
const packages = {
  node: '24.18.1',
  dependencies: {
    '@strapi/strapi': '5.54.0',
    'better-sqlite3': '12.8.0',
    react: '18.3.1',
    'react-dom': '18.3.1',
    'react-router-dom': '6.30.3',
    'styled-components': '6.1.19',
  },
  builds: ['better-sqlite3'],
};

const secret = 'bench-secret-0123456789abcdef';
const token = 'bench0123456789abcdef0123456789abcdef';

// Strapi has an `id` and a `created_at` of its own in every table.
const columns = contactFields.map((field) =>
  field === 'id' ? 'document_id' : field === 'created_at' ? 'met_at' : field,
);

/**
 * Strapi 5 on SQLite, one process, `GET /api/contacts/ID` with an API token of the type `read-only`.
 *
 * In its favour: one content type without projects and chatbots, so that it has no tenant to check, and without
 * drafts; the core with none of the plug-ins of its template and no admin panel; no log of requests. The middlewares
 * are those of its template but for that log. It has neither a rate limit nor a cache of answers.
 */
export async function startStrapi({ folder, people, core }: PeerPlace): Promise<Peer> {
  const installed = await install(join(folder, 'strapi'), packages);
  const data = join(installed.folder, 'data');
  rmSync(data, { recursive: true, force: true });
  const port = await freePort();
  const database = join(data, 'strapi.db');
  writeApplication(data, { port, secret, database, attributes: columns.slice(1) });
  const command = {
    node: installed.node,
    args: [join(installed.folder, 'node_modules/@strapi/strapi/bin/strapi.js'), 'start'],
    folder: data,
    env: { STRAPI_TELEMETRY_DISABLED: 'true' },
    core,
  };
  const address = `http://127.0.0.1:${port}`;
  // Its first start makes the tables.
  await using first = start(command);
  await first.answers(`${address}/robots.txt`, {});
  await first[Symbol.asyncDispose]();
  fill(database, people);
  return await servePeer({
    name: 'Strapi',
    package: '@strapi/strapi',
    installed,
    command,
    address,
    path: (i) => `/api/contacts/${people.contact(i).id}`,
    headers: { Authorization: `Bearer ${token}` },
    contactIn,
  });
}

/** The token and the contacts, in the tables where its admin panel and its API would put them. */
function fill(path: string, people: People): void {
  using database = new DatabaseSync(path);
  database.exec('pragma synchronous = off; pragma cache_size = -2000000; begin');
  const insertToken = `insert into strapi_api_tokens (document_id, name, description, type, kind, access_key,
    created_at, updated_at, published_at) values ('bench', 'bench', '', 'read-only', 'content-api', ?, ?, ?, ?)`;
  const now = Date.now();
  database.prepare(insertToken).run(createHmac('sha512', secret).update(token).digest('hex'), now, now, now);
  const insert = database.prepare(`insert into contacts (${columns.join(', ')}, created_at, updated_at, published_at)
    values (${columns.map(() => '?').join(', ')}, ${now}, ${now}, ${now})`);
  for (let i = 1; i <= people.count; i++) {
    const contact = people.contact(i);
    insert.run(...contactFields.map((field) => contact[field]));
  }
  database.exec('commit');
}

function contactIn(body: unknown): unknown {
  const { data } = body as { data: Record<string, unknown> };
  return Object.fromEntries(
    contactFields.map((field) => [
      field,
      data[field === 'id' ? 'documentId' : field === 'created_at' ? 'met_at' : field],
    ]),
  );
}
