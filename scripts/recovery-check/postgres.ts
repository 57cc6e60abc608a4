import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { blocksOf, textOf } from '../../test/support/markdown.ts';
import { administer, giveAway, nobody, serverIn, startPostgres } from '../../test/support/postgres.ts';
import { type Roster, rosterIn } from '../support/roster.ts';
import { until } from '../support/until.ts';
import { quietMoment } from './quiet-moment.ts';

const page = textOf('docs/backups.md', 'Point-in-time recovery on PostgreSQL: WAL archiving');

/** With the PostgreSQL of this program: archives a log, loses the server, and recovers to a time between two writes. */
export async function checkArchive(program: string): Promise<string> {
  const tool = (name: string) => join(dirname(program), name);
  const programs = { initdb: tool('initdb'), postgres: tool('postgres') };
  using place = mkdtempDisposableSync(join(tmpdir(), 'recovery-postgres-'));
  const at = (path: string) => join(place.path, path);
  const here = (text = '') => text.replaceAll('/backups', at('backups'));
  mkdirSync(at('backups/wal'), { recursive: true });
  giveAway(place.path);
  await using server = await startPostgres(50, true, programs);
  const { url } = server;
  const [archiving, recovering] = blocksOf(page, 'ini');
  appendFileSync(join(server.folder, 'postgresql.conf'), here(archiving));
  await server.stop();
  await server.start();

  const roster = rosterIn(place.path, { DATABASE_URL: url });
  await populate(roster);
  const [baseBackup] = blocksOf(page, 'bash');
  const [, flags = ''] = /^pg_basebackup (.*)$/m.exec(here(baseBackup)) ?? [];
  const options = { ...nobody, cwd: place.path, stdio: 'pipe' } as const;
  execFileSync(tool('pg_basebackup'), [...flags.split(' '), `--dbname=${url}`], options);
  await create(roster, 'Before');
  const { next_cursor: cursorBefore } = await roster.json<Feed>('events', 'list', '--project', 'acme');
  const moment = await quietMoment();
  await create(roster, 'After');
  const { next_cursor: cursorAfter } = await roster.json<Feed>('events', 'list', '--project', 'acme');
  // PostgreSQL writes into the next file by itself, which is archived only when it is full.
  const [full] = await administer(url, 'select pg_walfile_name(pg_switch_wal()) as name');
  await untilAny(url, `from pg_stat_archiver where last_archived_wal >= '${String(full?.['name'])}'`);
  await server.stop('SIGQUIT');

  const base = readdirSync(at('backups')).find((name) => name.startsWith('base')) ?? '';
  cpSync(at(`backups/${base}`), at('restored'), { recursive: true });
  chmodSync(at('restored'), 0o700);
  writeFileSync(at('restored/recovery.signal'), '');
  const time = moment.replace('T', ' ').replace('Z', '+00');
  const target = here(recovering).replace(/(recovery_target_time = ').*'/, `$1${time}'`);
  assert.notEqual(target, here(recovering));
  appendFileSync(at('restored/postgresql.auto.conf'), target);
  giveAway(place.path);
  await using restored = serverIn(at('restored'), server.port, { ...programs, connectionsMax: 50, isDurable: true });
  await restored.start();
  await untilAny(url, 'where not pg_is_in_recovery()');

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

/** Waits until a query has a row. */
function untilAny(url: string, query: string): Promise<void> {
  return until(query, async () => (await administer(url, `select 1 ${query}`)).length > 0);
}
