import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { blocksOf, textOf } from '../../test/support/markdown.ts';
import { rosterIn } from '../support/roster.ts';
import { until } from '../support/until.ts';
import { quietMoment } from './quiet-moment.ts';

const page = textOf('docs/backups.md', 'Point-in-time recovery on SQLite: Litestream');
/** An older version, so that a migration runs beside Litestream. */
const old = new URL('../../test/data/databases/498b57d.sqlite.gz', import.meta.url);
const people = 400;

/** Migrates and serves beside Litestream, and recovers to the last second and to an earlier time. */
export async function checkLitestream(litestream: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'recovery-litestream-'));
  const path = join(folder, 'roster.db');
  const roster = rosterIn(folder, { DATABASE_URL: `sqlite:${path}` });
  const call = (...args: string[]) => execFileSync(litestream, args, { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
  let replicating: ChildProcess | undefined;
  try {
    writeFileSync(path, gunzipSync(readFileSync(old)), { mode: 0o600 });
    writeFileSync(join(folder, 'litestream.yml'), configuration(folder));
    const config = ['-config', join(folder, 'litestream.yml')];
    const replicate = () => spawn(litestream, ['replicate', ...config], { cwd: folder, stdio: 'ignore' });
    replicating = replicate();
    await until('Litestream has begun', () => existsSync(join(folder, 'replica/generations')));
    const { applied } = await roster.json<{ applied: string[] }>('migrate');
    assert.ok(applied.length > 0);

    await roster.json('projects', 'create', 'Example Ltd', '--id', 'recovery', '--owner', 'ada@example.com');
    await roster.json('chatbots', 'create', '--project', 'recovery', '--name', 'Front desk', '--id', 'recovery-desk');
    const inProject = ['--project', 'recovery'];
    const { token } = await roster.json<{ token: string }>(
      'keys',
      'create',
      ...inProject,
      '--name',
      'CRM',
      '--scope',
      'all',
    );
    const leaked = await roster.json<{ id: string }>('keys', 'create', ...inProject, '--name', 'leaked');
    const desk = ['--chatbot', 'recovery-desk', ...inProject];
    const erased = await roster.json<{ id: string }>('contacts', 'create', ...desk, '--set', 'name=Erased Person');
    await using service = await roster.serve();
    const add = addTo(`${service.address}/v2/chatbots/recovery-desk/contacts`, token);
    await add(people);
    const moment = await quietMoment();
    const halves = [add(people), roster.json('contacts', 'purge', erased.id, ...desk, '--yes')];
    await Promise.all([...halves, roster.json('keys', 'revoke', leaked.id)]);
    await service.stop();
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    await pause(3_000);

    call('restore', ...config, '-o', join(folder, 'last.db'), path);
    assert.deepEqual(contentOf(join(folder, 'last.db')), contentOf(path));
    const last = rosterIn(folder, { DATABASE_URL: `sqlite:${join(folder, 'last.db')}` });
    assert.equal((await last.run('doctor')).code, 0);

    const [lines = ''] = blocksOf(page, 'bash');
    const [, flags = ''] = /^litestream restore (.*)$/m.exec(lines.replaceAll('/var/lib/roster', folder)) ?? [];
    call('restore', ...config, ...flags.replace(/\d{4}-\d\d-\d\dT\S+/, moment).split(' '));
    const back = join(folder, 'back.db');
    assert.equal(countIn(back), people + 1);
    assert.ok(readFileSync(back).includes('Erased Person'), 'the replica has lost a purged person before its time');
    const ended = once(replicating, 'exit');
    replicating.kill();
    await ended;
    await roster.json('backup', 'verify', back);
    await roster.json('restore', back);
    assert.equal(countIn(path), people);
    const keys = await roster.json<{ id: string; revoked_at: string | null }[]>(
      'keys',
      'list',
      '--project',
      'recovery',
    );
    assert.notEqual(keys.find(({ id }) => id === leaked.id)?.revoked_at, null);
    const { code, stdout } = await roster.run('doctor');
    assert.equal(code, 0, stdout);
    rmSync(join(folder, '.roster.db-litestream'), { recursive: true });
    replicating = replicate();
    await roster.json('contacts', 'create', ...desk, '--set', 'name=Somebody Else');
    await pause(3_000);
    call('restore', ...config, '-o', join(folder, 'since.db'), path);
    assert.deepEqual(contentOf(join(folder, 'since.db')), contentOf(path));
    return `${call('version').trim()} beside a migration and a service: the last second is equal in every row; back at ${moment}, who was purged and revoked since stays so; the log had ${Math.ceil(log / 1_024)} KiB`;
  } finally {
    replicating?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The page's configuration, with a folder in place of the object store. */
function configuration(folder: string): string {
  const [text = ''] = blocksOf(page, 'yaml');
  const here = text.replaceAll('/var/lib/roster', folder);
  return here.replace(/type: s3\n.*\n( +)path: .*\n/, `type: file\n$1path: ${join(folder, 'replica')}\n`);
}

function addTo(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const addOne = async (number: number) => {
    const body = JSON.stringify({ properties: { name: `Person ${number}`, email: `person-${number}@example.com` } });
    const answer = await fetch(url, { method: 'POST', headers, body });
    assert.equal(answer.status, 201, await answer.text());
  };
  return async (count: number) => {
    for (let done = 0; done < count; done += 4) await Promise.all([0, 1, 2, 3].map((one) => addOne(done + one)));
  };
}

function countIn(file: string): number {
  using db = new DatabaseSync(file, { readOnly: true });
  return Number(db.prepare("select count(*) as total from contacts where project_id = 'recovery'").get()?.['total']);
}

/** Every row of every table. */
function contentOf(file: string): Record<string, unknown[]> {
  using db = new DatabaseSync(file, { readOnly: true });
  // The index has no rows of its own; what it holds is in other tables.
  const tables = db.prepare("select name from sqlite_schema where type = 'table' and sql not like '%virtual%'").all();
  return Object.fromEntries(
    tables.map(({ name }) => [String(name), db.prepare(`select * from "${String(name)}" order by 1`).all()]),
  );
}
