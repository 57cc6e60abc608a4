/**
 * Upgrades a service from an older commit to this checkout and rolls back, under fifty writes a second, and prints the longest time
 * without an answer. After a migration it restores the backup that was made before.
 *
 *   npm run upgrade:check                      from the commit before
 *   npm run upgrade:check -- --from COMMIT     from that commit, which `npm ci` must still be able to install
 *   npm run upgrade:check -- --contacts 1000000
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { freePort } from '../test/support/free-port.ts';
import { checkOut } from './support/check-out.ts';
import { type Roster, rosterIn, type Service } from './support/roster.ts';
import { startWrites } from './support/writes.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { from, contacts } = parseArgs({
  options: { from: { type: 'string', default: 'HEAD^' }, contacts: { type: 'string', default: '10000' } },
}).values;
const underWritesMs = 2_000;

const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
const checkout = join(folder, 'checkout');
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const after = rosterOf(root);
let service: Service | undefined;

try {
  await check(build());
} finally {
  await service?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}

async function check(before: Roster): Promise<void> {
  const { token, path } = await filled(before);
  service = await before.serve();
  const upgrade = await underWrites(token, path, () => replaceBy(after));
  say('upgrade', upgrade);
  const [backup] = globSync('roster.db.before-*.db', { cwd: folder });
  if (backup === undefined) return say('rollback', await underWrites(token, path, () => replaceBy(before)));
  await service.stop();
  await timed('rollback to the backup from before the migration', () => before.json('restore', backup));
  service = await before.serve();
  assert.equal((await retrieve(token, path, upgrade.acknowledged.at(-1))).status, 404);
  await service.stop();
}

function build(): Roster {
  const commands = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
  checkOut(from, checkout);
  const lock = 'package-lock.json';
  const isSame = readFileSync(join(root, lock), 'utf8') === readFileSync(join(checkout, lock), 'utf8');
  if (isSame) symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  else commands('npm', 'ci', '--ignore-scripts');
  commands('npm', 'run', '--silent', 'build');
  return rosterOf(checkout);
}

function rosterOf(of: string): Roster {
  const settings = { DATABASE_URL: `sqlite:${folder}/roster.db`, PORT: String(port) };
  return rosterIn(folder, settings, join(of, 'dist/main.js'));
}

async function filled(roster: Roster): Promise<{ token: string; path: string }> {
  const inProject = ['--project', 'acme'];
  await roster.json('projects', 'create', 'Acme', '--id', 'acme');
  const { id } = await roster.json<{ id: string }>('chatbots', 'create', ...inProject, '--name', 'Front desk');
  const rows = Array.from(
    { length: Number(contacts) },
    (_, n) => `Person ${n},person${n}@example.com,Company ${n % 99}`,
  );
  writeFileSync(join(folder, 'people.csv'), ['Name,Email,Company', ...rows].join('\n'));
  await roster.json('contacts', 'import', 'people.csv', ...inProject, '--chatbot', id);
  const scopes = ['contacts:read', 'contacts:write'].flatMap((scope) => ['--scope', scope]);
  const key = ['keys', 'create', ...inProject, '--name', 'check', ...scopes];
  const { token } = await roster.json<{ token: string }>(...key);
  return { token, path: `/v2/chatbots/${id}/contacts` };
}

interface Written {
  acknowledged: string[];
  longestGapMs: number;
}

/** Every write acknowledged meanwhile must be there afterwards. */
async function underWrites(token: string, path: string, work: () => Promise<void>): Promise<Written> {
  const writes = startWrites(address, token, path);
  await sleep(underWritesMs);
  await work();
  await sleep(underWritesMs);
  const written = await writes.stop();
  for (const id of written.acknowledged) assert.equal((await retrieve(token, path, id)).status, 200);
  return written;
}

function retrieve(token: string, path: string, id = ''): Promise<Response> {
  return fetch(`${address}${path}/${id}`, { headers: { authorization: `Bearer ${token}` } });
}

async function replaceBy(next: Roster): Promise<void> {
  await service?.stop();
  service = await next.serve();
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function say(what: string, { acknowledged, longestGapMs }: Written): void {
  console.log(
    `${what}: all ${acknowledged.length} acknowledged writes are there; ${longestGapMs} ms without an answer`,
  );
}
