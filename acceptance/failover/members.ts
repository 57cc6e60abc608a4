import type { Node } from './node.ts';

/** A node as Patroni lists it. */
export interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

/** Asks the nodes in turn; the first answer counts. */
export async function membersOf(nodes: readonly Node[]): Promise<Member[]> {
  for (const { restPort } of nodes) {
    const url = `http://127.0.0.1:${restPort}/cluster`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
  }
  return [];
}

const lagMax = 1_000_000;

/** One leader, and two standbys on its timeline without lag; one of them is synchronous if the cluster is. */
export function isWhole(members: readonly Member[], isSynchronous: boolean): boolean {
  const [leader, ...more] = members.filter(({ role }) => role === 'leader');
  if (members.length !== 3 || !leader || more.length > 0) return false;
  const areThere = members.every(
    ({ state, timeline, lag = 0 }) =>
      /^(?:running|streaming)$/.test(state) && timeline === leader.timeline && Number(lag) < lagMax,
  );
  return areThere && members.some(({ role }) => role === 'sync_standby') === isSynchronous;
}
