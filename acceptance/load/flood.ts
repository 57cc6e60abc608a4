import { setTimeout as pause } from 'node:timers/promises';

import type { Outcome, Trial } from '../guarantee.ts';
import { createKey } from '../installation.ts';
import { load, type Report, type Request, startClock, unlimitedTarget } from './load.ts';
import { callPolitely, type Manners } from './polite-caller.ts';

export type Own = Awaited<ReturnType<typeof unlimitedTarget>>;

export const fullSeconds = 60;

interface Flood {
  requestsOf: (at: Own) => readonly Request[] | Promise<readonly Request[]>;
  /** What does not hold after all loads. */
  objections?: (at: Own, loads: readonly Report[]) => Promise<string[]>;
}

const times = 5;
const floodedBy = 1_500;
const normalConnections = 64;
const politeCallers = 20;
const goodputMin = 0.8;
const recoversWithinSeconds = 5;
/** Median, as the callers share the cores with the server. */
const shedWithinMs = 50;
const othersWithinMs = 250;

/** How a guarantee is proved in which these requests are five times too many. */
export function overloadWith(what: Flood): (trial: Trial) => Promise<Outcome> {
  return (trial) => floodAndAgain(trial, what);
}

async function floodAndAgain(trial: Trial, what: Flood): Promise<Outcome> {
  const once = () => flood(trial, what);
  const first = await once();
  if (first.notShown.length === 0 || trial.size < fullSeconds) return first;
  // A machine that others use too is a third slower in one minute than in the next: then the middle one of three counts.
  const all = [first, await once(), await once()];
  const [, middle = first] = all.toSorted((one, other) => one.goodput - other.goodput);
  return {
    ...middle,
    measured: `middle of three: ${middle.measured}`,
    failures: all.flatMap(({ failures }) => failures),
  };
}

/** Once, in an installation of its own. */
async function flood({ target, size, tell }: Trial, { requestsOf, objections }: Flood) {
  const at = await unlimitedTarget({ target });
  const requests = await requestsOf(at);
  const other = await createKey(at.installation, 'other');
  const peakSeconds = Math.min(10, Math.max(1, Math.round(size / 4)));

  const first = await normal(at, requests, 1);
  const before = await normal(at, requests, peakSeconds);
  const perSecond = Math.round(times * before.raw);
  tell(`peak ${Math.round(before.raw)} a second; now ${perSecond} for ${size} s`);

  let isOver = false;
  const ask = { path: at.paths[1] ?? '', token: at.token, callers: politeCallers };
  const polite = callPolitely(at.address, ask, () => isOver);
  const beside = callPolitely(at.address, { path: '/v2/members', token: other }, () => isOver);
  const alive = callPolitely(at.address, { path: '/livez' }, () => isOver);
  const clock = startClock(at.served.pid);
  const answers = await load({ port: at.port, requests, connections: floodedBy, perSecond, seconds: size });
  const slowdown = clock();
  isOver = true;
  const manners = await Promise.all([polite, beside, alive]);

  // What is left of the five seconds, as the load has waited for its last answers.
  await pause(1_000);
  const after = await normal(at, requests, Math.min(size, recoversWithinSeconds - 2));
  const again = await normal(at, requests, peakSeconds);
  const peak = (before.perSecond + again.perSecond) / 2;
  const goodput = ((answers.good / answers.seconds) * slowdown) / peak;
  const [shed, others, lives] = manners;
  tell(`by second: ${answers.goodBySecond.join(' ')}`);
  const failures = [
    ...manners.flatMap(({ wrong }) => wrong.slice(0, 5)),
    ...refuseUnserved('another key', others, (others.statuses[200] ?? 0) - 1),
    ...refuseUnserved('/livez', lives, 0),
    ...answers.examples,
    ...refuse(answers.wrong > 0, `${answers.wrong} answers were neither right nor 503 as promised`),
    ...refuse(answers.broken > 0, `${answers.broken} connections broke while an answer was awaited`),
    ...refuse(after.shed > 0, `afterwards ${after.shed} were still shed`),
    ...((await objections?.(at, [first, before, answers, after, again])) ?? []),
  ];
  const notShown = [
    ...refuse(answers.unsent === 0, 'nobody had to wait, so this was no overload'),
    ...refuse(shed.shed.p50 > shedWithinMs * slowdown, `half of the 503 took over ${shed.shed.p50} ms`),
    // A machine that gives the service no time makes it late for everybody.
    ...refuseUnserved('another key', others, 0),
    ...refuseSlow('another key', others, slowdown),
    ...refuseSlow('/livez', lives, slowdown),
    ...refuse(
      answers.sent + answers.unsent < perSecond * size * 0.95,
      `only ${answers.sent + answers.unsent} were offered`,
    ),
    ...refuse(
      goodput < goodputMin,
      `goodput was ${percent(goodput)} of the peak (${Math.round(peak)} a second): ${answers.goodBySecond.join(' ')}`,
    ),
    ...refuse(
      after.perSecond < goodputMin * peak,
      `afterwards ${Math.round(after.perSecond)} a second instead of ${Math.round(peak)}`,
    ),
  ];
  return {
    goodput,
    tried: answers.sent,
    measured: `${percent(goodput)} of ${Math.round(peak)} a second, ${answers.shed} shed; others p99 ${others.good.p99} ms`,
    failures,
    notShown,
  };
}

async function normal(at: Own, requests: readonly Request[], seconds: number) {
  const clock = startClock(at.served.pid);
  const plan = { port: at.port, requests, connections: normalConnections, seconds };
  const report = await load(plan);
  const { good, seconds: took } = report;
  return { ...report, perSecond: (good / took) * clock(), raw: good / took };
}

function refuseUnserved(name: string, { statuses }: Manners, shedMax: number): string[] {
  const isServed = (statuses[200] ?? 0) > 0 && (statuses[503] ?? 0) <= shedMax;
  return refuse(!isServed, `${name} was answered with ${JSON.stringify(statuses)}`);
}

function refuseSlow(name: string, { good }: Manners, slowdown: number): string[] {
  return refuse(good.p50 > othersWithinMs * slowdown, `half of the answers to ${name} took over ${good.p50} ms`);
}

function refuse(isWrong: boolean, sentence: string): string[] {
  return isWrong ? [sentence] : [];
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
