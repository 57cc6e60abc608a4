import { fileURLToPath } from 'node:url';

import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import { createKey } from '../installation.ts';
import { inProcess, memoryOf, startClock, unlimitedTarget } from '../load/load.ts';
import { callPolitely } from '../load/polite-caller.ts';
import type { SlowPlan, SlowReport } from '../load/slow-callers.ts';

/** Those who send headers or a body byte by byte, and those who ask for much and read none of it. */
export const slowClients: Guarantee = {
  name: 'slow clients',
  sizes: { smoke: 0, core: 20, full: 1_000 },
  engines: ['SQLite'],
  prove,
};

const program = fileURLToPath(new URL('../load/slow-callers.ts', import.meta.url));
/** The largest answer that there is, and without a key. */
const largePath = '/docs/js/scalar.js';
const kinds = ['headers', 'bodies', 'readers'] as const;
const closedWithinSeconds = 15;
const fullSeconds = 60;
const fullSize = 1_000;
/** Median of a caller beside them, who shares the cores with them. */
const servedWithinMs = 100;

async function prove({ target, size }: Trial): Promise<Outcome> {
  const { address, port, token, paths, served, installation } = await unlimitedTarget({ target });
  const other = await createKey(installation, 'other');
  const seconds = size < fullSize ? closedWithinSeconds + 2 : fullSeconds;
  let isOver = false;
  const path = paths[1] ?? '';
  const beside = callPolitely(address, { path, token: other }, () => isOver);
  const alive = callPolitely(address, { path: '/livez' }, () => isOver);
  const plan: SlowPlan = { port, token, largePath, count: size, seconds, closedWithinSeconds };
  const clock = startClock(served.pid);
  const report = await inProcess<SlowReport>(program, plan);
  isOver = true;
  const slowdown = clock();
  const others = [await beside, await alive];
  const failures = others.flatMap(({ wrong, statuses }) => [
    ...wrong.slice(0, 5),
    ...((statuses[503] ?? 0) > 0 ? [`who is not slow was turned away ${statuses[503]} times`] : []),
    ...((statuses[200] ?? 0) < seconds ? [`who is not slow had only ${statuses[200] ?? 0} answers`] : []),
  ]);
  const notShown = others
    .filter(({ good }) => good.p50 > servedWithinMs * slowdown)
    .map(({ good }) => `half of the answers to who is not slow took over ${good.p50} ms`);
  for (const kind of kinds) {
    const { opened, closed, atOnce, longest } = report[kind];
    if (atOnce < size) failures.push(`only ${atOnce} slow ${kind} were there at once`);
    if (closed < opened) failures.push(`${opened - closed} of ${opened} slow ${kind} were never closed`);
    if (longest > closedWithinSeconds) notShown.push(`slow ${kind} were closed after up to ${longest.toFixed(1)} s`);
  }
  const longest = Math.max(...kinds.map((kind) => report[kind].longest));
  const [answers] = others;
  return {
    tried: kinds.reduce((sum, kind) => sum + report[kind].opened, 0),
    measured: `closed within ${longest.toFixed(1)} s; others p99 ${answers?.good.p99} ms, ${memoryOf(served.pid)} MB`,
    failures,
    notShown,
  };
}
