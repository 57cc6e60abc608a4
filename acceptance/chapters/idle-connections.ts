import { fileURLToPath } from 'node:url';

import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import type { IdlePlan, IdleReport } from '../load/idle-callers.ts';
import { getRequest, inProcess, memoryOf, unlimitedTarget } from '../load/load.ts';
import { callPolitely } from '../load/polite-caller.ts';

/** Connections that were answered once and are kept, as those of many callers are most of the time. */
export const idleConnections: Guarantee = {
  name: 'idle connections',
  sizes: { smoke: 500, core: 3_000, full: 10_000 },
  engines: ['SQLite'],
  prove,
};

const program = fileURLToPath(new URL('../load/idle-callers.ts', import.meta.url));
const fullSize = 10_000;
const memoryMax = 250;
const answeredWithinMs = 100;

async function prove({ target, size }: Trial): Promise<Outcome> {
  const { address, port, token, paths, served } = await unlimitedTarget({ target });
  const path = paths[1] ?? '';
  const { text } = getRequest(path, token);
  const plan: IdlePlan = { port, request: text, connections: size, seconds: size < fullSize ? 1 : 40 };
  let isOver = false;
  let memory = 0;
  // Opening them is work like any other; what counts is how it is while they are there.
  const holding = inProcess<IdleReport>(program, plan).finally(() => (isOver = true));
  const beside = callPolitely(address, { path, token }, () => {
    memory = Math.max(memory, memoryOf(served.pid));
    return isOver;
  });
  const { held, dropped } = await holding;
  const { good, statuses, wrong } = await beside;
  const failures = wrong.slice(0, 5);
  if (held < size) failures.push(`only ${held} of ${size} connections were answered and held`);
  if (dropped > 0) failures.push(`${dropped} connections were dropped`);
  if ((statuses[200] ?? 0) < 5) failures.push(`only ${statuses[200] ?? 0} answers were given beside them`);
  const notShown: string[] = [];
  if (memory > memoryMax) notShown.push(`${memory} MB were used`);
  if (good.p99 > answeredWithinMs) notShown.push(`one in a hundred answers took over ${good.p99} ms`);
  return {
    tried: held,
    measured: `others p99 ${good.p99} ms, at most ${good.max}; ${memory} MB`,
    failures,
    notShown,
  };
}
