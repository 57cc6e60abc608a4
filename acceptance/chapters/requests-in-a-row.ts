import { setTimeout as pause } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import { getRequest, load, memoryOf, type Request, unlimitedTarget } from '../load/load.ts';

/** Requests one after the other, one in ten of them bad in one of many ways: what each leaves behind adds up. */
export const requestsInARow: Guarantee = {
  name: 'requests in a row',
  sizes: { smoke: 0, core: 30_000, full: 1_000_000 },
  engines: ['SQLite'],
  prove,
};

const connections = 32;
const growthMax = 1.1;
const settlesWithinMs = 3_000;

async function prove({ target, size, seed, tell }: Trial): Promise<Outcome> {
  const { port, token, paths, served } = await unlimitedTarget({ target });
  const requests = mixed(paths, token, seed);
  const first = await load({ port, requests, connections, total: size / 10 });
  const before = await settled(served.pid);
  tell(`${before} MB after ${first.sent}`);
  const rest = await load({ port, requests, connections, total: size - size / 10 });
  const after = await settled(served.pid);
  const failures: string[] = [];
  for (const { wrong, shed, broken, examples } of [first, rest]) {
    failures.push(...examples);
    if (wrong + shed > 0) failures.push(`${wrong} wrong answers, ${shed} turned away`);
    // The last of each connection are not waited for.
    if (broken > 0) failures.push(`${broken} connections broke while an answer was awaited`);
  }
  const good = first.good + rest.good;
  if (good < size - 2 * connections) failures.push(`only ${good} of ${size} were answered rightly`);
  return {
    tried: first.sent + rest.sent,
    measured: `${before} MB after ${first.sent}, ${after} MB at the end (${Math.round((after / before - 1) * 100)} %)`,
    failures,
    // Of less than a million the first tenth does not yet use what a busy server uses.
    notShown: after > before * growthMax ? [`memory grew from ${before} to ${after} MB`] : [],
  };
}

/** A thousand of them, to be put again and again; nine in ten are good. */
function mixed(paths: readonly string[], token: string, seed: number): Request[] {
  const random = seededRandom(seed);
  const bad: ((path: string) => Request)[] = [
    () => getRequest(`/v2/chatbots/shop/contacts/nobody-${random.below(1e9)}`, token, 404),
    () => getRequest(`/v2/chatbots/other-${random.below(1e9)}/contacts/x`, token, 404),
    () => getRequest(`/v2/members?page=${random.below(1e9)}e3`, token, 422),
    () => getRequest(`/nowhere/${random.below(1e9)}`, token, 404),
    () => getRequest(`/v2/%zz${random.below(1e9)}`, token, 400),
    (path) => getRequest(path, `wrong-${random.below(1e9)}-0123456789`, 401),
    (path) => ({ text: getRequest(path, token).text.replace('GET', 'PUT'), status: 405 }),
    (path) => ({ text: getRequest(path, token).text.replace('Host', 'Expect: odd\r\nHost'), status: 417 }),
    (path) => ({ text: getRequest(path, token).text.replace('Host', 'Host: twice\r\nHost'), status: 400 }),
    (path) => ({ text: getRequest(path, token).text.replace('Host', ' folded\r\nHost'), status: 400 }),
  ];
  return Array.from({ length: 1_000 }, (_, index) => {
    const path = random.pick(paths);
    return index % 10 === 9 ? random.pick(bad)(path) : getRequest(path, token);
  });
}

/** The least that is used within some seconds, as what is no longer needed goes by and by. */
async function settled(pid: number): Promise<number> {
  const until = performance.now() + settlesWithinMs;
  let least = memoryOf(pid);
  while (performance.now() < until) {
    await pause(250);
    least = Math.min(least, memoryOf(pid));
  }
  return least;
}
