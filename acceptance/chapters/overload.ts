import { setTimeout as pause } from 'node:timers/promises';

import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import { getRequest, load, type Request, startClock, unlimitedTarget } from '../load/load.ts';
import { callPolitely, type Manners } from '../load/polite-caller.ts';

/** Five times what it can answer, asked by many connections of one key that never wait, beside callers who do. */
export const overload: Guarantee = {
  name: 'overload',
  promise:
    'at five times the capacity at least 80 % of the peak goodput, 503 with Retry-After for the rest, others served in time, normal within 5 s',
  sizes: { smoke: 0, core: 4, full: 60 },
  engines: ['SQLite', 'PostgreSQL'],
  isHarmless: false,
  prove,
};

const times = 5;
const floodedBy = 1_500;
const normalConnections = 64;
const politeCallers = 20;
const goodputMin = 0.8;
/** In a few seconds, of which the first goes to making 1,500 connections, only a collapse can be told. */
const goodputOfSecondsMin = 0.5;
const secondsToJudge = 30;
const recoversWithinSeconds = 5;
/** Median, as the callers share the cores with the server. */
const shedWithinMs = 50;
const othersWithinMs = 250;

async function prove({ target, size, tell }: Trial): Promise<Outcome> {
  const at = await unlimitedTarget({ target });
  const requests = at.paths.map((path) => getRequest(path, at.token));
  const { token: other } = await at.installation.json<{ token: string }>([
    'keys',
    'create',
    '--project',
    'acme',
    '--name',
    'other',
  ]);
  const peakSeconds = Math.min(10, Math.max(2, Math.round(size / 6)));

  await normal(at, requests, 1);
  const before = await normal(at, requests, peakSeconds);
  const perSecond = Math.round(times * before.raw);
  tell(`peak ${Math.round(before.raw)} a second; now ${perSecond} for ${size} s`);

  let isOver = false;
  const ask = { path: at.paths[1] ?? '', token: at.token, callers: politeCallers };
  const polite = callPolitely(at.address, ask, () => isOver);
  const beside = callPolitely(at.address, { path: '/v2/members', token: other }, () => isOver);
  const alive = callPolitely(at.address, { path: '/livez' }, () => isOver);
  const clock = startClock(at.served.pid);
  const flood = await load({ port: at.port, requests, connections: floodedBy, perSecond, seconds: size });
  const slowdown = clock();
  isOver = true;
  const manners = await Promise.all([polite, beside, alive]);

  // What is left of the five seconds, as the load has waited for its last answers.
  await pause(1_000);
  const after = await normal(at, requests, recoversWithinSeconds - 2);
  const again = await normal(at, requests, peakSeconds);
  const peak = (before.perSecond + again.perSecond) / 2;
  const goodput = ((flood.good / flood.seconds) * slowdown) / peak;
  const [shed, others, lives] = manners;
  tell(`by second: ${flood.goodBySecond.join(' ')}`);
  const enough = size < secondsToJudge ? goodputOfSecondsMin : goodputMin;
  const failures = [
    ...judgeManners(manners, slowdown),
    ...flood.examples,
    ...refuse(flood.wrong > 0, `${flood.wrong} answers were neither right nor 503 as promised`),
    ...refuse(flood.broken > 0, `${flood.broken} connections broke while an answer was awaited`),
    ...refuse(flood.shed === 0, 'nothing was shed, so this was no overload'),
    ...refuse(
      flood.sent + flood.unsent < perSecond * size * 0.95,
      `only ${flood.sent + flood.unsent} were offered`,
    ),
    ...refuse(
      goodput < enough,
      `goodput was ${percent(goodput)} of the peak (${Math.round(peak)} a second): ${flood.goodBySecond.join(' ')}`,
    ),
    ...refuse(
      after.perSecond < enough * peak || after.shed > 0,
      `afterwards ${Math.round(after.perSecond)} a second instead of ${Math.round(peak)}, ${after.shed} shed`,
    ),
  ];
  return {
    tried: flood.sent + flood.unsent,
    measured: `${percent(goodput)} of the peak of ${Math.round(peak)} a second, as on a core of its own (in fact ${Math.round(flood.good / flood.seconds)} and ${Math.round((before.raw + again.raw) / 2)}; median ${flood.goodTimes.p50} ms, p99 ${flood.goodTimes.p99}); ${flood.shed} shed, at once to who waits in between (median ${shed.shed.p50} ms, p99 ${shed.shed.p99}); another key median ${others.good.p50} ms, p99 ${others.good.p99}; /livez p99 ${lives.good.p99} ms; afterwards ${percent(after.perSecond / peak)}`,
    failures,
  };
}

type Own = Awaited<ReturnType<typeof unlimitedTarget>>;

async function normal(at: Own, requests: readonly Request[], seconds: number) {
  const clock = startClock(at.served.pid);
  const plan = { port: at.port, requests, connections: normalConnections, seconds };
  const { good, shed, seconds: took } = await load(plan);
  return { perSecond: (good / took) * clock(), raw: good / took, shed };
}

function judgeManners([polite, beside, alive]: Manners[], slowdown: number): string[] {
  if (!polite || !beside || !alive) return ['nobody asked beside the flood'];
  return [
    ...[polite, beside, alive].flatMap(({ wrong }) => wrong.slice(0, 5)),
    ...refuse(
      (polite.statuses[503] ?? 0) > 0 && polite.shed.p50 > shedWithinMs * slowdown,
      `half of the 503 took over ${polite.shed.p50} ms`,
    ),
    ...judgeOther('another key', beside, slowdown),
    ...judgeOther('/livez', alive, slowdown),
  ];
}

function judgeOther(name: string, { statuses, good }: Manners, slowdown: number): string[] {
  const isServed = (statuses[200] ?? 0) > 0 && (statuses[503] ?? 0) === 0;
  return [
    ...refuse(!isServed, `${name} was answered with ${JSON.stringify(statuses)}`),
    ...refuse(
      good.p50 > othersWithinMs * slowdown,
      `half of the answers to ${name} took over ${good.p50} ms`,
    ),
  ];
}

function refuse(isWrong: boolean, sentence: string): string[] {
  return isWrong ? [sentence] : [];
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
