import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeDueBackup } from '../../src/cli/upkeep/due-backup.ts';
import { sqlitePath } from '../../src/database/open-store.ts';
import { holdBackups } from '../../src/database/sqlite/hold.ts';
import { verifyBackup } from '../../src/database/upkeep/backup.ts';
import { backUpInto, datedBackups } from '../../src/database/upkeep/dated-backups.ts';
import { retryMs, startBackups } from '../../src/jobs/backups.ts';
import { fileStamp } from '../../src/values/timestamp.ts';
import { engines, temporaryFolder } from '../support/engines.ts';

const day = 86_400;
const nameOf = (secondsAgo: number) => `roster-${fileStamp(new Date(Date.now() - secondsAgo * 1_000))}.db`;

/** A database, a folder for its backups, and what a service does there in one process. */
async function aService() {
  const stack = new AsyncDisposableStack();
  const { database, url } = stack.use(await engines[0].open());
  const path = sqlitePath(url) ?? '';
  const { path: folder } = stack.use(temporaryFolder());
  const due = (everySeconds = day, keep = 14, command?: string) =>
    makeDueBackup({ path, folder, everySeconds, command }, () => backUpInto(database, path, folder, keep));
  /** A finished backup of some time ago. */
  const planted = async (secondsAgo: number): Promise<string> => {
    const at = new Date(Date.now() - secondsAgo * 1_000);
    return (await backUpInto(database, path, folder, undefined, at)).file;
  };
  const names = () => readdirSync(folder).toSorted();
  return { path, folder, due, planted, names, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe('a backup of a service', () => {
  it('is made when the newest in the folder is old enough, and not by a restart before', async () => {
    await using at = await aService();
    const { made } = await at.due();
    expect(await verifyBackup(made?.file ?? '')).toMatchObject({ checked: 'digest and structure' });
    for (const _restart of [1, 2, 3]) expect(await at.due()).toMatchObject({ made: null, isBusy: false });
    expect(await at.due(day)).toMatchObject({ made: null });
    await using older = await aService();
    await older.planted(day - 60);
    expect(await older.due(day)).toMatchObject({ made: null });
    expect(await older.due(day - 61)).toMatchObject({ made: { removed: 0 } });
  });

  it('is made after the clock was set back by more than the time between two', async () => {
    await using at = await aService();
    await at.planted(-3 * day);
    expect(await at.due()).toMatchObject({ made: { file: expect.any(String) } });
  });

  it('is made once and costs no good one, although a wrong clock has dated an older one in the future', async () => {
    await using at = await aService();
    const good = [await at.planted(3 * day), await at.planted(2 * day)];
    const wrong = await at.planted(-1_000 * day);
    const { made } = await at.due(day, 3);
    expect(await at.due(day, 3)).toMatchObject({ made: null });
    expect((await datedBackups(at.folder)).map(({ file }) => file)).toEqual([...good, made?.file]);
    expect(existsSync(wrong)).toBe(false);
  });

  it('is not made while another process makes one', async () => {
    await using at = await aService();
    const held = holdBackups(at.path);
    expect(await at.due()).toEqual({ made: null, isBusy: true, commandFailure: null });
    held?.[Symbol.dispose]();
    expect(at.names()).toEqual([]);
    expect(await at.due()).toMatchObject({ isBusy: false, made: { removed: 0 } });
  });

  it('is still due beside a file with such a name and no digest, which stays', async () => {
    await using at = await aService();
    const foreign = [nameOf(60), nameOf(120)];
    for (const name of foreign) writeFileSync(join(at.folder, name), 'mine');
    mkdirSync(join(at.folder, nameOf(180)));
    expect(await at.due(day, 1)).toMatchObject({ made: { removed: 0 } });
    for (const name of foreign) expect(existsSync(join(at.folder, name))).toBe(true);
  });

  it('takes the place of the oldest that the service has made, and of nothing else', async () => {
    await using at = await aService();
    const oldest = await at.planted(3 * day);
    const newer = await at.planted(2 * day);
    writeFileSync(`${oldest}.sent`, '');
    const others = ['notes.txt', 'roster-2026-01-01.db', 'my-roster-2026-01-01T03-00-00Z.db', 'roster.db'];
    for (const name of others) writeFileSync(join(at.folder, name), 'mine');
    expect(await at.due(day, 2)).toMatchObject({ made: { removed: 1 } });
    expect((await datedBackups(at.folder)).map(({ file }) => file)[0]).toBe(newer);
    expect(at.names().filter((name) => oldest.endsWith(name.slice(0, 32)))).toEqual([]);
    for (const name of others) expect(existsSync(join(at.folder, name))).toBe(true);
  });

  it('leaves nothing of one that was killed, and lets those of living processes be', async () => {
    await using at = await aService();
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    const [killed, own, living, old] = [nameOf(30), nameOf(25), nameOf(20), nameOf(10)];
    for (const name of [`${killed}.${dead}.unfinished`, `${killed}.sha256`]) writeFileSync(join(at.folder, name), '');
    // In a container the next process often has the same id.
    for (const id of [process.pid, `${process.pid}-2`]) writeFileSync(join(at.folder, `${own}.${id}.unfinished`), '');
    writeFileSync(join(at.folder, `${living}.${process.ppid}.unfinished`), '');
    writeFileSync(join(at.folder, `${old}.${process.ppid}.unfinished`), '');
    utimesSync(join(at.folder, `${old}.${process.ppid}.unfinished`), 1, 1);
    const { made } = await at.due();
    const name = made?.file.slice(at.folder.length + 1) ?? '';
    expect(at.names()).toEqual([`${living}.${process.ppid}.unfinished`, name, `${name}.sha256`].toSorted());
  });

  it('counts when only the last step of its process is missing', async () => {
    await using at = await aService();
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    const file = await at.planted(60);
    writeFileSync(`${file}.${dead}.unfinished`, '');
    expect(await at.due()).toMatchObject({ made: null });
    expect(at.names()).toHaveLength(2);
  });
});

it('no backup begins once the service is told to stop', async () => {
  const began = Promise.withResolvers<void>();
  const seen = Promise.withResolvers<{ newest: undefined; isUnsent: boolean }>();
  let times = 0;
  const backups = startBackups({
    everySeconds: day,
    firstLookMs: 0,
    look: () => {
      began.resolve();
      return seen.promise;
    },
    make: async () => {
      times++;
      return { made: null, isBusy: false, failures: {} };
    },
    log: { info: () => undefined, error: () => undefined },
  });
  await began.promise;
  const stopped = backups[Symbol.asyncDispose]();
  seen.resolve({ newest: undefined, isUnsent: false });
  await stopped;
  expect(times).toBe(0);
});

describe('the command of a service', () => {
  it('is tried again for the newest backup until it succeeds, also after a restart', async () => {
    await using at = await aService();
    const failed = { commandFailure: 'ended with code 1' };
    expect(await at.due(day, 14, '/bin/false')).toMatchObject({ made: { removed: 0 }, ...failed });
    expect(await at.due(day, 14, '/bin/false')).toMatchObject({ made: null, ...failed });
    expect(await at.due(day, 14, '/nowhere/copy')).toMatchObject({ commandFailure: 'could not be started (ENOENT)' });
    expect(await at.due(day, 14, '/bin/true')).toMatchObject({ made: null, commandFailure: null });
    // It is not run once more.
    expect(await at.due(day, 14, '/bin/false')).toMatchObject({ made: null, commandFailure: null });
  });

  it('ends with all that it has started when it takes too long', async () => {
    await using at = await aService();
    const script = join(at.folder, 'hangs');
    writeFileSync(script, `#!/bin/sh\nsleep 60 & echo $! > "${at.folder}/sleeper"; wait\n`, { mode: 0o700 });
    const { commandFailure } = await at.due(1, 14, script);
    expect(commandFailure).toBe('took longer than 1 s');
    const isAsleep = () => spawnSync('sh', ['-c', `kill -0 $(cat "${at.folder}/sleeper")`]).status === 0;
    await expect.poll(isAsleep).toBe(false);
  });
});

it('a failure is retried after a minute, then after twice as long, but at most after an hour or the time between two', () => {
  const waits = (everySeconds: number) => [1, 2, 3, 7, 50].map((times) => retryMs(times, everySeconds * 1_000) / 1_000);
  expect(waits(day)).toEqual([60, 120, 240, 3_600, 3_600]);
  expect(waits(90)).toEqual([60, 90, 90, 90, 90]);
});
