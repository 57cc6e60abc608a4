import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { freePort } from '../../test/support/free-port.ts';
import { blocksOf, textOf } from '../../test/support/markdown.ts';
import { administer } from '../../test/support/postgres.ts';
import { type Roster, rosterIn } from '../support/roster.ts';
import { until } from '../support/until.ts';
import { quietMoment } from './quiet-moment.ts';

// PostgreSQL refuses to run as root.
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const page = textOf('docs/backups.md', 'Point-in-time recovery on PostgreSQL: WAL archiving');

interface Machine {
  bin: string;
  folder: string;
  port: number;
}

/** With the PostgreSQL of this program: archives a log, loses the server, and recovers to a time between two writes. */
export async function checkArchive(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'recovery-postgres-'));
  const machine = { bin: dirname(program), folder, port: await freePort() };
  let server: ChildProcess | undefined;
  try {
    mkdirSync(join(folder, 'backups/wal'), { recursive: true });
    give(folder);
    tool(machine, 'initdb', ['-D', 'data', '-U', 'roster', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
    const [archiving = '', recovering = ''] = blocksOf(page, 'ini').map((text) => here(machine, text));
    appendFileSync(join(folder, 'data/postgresql.conf'), archiving);
    server = await start(machine, 'data');

    const roster = rosterIn(folder, { DATABASE_URL: url(machine) });
    await populate(roster);
    const [baseBackup = ''] = blocksOf(page, 'bash');
    const [, flags = ''] = /^pg_basebackup (.*)$/m.exec(here(machine, baseBackup)) ?? [];
    tool(machine, 'pg_basebackup', [...flags.split(' '), `--dbname=${url(machine)}`]);
    await create(roster, 'Before');
    const { next_cursor: cursorBefore } = await roster.json<Feed>('events', 'list', '--project', 'acme');
    const moment = await quietMoment();
    await create(roster, 'After');
    const { next_cursor: cursorAfter } = await roster.json<Feed>('events', 'list', '--project', 'acme');
    // PostgreSQL writes into the next file by itself, which is archived only when it is full.
    const [full] = await administer(url(machine), 'select pg_walfile_name(pg_switch_wal()) as name');
    await until('the log is archived', async () => {
      const isDone = `select last_archived_wal >= '${String(full?.['name'])}' as done from pg_stat_archiver`;
      const [row] = await administer(url(machine), isDone);
      return row?.['done'] === true;
    });
    await crash(server);

    cpSync(baseIn(machine), join(folder, 'restored'), { recursive: true });
    chmodSync(join(folder, 'restored'), 0o700);
    writeFileSync(join(folder, 'restored/recovery.signal'), '');
    const target = recovering.replace(
      /(recovery_target_time = ').*'/,
      `$1${moment.replace('T', ' ').replace('Z', '+00')}'`,
    );
    assert.notEqual(target, recovering);
    appendFileSync(join(folder, 'restored/postgresql.auto.conf'), target);
    give(folder);
    server = await start(machine, 'restored');
    await until('the recovery has ended', async () => {
      const [row] = await administer(url(machine), 'select pg_is_in_recovery() as busy');
      return row?.['busy'] === false;
    });

    assert.deepEqual(await namesIn(roster), ['Before', 'First']);
    const { code, stdout } = await roster.run('doctor');
    assert.equal(code, 0, stdout);
    await create(roster, 'Since');
    // A reader from before the moment goes on; one that has read what is lost is told so.
    const known = await roster.json<Feed>('events', 'list', '--project', 'acme', '--after', cursorBefore);
    assert.deepEqual(
      known.events.map(({ type }) => type),
      ['contact.created'],
    );
    const lost = await roster.run('events', 'list', '--project', 'acme', '--after', cursorAfter);
    assert.match(lost.stderr, /begin again without --after/);
    await using service = await roster.serve();
    assert.equal((await fetch(`${service.address}/readyz`)).status, 200);
    await service.stop();
    return `went back to ${moment}, between two writes; Roster serves there, doctor is content, the feed told what is lost`;
  } finally {
    if (server) await crash(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Feed {
  events: { type: string }[];
  next_cursor: string;
}

async function populate(roster: Roster): Promise<void> {
  await roster.json('migrate');
  await roster.json('projects', 'create', 'Example Ltd', '--id', 'acme', '--owner', 'ada@example.com');
  await roster.json('chatbots', 'create', '--project', 'acme', '--name', 'Front desk', '--id', '1');
  await roster.json('keys', 'create', '--project', 'acme', '--name', 'CRM sync');
  await create(roster, 'First');
}

async function create(roster: Roster, name: string): Promise<void> {
  await roster.json('contacts', 'create', '--chatbot', '1', '--set', `name=${name}`);
}

async function namesIn(roster: Roster): Promise<string[]> {
  const { contacts } = await roster.json<{ contacts: { name: string }[] }>('contacts', 'list', '--chatbot', '1');
  return contacts.map(({ name }) => name).toSorted();
}

/** Lines of the page, for this machine. */
function here({ folder }: Machine, text: string): string {
  return text.replaceAll('/backups', join(folder, 'backups'));
}

function baseIn({ folder }: Machine): string {
  const backups = join(folder, 'backups');
  return join(backups, readdirSync(backups).find((name) => name.startsWith('base')) ?? '');
}

function url({ port }: Machine): string {
  return `postgres://roster@127.0.0.1:${port}/postgres`;
}

function give(folder: string): void {
  if (nobody.uid !== undefined) spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, folder]);
}

function tool({ bin, folder }: Machine, name: string, args: string[]): void {
  const { status, stderr } = spawnSync(join(bin, name), args, { ...nobody, cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${name}: ${stderr}`);
}

async function start(machine: Machine, data: string): Promise<ChildProcess> {
  const { bin, folder, port } = machine;
  const args = ['-D', join(folder, data), '-p', String(port), '-c', 'unix_socket_directories='];
  const child = spawn(join(bin, 'postgres'), args, { ...nobody, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until('PostgreSQL answers', async () => {
    assert.equal(child.exitCode, null, `PostgreSQL did not start: ${log}`);
    return administer(url(machine), 'select 1').then(
      () => true,
      () => false,
    );
  });
  return child;
}

async function crash(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGQUIT');
  await ended;
}
