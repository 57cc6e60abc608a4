import { lackOf } from '../../scripts/support/debian.ts';
import { seededRandom } from '../../test/support/random.ts';
import { startCallers } from '../failover/callers.ts';
import { type Cluster, aCluster } from '../failover/cluster.ts';
import { faults } from '../failover/faults.ts';
import { type Findings, openLedger } from '../failover/ledger.ts';
import { loseCommits } from '../failover/loss.ts';
import { packages } from '../failover/node.ts';
import { longestUnserved, type Probe, type Span, startProbe } from '../failover/probe.ts';
import { type Roster, twoRosters } from '../failover/rosters.ts';
import { type Round, toldIn } from '../failover/round.ts';
import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import { startFollower } from '../writes/follower.ts';
import { aTenant, type Tenant } from '../writes/tenant.ts';

/**
 * Two services on a cluster of Patroni, etcd and HAProxy, while its parts are killed, stopped and cut off. In the end a failover
 * by force loses commits, and everybody has to be told. The size is the least number of acknowledged writes.
 */
export const failover: Guarantee = {
  name: 'failover',
  sizes: { smoke: 0, core: 0, full: 5_000 },
  engines: ['PostgreSQL'],
  prove,
};

const projects = ['acme', 'globex', 'initech', 'umbrella'];
const warmUpAcks = 50;
const eventsOfPage = 500;
const servedAgainMs = 5_000;
const limitMs = 900_000;

async function prove(trial: Trial): Promise<Outcome> {
  const lack = process.platform === 'linux' ? lackOf(packages) : 'Patroni is installed from Debian';
  if (lack !== undefined) return { tried: 0, measured: '', failures: [], skipped: lack };
  await using cluster = await aCluster();
  const overdue = Promise.withResolvers<never>();
  const timer = setTimeout(() => overdue.reject(new Error('the trial took too long')), limitMs);
  try {
    return await Promise.race([proveOn(cluster, trial), overdue.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function proveOn(cluster: Cluster, { seed, size, tell }: Trial): Promise<Outcome> {
  await cluster.start();
  const rosters = await twoRosters(cluster);
  await using undo = new AsyncDisposableStack();
  const tenants = await populate(rosters);
  for (const roster of rosters) {
    undo.defer(() => roster.kill());
    await roster.start();
  }
  const probes = new Map(rosters.map((roster) => [roster, undo.use(startProbe(roster))]));
  const followers = new Map(
    tenants.map((tenant) => [
      tenant,
      rosters.map((roster) => startFollower(tenant.token, () => roster.port, eventsOfPage)),
    ]),
  );
  undo.defer(async () => void (await Promise.all([...followers.values()].flat().map((one) => one.stop()))));
  const callers = startCallers(tenants, rosters, seededRandom(seed));
  undo.defer(() => callers.stop());
  const ledger = openLedger(followers, rosters);
  const rows: Row[] = [];
  await callers.more(warmUpAcks);
  callers.round();
  const broken: string[] = [];
  let lost = 0;
  try {
    for (const fault of faults) {
      await fault.run(cluster, rosters);
      await cluster.whole();
      await callers.more(size / faults.length / rosters.length);
      const findings = await ledger.check([...callers.acks]);
      const row = rowOf(fault.name, callers.round(), findings, probes);
      rows.push(row);
      tell(
        `${fault.name}: silent for ${seconds(row.silence)}, served again after ${seconds(row.servedAgain)}; ${toldIn(row.round)}`,
      );
    }
    const loss = await loseCommits({ cluster, rosters, tenants, callers, followers });
    broken.push(...loss.failures);
    ({ lost } = loss);
  } catch (error) {
    // What was found before it is told too.
    broken.push(String(error));
  }
  return outcomeOf(rows, lost, broken);
}

function outcomeOf(rows: readonly Row[], lost: number, broken: readonly string[]): Outcome {
  const acknowledged = rows.reduce((sum, { round }) => sum + round.acks.length, 0);
  const { failures, slow } = objectionsTo(rows);
  const again = Math.max(0, ...rows.map((row) => row.servedAgain));
  return {
    tried: acknowledged,
    measured: `${rows.length} faults, served again within ${seconds(again)}; ${lost} lost by force`,
    failures: [...failures, ...broken],
    notShown: slow,
  };
}

async function populate([roster]: readonly Roster[]): Promise<Tenant[]> {
  if (!roster) return [];
  await roster.run(['migrate']);
  const tenants: Tenant[] = [];
  for (const project of projects) tenants.push(await aTenant(roster, project));
  return tenants;
}

function objectionsTo(rows: readonly Row[]): { failures: string[]; slow: string[] } {
  const failures = rows.flatMap(({ fault, findings, round }) =>
    [...Object.values(findings).flat(), ...round.stale, ...round.unexpected].map((one) => `${fault}: ${one}`),
  );
  const slow = rows
    .filter(({ servedAgain }) => servedAgain > servedAgainMs)
    .map(({ fault, servedAgain }) => `${fault}: served again after ${seconds(servedAgain)}`);
  return { failures, slow };
}

/** The results of one fault; times in ms. */
interface Row {
  fault: string;
  round: Round;
  findings: Findings;
  silence: number;
  /** The longest time without an acknowledgement while PostgreSQL took commits. */
  servedAgain: number;
}

function rowOf(fault: string, round: Round, findings: Findings, probes: ReadonlyMap<Roster, Probe>): Row {
  const unserved = [...probes].map(([roster, { spans }]) => longestUnserved(spans, silencesOf(round, roster)));
  const silence = Math.max(...silencesOf(round).map(({ from, to }) => to - from));
  return { fault, round, findings, silence, servedAgain: Math.max(...unserved) };
}

/** Between acknowledgements, of one service or of all. */
function silencesOf({ from, to, acks }: Round, by?: Roster): Span[] {
  const times = [from, ...acks.filter((ack) => !by || ack.by === by).map(({ at }) => at), to];
  return times.slice(1).map((time, index) => ({ from: times[index] ?? time, to: time }));
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
