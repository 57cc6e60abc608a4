import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openAsker } from '../../test/support/asker.ts';
import type { Outcome } from '../guarantee.ts';
import { type Installation, populate } from '../installation.ts';
import { objectionToFailure } from './strace.ts';

const importsMax = 30;
const rowsOfImport = 1_000;

/** A disk of 4 MiB that fills up under a service and its imports, and has room again; where one can be mounted. */
export async function fillSmallDisk(at: Installation): Promise<Outcome> {
  using disk = mountSmallDisk(at);
  if (!disk) return { tried: 0, measured: 'no small disk', failures: [], notShown: [noSmallDisk] };
  const { token } = await populate(at, 20);
  const file = join(disk.mount, 'roster.db');
  cpSync(at.file, file);
  return await fill(at, disk.mount, { DATABASE_URL: `sqlite:${file}`, ROSTER_RATE_LIMIT: '0' }, token);
}

export const noSmallDisk = 'this user may mount no small disk';

/** A disk of 4 MiB in the folder of an installation; undefined where none can be mounted. */
export function mountSmallDisk({ folder }: Installation): ({ mount: string } & Disposable) | undefined {
  const mount = join(folder, 'small');
  mkdirSync(mount);
  const options = ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', mount];
  if (process.platform !== 'linux' || spawnSync('mount', options, { stdio: 'ignore' }).status !== 0) return undefined;
  return { mount, [Symbol.dispose]: () => void spawnSync('umount', ['--lazy', mount], { stdio: 'ignore' }) };
}

async function fill(at: Installation, mount: string, env: Record<string, string>, token: string): Promise<Outcome> {
  const filler = join(mount, 'filler');
  writeFileSync(filler, Buffer.alloc(2 ** 20));
  const served = await at.serve(env);
  using asker = openAsker(served.address);
  const statusOf = async (id: string) => (await asker.get(`/v2/chatbots/shop/contacts/${id}`, token)).status;
  const failures: string[] = [];
  let accepted = 0;
  let refused = 0;
  const importNext = async (round: number): Promise<boolean> => {
    const rows = Array.from({ length: rowsOfImport }, (_, row) =>
      JSON.stringify({ id: `${round}-${row}`, name: `Person ${row}`, email: `${round}-${row}@example.com` }),
    );
    const args = ['contacts', 'import', '-', '--format', 'ndjson', '--chatbot', 'shop', '--json'];
    const ended = await at.run(args, { input: rows.join('\n'), env });
    const isDone = ended.code === 0;
    const objection = isDone ? undefined : objectionToFailure(ended);
    if (objection !== undefined) failures.push(`a full disk: ${objection}`);
    if (!isDone && !ended.stderr.includes('disk is full')) failures.push(`a full disk is called: ${ended.stderr}`);
    const found = new Set<number>();
    for (let row = 0; row < rowsOfImport; row++) found.add(await statusOf(`${round}-${row}`));
    if (found.size !== 1 || !found.has(isDone ? 200 : 404))
      failures.push(`a full disk: import ${round} ended with ${ended.code} and left ${[...found].join()}`);
    return isDone;
  };
  while (accepted < importsMax && (await importNext(accepted))) accepted++;
  refused++;
  for (let index = 0; index < 20; index++) {
    const status = await statusOf(`contact-${index}`);
    if (status !== 200) failures.push(`on a full disk a contact gets ${status}`);
  }
  if (accepted === importsMax) failures.push('the small disk was never full');
  failures.push(...(await rememberOn(at, mount)));
  refused++;
  rmSync(filler);
  if (!(await importNext(importsMax + 1))) failures.push('nothing is stored though the disk has room again');
  served.child.kill('SIGTERM');
  const { code } = await served.ended;
  if (code !== 0) failures.push(`a service on a full disk ended with ${code}`);
  return {
    tried: refused,
    measured: `a disk of 4 MiB full after ${accepted} imports and used again`,
    failures,
  };
}

/** A dry run on a large disk that has to remember more than fits into the temporary folder. */
async function rememberOn(at: Installation, mount: string): Promise<string[]> {
  const website = `https://example.com/${'x'.repeat(2_000)}`;
  const rows = Array.from({ length: 8_000 }, (_, row) => JSON.stringify({ id: `dry-${row}`, website }));
  const args = ['contacts', 'import', '-', '--format', 'ndjson', '--chatbot', 'shop', '--dry-run'];
  const ended = await at.run(args, { input: rows.join('\n'), env: { TMPDIR: mount } });
  const objection = ended.code === 74 ? objectionToFailure(ended) : `ended with ${ended.code}: ${ended.stderr}`;
  return objection === undefined ? [] : [`a full temporary folder: ${objection}`];
}
