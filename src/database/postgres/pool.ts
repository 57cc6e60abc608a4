import type pg from 'pg';

import { spoilsConnection, toFailure, unavailable } from './failures.ts';
import { connect, type ConnectOptions, destroy, type Hosts, sendTogether } from './hosts.ts';

export interface PoolOptions extends ConnectOptions {
  /** How long a statement may go unanswered before its connection is given up; missing means for ever. */
  deadlineMs?: number | undefined;
}

/** A few connections that many share. Whatever cannot be done is thrown as a failure of ours. */
export interface Pool extends AsyncDisposable {
  /** Sends the statements one after the other on one connection, and waits for all answers together. */
  send: Send;
  /** Lends a connection that nobody else uses until `work` has ended. */
  lend<T>(work: (send: Send) => Promise<T>): Promise<T>;
}

export type Send = (statements: readonly pg.QueryConfig[]) => Promise<pg.QueryResult[]>;

/** Connections for statements, and as many again to lend. */
const connectionsMax = 4;
/** Statements that may wait for their answers; one more is refused at once. */
const unansweredMax = 1_000;
/** A connection with as many unanswered, or with one that is this old, is passed over for the next. */
const flowingMax = 32;
const slowMs = 10;
const deadlineCheckedEveryMs = 100;
/** For how long a failed attempt to connect answers for the next ones. */
const retryAfterMs = 200;
/** For how long a server may take its leave before it is left. */
const closeWithinMs = 500;

interface Lane {
  client: pg.Client;
  holdBack: () => void;
  /** What waits for an answer, the oldest first. */
  unanswered: Set<{ sentAt: number }>;
  isOpen: boolean;
  /** Gives the connection up: nothing more is sent on it, and what waits fails. */
  lose: () => void;
}

/** Connects as needed: to nothing until the first statement, and again after a connection was lost. */
export function openPool(hosts: Hosts, options: PoolOptions): Pool {
  const lanes = openLanes(hosts, options);
  return {
    send: sharing(lanes.open),
    lend: lending(lanes.open),
    [Symbol.asyncDispose]: () => lanes.closeAll(),
  };
}

/** Everybody's statements, one behind the other on a few connections. */
function sharing(open: OpenLane): Send {
  const shared = new Set<Lane>();
  let unanswered = 0;
  let opening: Promise<Lane> | undefined;
  const openShared = async (): Promise<Lane> => {
    const lane = await open((lost) => shared.delete(lost));
    if (lane.isOpen) shared.add(lane);
    return lane;
  };
  const opened = () => (opening ??= openShared().finally(() => (opening = undefined)));

  // The first that flows: filled one after the other, connections answer more statements for the same work
  // than side by side, since driver and server then handle many at a time (docs/decisions/0009).
  const pick = (): Lane | Promise<Lane> => {
    let leastBusy: Lane | undefined;
    for (const lane of shared) {
      if (flows(lane)) return lane;
      if (!leastBusy || lane.unanswered.size < leastBusy.unanswered.size) leastBusy = lane;
    }
    if (!leastBusy) return opened();
    // Another is opened without waiting for it.
    if (shared.size < connectionsMax) opened().catch(() => undefined);
    return leastBusy;
  };

  return async (statements) => {
    if (unanswered >= unansweredMax) throw unavailable('too many requests wait for PostgreSQL; try again');
    unanswered++;
    try {
      const lane = pick();
      return await sendOn(lane instanceof Promise ? await lane : lane, statements);
    } finally {
      unanswered--;
    }
  };
}

function lending(open: OpenLane): Pool['lend'] {
  const idle = new Set<Lane>();
  const waiting: (() => void)[] = [];
  let lent = 0;
  return async (work) => {
    if (lent < connectionsMax) lent++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let lane: Lane | undefined;
    try {
      lane = first(idle) ?? (await open((lost) => idle.delete(lost)));
      idle.delete(lane);
      const own = lane;
      return await work((statements) => sendOn(own, statements));
    } finally {
      if (lane?.isOpen === true) idle.add(lane);
      const next = waiting.shift();
      if (next) next();
      else lent--;
    }
  };
}

type OpenLane = (onLost: (lane: Lane) => void) => Promise<Lane>;

/** Opens connections and watches that each of their answers comes in time. */
function openLanes(hosts: Hosts, options: PoolOptions): { open: OpenLane; closeAll(): Promise<void> } {
  const lanes = new Set<Lane>();
  let failure: { error: unknown; at: number } | undefined;
  let isClosed = false;
  const { deadlineMs } = options;
  const watch =
    deadlineMs === undefined
      ? undefined
      : setInterval(() => lanes.forEach((lane) => giveUpIfLate(lane, deadlineMs)), deadlineCheckedEveryMs);
  watch?.unref();

  const open: OpenLane = async (onLost) => {
    if (failure && performance.now() - failure.at < retryAfterMs) throw failure.error;
    try {
      const client = await connect(hosts, options);
      const lose = () => {
        lane.isOpen = false;
        if (lanes.delete(lane)) onLost(lane);
        destroy(client);
      };
      const holdBack = sendTogether(client);
      const lane: Lane = { client, holdBack, unanswered: new Set(), isOpen: true, lose };
      client.once('error', lose).once('end', lose);
      lanes.add(lane);
      // Whoever connects while all is closed must not keep the process alive.
      if (isClosed) lose();
      failure = undefined;
      return lane;
    } catch (error) {
      failure = { error, at: performance.now() };
      throw error;
    }
  };
  return {
    open,
    closeAll: async () => {
      isClosed = true;
      clearInterval(watch);
      await Promise.all([...lanes].map(close));
    },
  };
}

async function close({ client }: Lane): Promise<void> {
  const impatience = setTimeout(() => destroy(client), closeWithinMs);
  await client.end();
  clearTimeout(impatience);
}

/** Whether what is asked on it now is soon answered: not behind a slow statement, nor behind very many. */
function flows({ unanswered }: Lane): boolean {
  const oldest = first(unanswered);
  if (!oldest) return true;
  return unanswered.size < flowingMax && performance.now() - oldest.sentAt < slowMs;
}

function giveUpIfLate({ unanswered, lose }: Lane, deadlineMs: number): void {
  const oldest = first(unanswered);
  if (!oldest || performance.now() - oldest.sentAt < deadlineMs) return;
  // After what has come in meanwhile is read: it may be us who are late.
  setImmediate(() => {
    if (unanswered.has(oldest)) lose();
  });
}

async function sendOn(
  { client, holdBack, unanswered, lose }: Lane,
  statements: Parameters<Send>[0],
): ReturnType<Send> {
  const entry = { sentAt: performance.now() };
  unanswered.add(entry);
  try {
    holdBack();
    return await Promise.all(statements.map((statement) => client.query(statement)));
  } catch (error) {
    if (spoilsConnection(error)) lose();
    throw toFailure(error);
  } finally {
    unanswered.delete(entry);
  }
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  return set.values().next().value;
}
