import { until } from '../../scripts/support/until.ts';
import { openApi } from '../parts/api.ts';
import { readFeed } from '../writes/feed.ts';
import type { Follower } from '../writes/follower.ts';
import type { Tenant } from '../writes/tenant.ts';
import type { Callers } from './callers.ts';
import type { Cluster } from './cluster.ts';
import type { Roster } from './rosters.ts';
import type { Ack } from './round.ts';

interface Parts {
  cluster: Cluster;
  rosters: readonly Roster[];
  tenants: readonly Tenant[];
  callers: Callers;
  followers: ReadonlyMap<Tenant, readonly Follower[]>;
}

export interface Loss {
  lost: number;
  failures: string[];
}

const acksLost = 60;

/** Promotes a standby that lacks acknowledged commits, and checks that everybody is told. */
export async function loseCommits(parts: Parts): Promise<Loss> {
  const { cluster, rosters, tenants, callers, followers } = parts;
  const config = { synchronous_mode: false, maximum_lag_on_failover: 2 ** 30 };
  await cluster.ask('/config', config, 'PATCH');
  await cluster.whole(false);
  const primary = await cluster.primary();
  primary.cutOff('nodes');
  await callers.more(acksLost);
  const numbers = await numbersOf(tenants, rosters);
  for (const tenant of tenants) {
    const last = Math.max(...(numbers.get(tenant)?.values() ?? []));
    for (const follower of followers.get(tenant) ?? []) await follower.until(String(last));
  }
  primary.signal('SIGKILL');
  await callers.more(acksLost);
  const acknowledged = [...callers.acks];
  const after = await numbersOf(tenants, rosters);
  const lost = acknowledged.filter(({ project, requestId }) => {
    const tenant = tenants.find((one) => one.project === project);
    return tenant && !after.get(tenant)?.has(requestId);
  });
  const told = () => rosters.flatMap((roster) => lossesIn(roster));
  const areExpired = () => tenants.every((one) => followers.get(one)?.every((follower) => follower.isExpired()));
  await until('every follower gets 410, and the log names the loss', () => {
    const named = told().reduce((sum, { count }) => sum + count, 0);
    return areExpired() && named >= lost.length;
  }).catch(() => undefined);
  const failures = lost.length === 0 ? ['the failover lost nothing, so that nothing was tried'] : [];
  for (const tenant of tenants) {
    const deceived = followers.get(tenant)?.filter((one) => !one.isExpired()).length ?? 0;
    if (deceived > 0) failures.push(`${deceived} followers of ${tenant.project} were not told 410`);
  }
  failures.push(...untold(lost, told(), (ack) => numberOf(ack, tenants, numbers)));
  const counted = await Promise.all(rosters.map((roster) => roster.metric('roster_lost_events_total')));
  const sum = counted.reduce((one, more) => one + more, 0);
  if (sum !== lost.length)
    failures.push(`roster_lost_events_total is ${counted.join(' and ')} for ${lost.length} lost events`);
  return { lost: lost.length, failures };
}

/** The number of each event by the request that made it. */
async function numbersOf(tenants: readonly Tenant[], [roster]: readonly Roster[]) {
  const numbers = new Map<Tenant, Map<string, number>>();
  for (const tenant of tenants) {
    using api = await openApi(roster?.port ?? 0, tenant.token, 1);
    const { events } = await readFeed(api);
    numbers.set(tenant, new Map(events.map((event) => [event.request_id ?? '', Number(event.sequence)])));
  }
  return numbers;
}

function numberOf(
  { project, requestId }: Ack,
  tenants: readonly Tenant[],
  numbers: Awaited<ReturnType<typeof numbersOf>>,
) {
  const tenant = tenants.find((one) => one.project === project);
  return tenant && numbers.get(tenant)?.get(requestId);
}

interface Told {
  roster: Roster;
  project: string;
  from: number;
  to: number;
  count: number;
}

function lossesIn(roster: Roster): Told[] {
  const lines = roster.log().filter(({ msg }) => /lost acknowledged events/.test(String(msg)));
  return lines.map(({ project_id: project, from, to, count }) => ({
    roster,
    project: String(project),
    from: Number(from),
    to: Number(to),
    count: Number(count),
  }));
}

/** Returns lost writes that their Roster's log does not name. */
function untold(lost: readonly Ack[], told: readonly Told[], numberOf: (ack: Ack) => number | undefined): string[] {
  const silent = lost.filter((ack) => {
    const number = numberOf(ack);
    const isNamed = ({ roster, project, from, to }: Told) =>
      roster === ack.by && project === ack.project && (number === undefined || (from <= number && number <= to));
    return !told.some(isNamed);
  });
  return silent.length === 0
    ? []
    : [`${silent.length} of ${lost.length} lost writes are in no log: ${silent[0]?.requestId}`];
}
