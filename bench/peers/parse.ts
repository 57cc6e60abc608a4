import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';

import { contactFields } from '../../src/contacts/contact.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { install } from './install.ts';
import type { Peer, PeerPlace, People } from './peer.ts';
import { start } from './program.ts';
import { servePeer } from './serve.ts';

// The newest Node that it says it runs on.
const packages = { node: '24.21.0', dependencies: { 'parse-server': '9.10.0' }, builds: [] };

const applicationId = 'bench';
const masterKey = 'bench-master-0123456789abcdef';
const restKey = 'bench-rest-0123456789abcdef';

/** Every field but the id, which is the object's own. */
const fields = contactFields.slice(1);

/**
 * Parse Server 9 on PostgreSQL, one process, `GET /parse/classes/Contact/ID` with the application's REST key.
 *
 * In its favour: one class without projects and chatbots, so that it has no tenant to check; a key instead of a user's
 * session, which it would look up too; the CPU of PostgreSQL is not counted. At its defaults: the cache (sessions and
 * schema, 5 seconds), the log (`info`, which has no requests; on stdout alone), the rate limit (off).
 */
export async function startParse({ folder, people, core }: PeerPlace): Promise<Peer> {
  const installed = await install(join(folder, 'parse'), packages);
  const data = join(installed.folder, 'data');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const port = await freePort();
  const postgres = await startPostgres();
  try {
    const program = join(installed.folder, 'node_modules/parse-server/bin/parse-server');
    const env = settings(postgres.url, port);
    const command = { node: installed.node, args: [program], folder: data, env, core };
    const address = `http://127.0.0.1:${port}`;
    await using first = start(command);
    await first.answers(`${address}/parse/health`, { 'X-Parse-Application-Id': applicationId });
    await createClass(address);
    await first[Symbol.asyncDispose]();
    await fill(postgres.url, people);
    const peer = await servePeer({
      name: 'Parse Server',
      package: 'parse-server',
      installed,
      command,
      address,
      path: (i) => `/parse/classes/Contact/${people.contact(i).id}`,
      headers: { 'X-Parse-Application-Id': applicationId, 'X-Parse-REST-API-Key': restKey },
      contactIn,
    });
    return {
      ...peer,
      [Symbol.asyncDispose]: async () => {
        await peer[Symbol.asyncDispose]();
        await postgres[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await postgres[Symbol.asyncDispose]();
    throw error;
  }
}

function settings(databaseUrl: string, port: number): Record<string, string> {
  return {
    PORT: String(port),
    PARSE_SERVER_HOST: '127.0.0.1',
    PARSE_SERVER_URL: `http://127.0.0.1:${port}/parse`,
    PARSE_SERVER_APPLICATION_ID: applicationId,
    PARSE_SERVER_MASTER_KEY: masterKey,
    PARSE_SERVER_REST_API_KEY: restKey,
    PARSE_SERVER_DATABASE_URI: databaseUrl,
    PARSE_SERVER_LOGS_FOLDER: 'null',
  };
}

async function createClass(address: string): Promise<void> {
  const response = await fetch(`${address}/parse/schemas/Contact`, {
    method: 'POST',
    headers: {
      'X-Parse-Application-Id': applicationId,
      'X-Parse-Master-Key': masterKey,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      className: 'Contact',
      fields: Object.fromEntries(fields.map((field) => [field, { type: 'String' }])),
      classLevelPermissions: { get: { '*': true }, find: { '*': true } },
    }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`The class was refused: ${await response.text()}`);
}

const rowsPerStatement = 10_000;

/** The contacts in the table of their class, readable for whom the class is. */
async function fill(url: string, people: People): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const arrays = contactFields.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const text = `insert into "Contact" ("objectId", ${fields.join(', ')}, "createdAt", "updatedAt")
    select *, now(), now() from unnest(${arrays})`;
  for (let from = 1; from <= people.count; from += rowsPerStatement) {
    const count = Math.min(rowsPerStatement, people.count - from + 1);
    const contacts = Array.from({ length: count }, (_, index) => people.contact(from + index));
    await client.query(
      text,
      contactFields.map((field) => contacts.map((contact) => contact[field])),
    );
  }
  await client.query('vacuum analyze "Contact"');
  await client.end();
}

function contactIn(body: unknown): unknown {
  const object = body as Record<string, unknown>;
  return Object.fromEntries(contactFields.map((field) => [field, object[field === 'id' ? 'objectId' : field] ?? null]));
}
