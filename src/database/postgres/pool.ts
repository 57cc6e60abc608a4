import type { PoolState } from '../../store.ts';
import { abandonedCommits } from './abandoned.ts';
import { unavailable } from './failures.ts';
import { type Hosts, onlyWritable } from './hosts.ts';
import {
  first,
  kindOf,
  type Lane,
  type LaneOptions,
  type OpenLane,
  openLanes,
  type PendingQuery,
  type Send,
  sendOn,
} from './lanes.ts';

export interface Pool extends AsyncDisposable {
  send: Send;
  /** Lends a connection until `work` ends or calls `lendOn`. A queue gets its last one again where that is free. */
  lend<T>(work: (send: Send, lendOn: () => void) => Promise<T>, queue?: string): Promise<T>;
  state(): PoolState[];
  opened(): number;
}

const connectionsMax = 4;
export const connectionsOfProcess = 2 * connectionsMax;
const unansweredMax = 1_000;
const flowingMax = 32;
const slowMs = 10;
/** A pooler may move an open connection to a standby, so the next statement carries a check. */
const checkedForMs = 1_000;
/** One kind of statement may block so many connections; one is left for all others. */
const stuckMax = connectionsMax - 1;

export function openPool(hosts: Hosts, options: LaneOptions): Pool {
  const lanes = openLanes(hosts, { ...options, onAbandoned: (pid) => abandoned.add(pid) });
  const shared = sharing(lanes.open, hosts.needsWritable);
  const abandoned = abandonedCommits(shared.send);
  const lent = lending(async (onLost) => {
    await abandoned.requireFew();
    return lanes.open(onLost);
  });
  return {
    send: (statements, sending) =>
      sending?.commits === true
        ? abandoned.requireFew().then(() => shared.send(statements, sending))
        : shared.send(statements, sending),
    lend: lent.lend,
    state: () => [shared.state(), lent.state()],
    opened: () => lanes.opened(),
    [Symbol.asyncDispose]: () => lanes.closeAll(),
  };
}

function sharing(open: OpenLane, needsWritable: boolean): { send: Send; state(): PoolState } {
  const shared = new Set<Lane>();
  let unanswered = 0;
  let opening: Promise<Lane> | undefined;
  const openShared = async (): Promise<Lane> => {
    const lane = await open((lost) => shared.delete(lost));
    if (lane.isOpen) shared.add(lane);
    return lane;
  };
  const opened = () => (opening ??= openShared().finally(() => (opening = undefined)));

  // Filling connections one by one saves CPU (docs/decisions/0009).
  const pick = (kind: string): Lane | Promise<Lane> => {
    let idle: Lane | undefined;
    let flowing: Lane | undefined;
    let leastBusy: Lane | undefined;
    const stuck: Lane[] = [];
    for (const lane of shared) {
      const head = first(lane.unanswered);
      if (!head) idle ??= lane;
      else if (head.kind === kind && flows(lane, head)) return lane;
      else if (head.kind === kind) stuck.push(lane);
      else if (flows(lane, head)) flowing ??= lane;
      leastBusy = lessBusy(leastBusy, lane);
    }
    if (stuck.length >= stuckMax) return stuck.reduce(lessBusy);
    if (idle) return idle;
    const willDo = flowing ?? leastBusy;
    if (willDo && shared.size === connectionsMax) return willDo;
    return opened().catch((error: unknown) => {
      if (willDo?.isOpen === true) return willDo;
      throw error;
    });
  };

  const send: Send = async (statements, options) => {
    if (unanswered >= unansweredMax) throw unavailable('too many requests wait for PostgreSQL; try again');
    unanswered++;
    try {
      const picked = pick(kindOf(statements));
      const lane = picked instanceof Promise ? await picked : picked;
      if (!needsWritable || options?.commits === true || performance.now() - lane.checkedAt < checkedForMs) {
        return await sendOn(lane, statements, options);
      }
      lane.checkedAt = performance.now();
      const [, ...answers] = await sendOn(lane, [onlyWritable, ...statements]);
      return answers;
    } finally {
      unanswered--;
    }
  };
  const state = () => {
    const used = [...shared].filter((lane) => lane.unanswered.size > 0).length;
    const name = 'statements';
    return { name, max: connectionsMax, used, idle: shared.size - used, waiting: unanswered };
  };
  return { send, state };
}

function lending(open: OpenLane): { lend: Pool['lend']; state(): PoolState } {
  const idle = new Map<Lane, string | undefined>();
  const waiting: (() => void)[] = [];
  let lent = 0;
  const turn = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    return promise;
  };
  const passOn = () => {
    const go = waiting.shift();
    if (go) go();
    else lent--;
  };
  /** Undefined where one should be opened: whoever is not of its queue does not wait for a commit on it. */
  const pick = (queue: string | undefined): Lane | undefined => {
    const lanes = [...idle];
    const [lane] =
      lanes.find(([, last]) => queue !== undefined && last === queue) ??
      lanes.find(([{ unanswered }]) => unanswered.size === 0) ??
      (lent + idle.size > connectionsMax ? lanes : [])[0] ??
      [];
    return lane;
  };
  const lend: Pool['lend'] = async (work, queue) => {
    if (lent < connectionsMax) lent++;
    else await turn();
    let lane: Lane | undefined;
    let isLent = true;
    const lendOn = () => {
      if (isLent && lane?.isOpen === true) idle.set(lane, queue);
      if (isLent) passOn();
      isLent = false;
    };
    try {
      lane = pick(queue) ?? (await open((lost) => idle.delete(lost)));
      idle.delete(lane);
      const own = lane;
      return await work((statements, sending) => sendOn(own, statements, sending), lendOn);
    } finally {
      lendOn();
    }
  };
  const state = () => {
    const name = 'transactions';
    return { name, max: connectionsMax, used: lent, idle: idle.size, waiting: waiting.length };
  };
  return { lend, state };
}

function flows({ unanswered }: Lane, oldest: PendingQuery): boolean {
  return unanswered.size < flowingMax && performance.now() - oldest.sentAt < slowMs;
}

function lessBusy(one: Lane | undefined, other: Lane): Lane {
  return one && one.unanswered.size <= other.unanswered.size ? one : other;
}
