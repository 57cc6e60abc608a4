import assert from 'node:assert/strict';
import { chmodSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../support/until.ts';
import { startWrites } from '../support/writes.ts';
import { images, run, scratchOfStage, storageFlags } from './machine.ts';
import { documentedLines } from './manual.ts';
import { servePostgres } from './postgres.ts';

const address = 'http://127.0.0.1:8080';
const pages = [
  ['/console', /<script type="module"/],
  ['/docs', /docs\/js\/scalar\.js/],
  ['/openapi.json', /"openapi"/],
] as const;
const { folder } = scratchOfStage();
const manual = documentedLines('One container');
const [runLine = ''] = manual.get('')?.filter((line) => line.startsWith('docker run ')) ?? [];

const docker = (...args: string[]) => run('docker', args);
const roster = async (...args: string[]) =>
  JSON.parse(await docker('exec', 'roster', 'roster', ...args, '--json')) as Record<string, string>;

await standInForDocker();
try {
  await check();
} catch (error) {
  console.log(await run('bash', ['-c', 'docker ps --all; docker logs roster 2>&1 | tail -20 || true']));
  throw error;
} finally {
  await docker('rm', '--force', '--all', '--time', '0');
  await docker('volume', 'rm', '--force', '--all');
}

async function check(): Promise<void> {
  await follow('', images.before);
  await untilReady();
  await itIsConfined();
  const { token, path } = await aProject();
  const ask = (below: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return fetch(`${address}${path}${below}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  };
  const add = async (name: string) => {
    const { data } = (await (await ask('', { properties: { first_name: name } })).json()) as { data: { id: string } };
    return data.id;
  };
  const has = async (id: string) => (await ask(`/${id}`)).status === 200;
  const kept = await add('Kept');
  const found = (await (await ask('/search', { query: 'kep' })).json()) as { data: { contacts: unknown[] } };
  assert.equal(found.data.contacts.length, 1);
  for (const [page, text] of pages) assert.match(await (await fetch(`${address}${page}`)).text(), text);
  await docker('healthcheck', 'run', 'roster');
  say('serves as its user on a read-only file system, with console and reference');

  await until('a backup by itself', () => backups().length > 0);
  const [first] = backups();
  // A backup is named by its second, so the next one needs another.
  await sleep(1000);
  await follow('Back up');
  assert.ok(
    backups().some((name) => name !== first && existsSync(join(folder, 'backups', name))),
    'it was copied out',
  );
  const late = await add('Later');
  await follow('Restore');
  await untilReady();
  assert.deepEqual([await has(kept), await has(late)], [true, false]);
  say('stops in time, restores its backup, and starts again with its people');

  const writes = startWrites(address, token, path);
  await sleep(1000);
  await follow('Upgrade', images.now);
  await untilReady();
  await sleep(1000);
  const [migrated] =
    /roster\.db\.before-\d{4}-[\w-]+\.db/.exec(await run('bash', ['-c', 'docker logs roster 2>&1'])) ?? [];
  if (migrated === undefined) await goBack();
  const { acknowledged, longestGapMs } = await writes.stop();
  for (const id of acknowledged) assert.ok(await has(id), 'what was acknowledged is there');
  const ways = migrated === undefined ? 'upgrade and rollback' : 'upgrade with a migration';
  say(`${ways}: all ${acknowledged.length} acknowledged writes are there; ${longestGapMs} ms without an answer`);
  if (migrated !== undefined) {
    await goBack(migrated);
    assert.ok(await has(kept));
    say('rollback: it serves the backup that was made before the migration');
  }

  await docker('rm', '--force', 'roster');
  await docker('tag', images.now, 'roster');
  await servePostgres(folder, docker, untilReady);
  say('serves PostgreSQL with a role that is no superuser, whose URL is in a file');
}

/** Makes `docker` run podman, with images and containers in the scratch folder and networks in this process's namespaces. */
async function standInForDocker(): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up']);
  for (const path of ['/run', '/var/lib/cni']) await run('mount', ['-t', 'tmpfs', 'tmpfs', path]);
  // A sandbox may not raise the limits that podman sets by itself.
  writeFileSync(
    join(folder, 'containers.conf'),
    '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n',
  );
  const flags = ['--cgroup-manager', 'cgroupfs', '--events-backend', 'file', '--tmpdir', join(folder, 'podman')];
  const words = [...storageFlags({ folder }), ...flags, '--runtime', 'runc'];
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin/docker'), `#!/bin/sh\nexec podman ${words.join(' ')} "$@"\n`);
  chmodSync(join(folder, 'bin/docker'), 0o755);
}

/** Runs the manual's lines unchanged, but in place of a build it tags `image`, which is built already. */
async function follow(title: string, image = '', change = (line: string) => line): Promise<void> {
  const lines = manual.get(title) ?? [];
  assert.ok(lines.length > 0, `deploy/image.md has command lines for ${title}`);
  for (const line of lines.map(change).filter((one) => one !== 'git pull')) {
    if (line.startsWith('docker build ')) await docker('tag', image, 'roster');
    else await run('bash', ['-c', asItStands(line)], { cwd: folder });
    if (line !== 'docker stop roster') continue;
    assert.equal(await docker('inspect', '--format', '{{.State.ExitCode}}', 'roster'), '0', 'it stopped by itself');
  }
}

function asItStands(line: string): string {
  return (line === 'docker run … roster' ? runLine : line)
    .replace(/^docker run -d /, '$&-e ROSTER_RATE_LIMIT=0 ')
    .replace('FILE', backups().at(-1) ?? '');
}

async function goBack(backup?: string): Promise<void> {
  await follow('Roll back', '', (line) => {
    if (!line.includes(' restore ')) return line;
    return backup === undefined ? 'true' : line.replace('/data/BACKUP', `/data/${backup}`);
  });
  await untilReady();
}

/** Backups with a digest, the newest last. */
function backups(): string[] {
  const digests = globSync('*.db.sha256', { cwd: join(folder, 'storage/volumes/roster-backups/_data') });
  return digests.map((name) => name.slice(0, -'.sha256'.length)).toSorted();
}

async function untilReady(): Promise<void> {
  await until('it is ready', () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

async function itIsConfined(): Promise<void> {
  const status = await docker('exec', 'roster', 'cat', '/proc/1/status');
  for (const line of [/^Uid:\t10001\t10001\t/m, /^CapEff:\t0+$/m, /^NoNewPrivs:\t1$/m]) assert.match(status, line);
  const [program, ...words] = (await docker('exec', 'roster', 'cat', '/proc/1/cmdline')).split('\0');
  assert.match(`${program} ${words.join(' ')}`, /^node .*\/main\.js serve $|^node .*\/roster serve $/);
  const folders = ['/', '/app', '/app/dist', '/etc', '/usr/local/bin', '/data', '/backups', '/tmp'];
  const writes = `${JSON.stringify(folders)}.filter((one) => { try { fs.writeFileSync(one + '/x', ''); fs.rmSync(one + '/x'); return true; } catch { return false; } })`;
  const writable = await docker('exec', 'roster', 'node', '-p', `JSON.stringify(${writes})`);
  assert.deepEqual(JSON.parse(writable), ['/data', '/backups', '/tmp']);
}

async function aProject(): Promise<{ token: string; path: string }> {
  const { id = '' } = await roster('chatbots', 'create', '--project', 'acme', '--name', 'Front desk');
  const scopes = ['contacts:read', 'contacts:write'].flatMap((scope) => ['--scope', scope]);
  const { token = '' } = await roster('keys', 'create', '--project', 'acme', '--name', 'check', ...scopes);
  return { token, path: `/v2/chatbots/${id}/contacts` };
}

function say(text: string): void {
  console.log(`image: ${text}`);
}
