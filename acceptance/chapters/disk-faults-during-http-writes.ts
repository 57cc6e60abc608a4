import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { seededRandom } from '../../test/support/random.ts';
import { serveTraced, straceObjection } from '../faults/strace.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Installation, objectionsOfDoctor } from '../installation.ts';
import { type Api, codeOf, headerOf, openApi } from '../parts/api.ts';
import type { Reply } from '../parts/caller.ts';
import { type Entry, openWriter, type Writer } from '../writes/journal.ts';
import { type Ledger, openLedger } from '../writes/ledger.ts';
import { aTenant, sharedChatbot } from '../writes/tenant.ts';

/** Syncs and writes of the log that fail, and a disk that fills up, while callers write over HTTP. */
export const diskFaultsDuringHttpWrites: Guarantee = {
  name: 'disk faults during HTTP writes',
  // So many calls fail.
  sizes: { smoke: 0, core: 3, full: 60 },
  engines: ['SQLite'],
  prove,
};

interface Fault {
  calls: string;
  inject: (n: number) => string;
  /** The process then writes no more. */
  isSync: boolean;
}

const faults: readonly Fault[] = [
  { calls: 'fsync,fdatasync', inject: (n) => `error=EIO:when=${n}`, isSync: true },
  { calls: 'pwrite64', inject: (n) => `error=EIO:when=${n}`, isSync: false },
  { calls: 'pwrite64', inject: (n) => `error=ENOSPC:when=${n}+`, isSync: false },
];
const writers = 6;
const writesMax = 400;
const writesAfterRefusal = 5;
const contacts = `/v2/chatbots/${sharedChatbot}/contacts`;

interface Tally {
  statuses: Record<string, number>;
  failures: string[];
  notShown: string[];
}

async function prove({ install, size, seed, tell }: Trial) {
  const objection = straceObjection();
  const tally: Tally = { statuses: {}, failures: [], notShown: [] };
  if (objection === undefined) await failCalls(await install(), size, seed, tally, tell);
  else tally.notShown.push(`no call was made to fail, as ${objection}`);
  const full = await fillDisk(await install(), seed, tally);
  const statuses = Object.entries(tally.statuses).map(([status, count]) => `${count} × ${status}`);
  return {
    tried: (objection === undefined ? size : 0) + full,
    measured: statuses.join(', '),
    failures: tally.failures,
    notShown: tally.notShown,
  };
}

async function failCalls(at: Installation, size: number, seed: number, tally: Tally, tell: Trial['tell']) {
  const { token } = await aTenant(at, 'acme');
  const random = seededRandom(seed);
  const ledger = openLedger(contacts);
  for (let index = 0; index < size && tally.failures.length < 10; index++) {
    const fault = faults[index % faults.length];
    if (!fault) return;
    // The first calls are those of the start.
    const inject = fault.inject(1 + Math.floor(index / faults.length) + random.below(fault.isSync ? 8 : 40));
    const service = await serveTraced(at, fault.calls, inject);
    const journal: Entry[] = [];
    using api = await openApi(service.port, token);
    const note = (wrong: string) => void tally.failures.push(`seed ${seed}, ${fault.calls} ${inject}: ${wrong}`);
    await writeThrough(api, journal, fault.isSync, seed + index, note);
    for (const one of await objectionsToReads(api, fault.isSync, journal)) note(one);
    const { code } = await service.stop();
    if (code !== 0) note(`the service ended with ${code}`);
    await auditAfter(at, token, ledger, journal, tally, note);
    tell(`${index + 1} of ${size} calls failed`);
  }
}

/** Callers write until one is refused, and a little more. */
async function writeThrough(api: Api, journal: Entry[], isSync: boolean, seed: number, note: (wrong: string) => void) {
  let isRefused = false;
  const work = async (write: Writer) => {
    for (let left = writesAfterRefusal; left > 0 && journal.length < writesMax;) {
      const wasRefused = isRefused;
      const reply = await write(api, journal);
      if (reply.status >= 300) isRefused = true;
      if (wasRefused) left--;
      const objection = objectionTo(reply, isSync);
      if (objection !== undefined) note(objection);
      if (isSync && wasRefused && reply.status !== 503)
        note(`after a failed sync a write got ${reply.status} ${reply.body}`);
    }
  };
  await Promise.all(
    Array.from({ length: writers }, (_, index) => work(openWriter(contacts, seededRandom(seed + index)))),
  );
  if (!isRefused) note('nothing was refused');
}

function objectionTo(reply: Reply, isSync: boolean): string | undefined {
  if (reply.status < 300) return undefined;
  const name = `${reply.status} ${codeOf(reply)}`;
  if (name === '503 unavailable')
    return headerOf(reply, 'retry-after') === undefined ? '503 without Retry-After' : undefined;
  return isSync && name === '500 outcome_unknown' ? undefined : `a write got ${reply.body}`;
}

/** Reads go on; the feed shows nothing that may not be on the disk. */
async function objectionsToReads(api: Api, isSync: boolean, journal: readonly Entry[]): Promise<string[]> {
  const wrong: string[] = [];
  const status = async (path: string) => (await api.ask({ method: 'GET', path })).status;
  for (const path of [`${contacts}?per_page=5`, '/v2/chatbots', '/v2/members'])
    if ((await status(path)) !== 200) wrong.push(`${path} is not answered`);
  const ready = await status('/readyz');
  if (isSync && ready !== 503) wrong.push(`after a failed sync /readyz is ${ready}`);
  const isWritten = journal.some(({ reply }) => reply && reply.status < 300);
  const feed = await status('/v2/events');
  if (isSync && isWritten && feed !== 503) wrong.push(`after a failed sync the feed is ${feed}`);
  return wrong;
}

/** With a sound disk again, everything has to agree with what was answered. */
async function auditAfter(
  at: Installation,
  token: string,
  ledger: Ledger,
  journal: readonly Entry[],
  tally: Tally,
  note: (wrong: string) => void,
  env: Record<string, string> = {},
) {
  const served = await at.serve({ ROSTER_RATE_LIMIT: '0', ...env });
  using api = await openApi(served.port, token);
  for (const { reply } of journal) {
    const name = reply && reply.status < 300 ? 'done' : String(reply?.status);
    tally.statuses[name] = (tally.statuses[name] ?? 0) + 1;
  }
  // Of a 503 there must be no event; what came of a 500 nobody knows.
  const judged = journal
    .filter(({ reply }) => reply?.status !== 503)
    .map(({ reply, ...entry }): Entry => (reply && reply.status < 300 ? Object.assign(entry, { reply }) : entry));
  for (const one of await ledger.audit(api, judged)) note(one);
  for (const one of await ledger.repeat(api, judged)) note(one);
  for (const one of await objectionsOfDoctor(at, env)) note(one);
  served.child.kill('SIGTERM');
  await served.ended;
}

/** A disk of 4 MiB that fills up under callers, and has room again. */
async function fillDisk(at: Installation, seed: number, tally: Tally): Promise<number> {
  using disk = mountSmallDisk(at);
  if (!disk) {
    tally.notShown.push('this user may mount no small disk');
    return 0;
  }
  const { token } = await aTenant(at, 'acme');
  const env = { DATABASE_URL: `sqlite:${join(disk.mount, 'roster.db')}` };
  cpSync(at.file, join(disk.mount, 'roster.db'));
  const filler = join(disk.mount, 'filler');
  writeFileSync(filler, Buffer.alloc(3 * 2 ** 20));
  const served = await at.serve({ ROSTER_RATE_LIMIT: '0', ...env });
  using api = await openApi(served.port, token);
  const journal: Entry[] = [];
  const note = (wrong: string) => void tally.failures.push(`seed ${seed}, a full disk: ${wrong}`);
  await writeThrough(api, journal, false, seed, note);
  for (const one of await objectionsToReads(api, false, journal)) note(one);
  rmSync(filler);
  const { status, body } = await openWriter(contacts, seededRandom(seed))(api, journal);
  if (status >= 300) note(`with room again a write got ${status} ${body}`);
  served.child.kill('SIGTERM');
  await served.ended;
  await auditAfter(at, token, openLedger(contacts), journal, tally, note, env);
  return 1;
}

/** A disk of 4 MiB in the folder of an installation; undefined where none can be mounted. */
function mountSmallDisk({ folder }: Installation): ({ mount: string } & Disposable) | undefined {
  const mount = join(folder, 'small');
  mkdirSync(mount);
  const options = ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', mount];
  if (process.platform !== 'linux' || spawnSync('mount', options, { stdio: 'ignore' }).status !== 0) return undefined;
  return { mount, [Symbol.dispose]: () => void spawnSync('umount', ['--lazy', mount], { stdio: 'ignore' }) };
}
