import { setTimeout as sleep } from 'node:timers/promises';

import { openAsker } from '../../test/support/asker.ts';
import type { Ended } from '../../test/support/program.ts';
import { worksAlone, worksBeside, type Work } from '../faults/faulty-works.ts';
import { type Fault, objectionToFailure, runCounting, runWithFault, straceObjection } from '../faults/strace.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Installation, populate } from '../installation.ts';

/** One call of a program fails, then the next, until it makes no more: for each of several commands. */
export const diskFaults: Guarantee = {
  name: 'disk full, I/O and fsync errors',
  // So many calls of each command at most.
  sizes: { smoke: 0, core: 4, full: 400 },
  engines: ['SQLite'],
  prove,
};

type Kind = Omit<Fault, 'n' | 'paths'>;

/** Only SQLite, and what makes a backup, syncs and writes at a place. */
const kinds: Kind[] = [
  { call: 'fsync', error: 'EIO', andAfter: false },
  { call: 'fdatasync', error: 'EIO', andAfter: false },
  { call: 'pwrite64', error: 'EIO', andAfter: false },
  { call: 'pwrite64', error: 'ENOSPC', andAfter: true },
  { call: 'ftruncate', error: 'EIO', andAfter: false },
  { call: 'pread64', error: 'EIO', andAfter: false },
];

async function prove({ install, size, tell }: Trial) {
  const objection = straceObjection();
  if (objection !== undefined) {
    return { tried: 0, measured: '', failures: [], notShown: [`no call was made to fail, as ${objection}`] };
  }
  const tally: Tally = { tried: 0, refused: 0, accepted: 0, reads: 0, failures: [] };
  await Promise.all([tryBeside(await install(), size, tally, tell), tryAlone(await install(), size, tally, tell)]);
  const { tried, refused, accepted, reads, failures } = tally;
  if (tried === 0) failures.push('strace injected nothing');
  return { tried, measured: `${refused} refused, ${accepted} done all the same, ${reads} reads beside`, failures };
}

interface Tally {
  tried: number;
  refused: number;
  accepted: number;
  reads: number;
  failures: string[];
}

async function tryAlone(at: Installation, size: number, tally: Tally, tell: Trial['tell']): Promise<void> {
  await populate(at, 40);
  for (const work of worksAlone(at)) await tryFaults(at, work, size, tally, tell);
}

async function tryBeside(at: Installation, size: number, tally: Tally, tell: Trial['tell']): Promise<void> {
  const { token, paths } = await populate(at, 40);
  const served = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  const reader = startReader(served.address, token, paths);
  for (const work of worksBeside(at, { address: served.address, token })) await tryFaults(at, work, size, tally, tell);
  const { reads, wrong } = await reader.stop();
  tally.reads += reads;
  tally.failures.push(...wrong);
  if (reads < 20) tally.failures.push(`only ${reads} reads were tried beside the faults`);
}

/** Fails each call of one kind after the other; of all of them at most `size`, spread evenly. */
async function tryFaults(at: Installation, work: Work, size: number, tally: Tally, tell: Trial['tell']): Promise<void> {
  const judge = async (what: string, ended: Ended): Promise<boolean> => {
    const accepted = ended.code === 0;
    const wrong = await work.judge(accepted, ended.stdout);
    const objection = accepted ? undefined : objectionToFailure(ended);
    for (const one of objection === undefined ? wrong : [objection, ...wrong])
      tally.failures.push(`${work.name}, ${what}: ${one}`);
    return accepted;
  };
  const all: Fault[] = [];
  for (const [call, ofCall] of Object.entries(Object.groupBy(kinds, (kind) => kind.call))) {
    // The start of any program reads other files too.
    const paths = call === 'pread64' ? [at.file, `${at.file}-wal`] : [];
    const { calls, ...ended } = await runCounting(at, work.prepare(), { call, paths });
    if (!(await judge('no fault', ended))) return;
    for (const kind of ofCall ?? []) for (let n = 1; n <= calls; n++) all.push({ ...kind, paths, n });
  }
  for (const fault of spread(all, size)) {
    const ended = await runWithFault(at, work.prepare(), fault);
    const accepted = await judge(`${fault.error} at ${fault.call} ${fault.n}${fault.andAfter ? '+' : ''}`, ended);
    // One run has a call or two less than another.
    if (ended.injected === 0) continue;
    tally.tried++;
    tally[accepted ? 'accepted' : 'refused']++;
    if (tally.failures.length > failuresMax) return;
  }
  tell(`${work.name}: ${Math.min(size, all.length)} of ${all.length} calls failed`);
}

const failuresMax = 30;

/** At most `size` of them, the first and the last among them. */
function spread<T>(all: readonly T[], size: number): T[] {
  if (all.length <= size) return [...all];
  const step = (all.length - 1) / Math.max(1, size - 1);
  return Array.from({ length: size }, (_, index) => all[Math.round(index * step)]).filter((one) => one !== undefined);
}

/** A caller whose answers have to stay what they were. */
function startReader(address: string, token: string, paths: readonly string[]) {
  let reads = 0;
  const stopping = new AbortController();
  const wrong: string[] = [];
  const loop = async () => {
    using asker = openAsker(address);
    const first = new Map<string, string>();
    while (!stopping.signal.aborted && wrong.length < 10) {
      const path = paths[reads % paths.length] ?? '';
      const { status, body } = await asker.get(path, token);
      if (status !== 200 || body !== (first.get(path) ?? body)) wrong.push(`read ${reads}: ${path} got ${status}`);
      first.set(path, body);
      reads++;
      await sleep(5);
    }
  };
  // Told with the rest: it may come long before somebody waits for the end.
  const ended = loop().catch((error: unknown) => wrong.push(String(error)));
  return {
    stop: async () => {
      stopping.abort();
      await ended;
      return { reads, wrong };
    },
  };
}
