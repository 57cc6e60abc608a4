import type pg from 'pg';

import { spoilsConnection, toFailure } from './failures.ts';
import { connect, type ConnectOptions, destroy, type Hosts, sendTogether } from './hosts.ts';

export interface LaneOptions extends ConnectOptions {
  /** How long a statement may go unanswered before its connection is given up; missing means for ever. */
  deadlineMs?: number | undefined;
}

export type Send = (statements: readonly pg.QueryConfig[]) => Promise<pg.QueryResult[]>;

const deadlineCheckedEveryMs = 100;
/** For how long a failed attempt to connect answers for the next ones. */
const retryAfterMs = 200;
/** For how long a server may take its leave before it is left. */
const closeWithinMs = 500;

export interface Unanswered {
  sentAt: number;
  /** What it asks: the name of its last statement that has one. */
  kind: string;
}

/** A connection, and what is under way on it. */
export interface Lane {
  client: pg.Client;
  holdBack: () => void;
  /** What waits for an answer, the oldest first. */
  unanswered: Set<Unanswered>;
  isOpen: boolean;
  /** Gives the connection up: nothing more is sent on it, and what waits fails. */
  lose: () => void;
}

export type OpenLane = (onLost: (lane: Lane) => void) => Promise<Lane>;

/** Opens connections and watches that each of their answers comes in time. */
export function openLanes(hosts: Hosts, options: LaneOptions): { open: OpenLane; closeAll(): Promise<void> } {
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

function giveUpIfLate({ unanswered, lose }: Lane, deadlineMs: number): void {
  const oldest = first(unanswered);
  if (!oldest || performance.now() - oldest.sentAt < deadlineMs) return;
  // After what has come in meanwhile is read: it may be us who are late.
  setImmediate(() => {
    if (unanswered.has(oldest)) lose();
  });
}

/** Sends the statements on this connection, and waits for all answers together. */
export async function sendOn(
  { client, holdBack, unanswered, lose }: Lane,
  statements: Parameters<Send>[0],
): ReturnType<Send> {
  const entry = { sentAt: performance.now(), kind: kindOf(statements) };
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

/** Statements of one kind wait for the same tables. */
export function kindOf(statements: Parameters<Send>[0]): string {
  return statements.findLast(({ name }) => name !== undefined)?.name ?? '';
}

export function first<T>(set: ReadonlySet<T>): T | undefined {
  return set.values().next().value;
}
