import type pg from 'pg';

import { answerLost, spoilsConnection, toFailure, unavailable } from './failures.ts';
import { connect, type ConnectOptions, destroy, type Hosts, sendTogether } from './hosts.ts';

export interface LaneOptions extends ConnectOptions {
  /** How long a statement may go unanswered before its connection is closed; missing means for ever. */
  deadlineMs?: number | undefined;
}

/**
 * Sends the statements one after the other on one connection, and waits for all answers together. Of statements that
 * commit, an answer that was lost is `outcome_unknown`.
 */
export type Send = (
  statements: readonly pg.QueryConfig[],
  options?: { commits?: boolean },
) => Promise<pg.QueryResult[]>;

const deadlineCheckedEveryMs = 100;
/** For how long a failed attempt to connect answers for the next ones. */
const retryAfterMs = 200;
/** How long a server may take to close a connection. */
const closeWithinMs = 500;

export interface Unanswered {
  sentAt: number;
  /** What it asks: the name of its last statement that has one. */
  kind: string;
}

/** A connection and its pipeline. */
export interface Lane {
  client: pg.Client;
  holdBack: () => void;
  /** The oldest first. */
  unanswered: Set<Unanswered>;
  isOpen: boolean;
  /** Closes the connection: nothing more is sent on it, and unanswered statements fail. */
  lose: () => void;
}

export type OpenLane = (onLost: (lane: Lane) => void) => Promise<Lane>;

/** Opens connections, and closes those whose answers are late. */
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
      // A connection that was under way must not keep the process alive.
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
  // The answer may wait to be read: the event loop may be late, and not the server.
  setImmediate(() => {
    if (unanswered.has(oldest)) lose();
  });
}

/** Sends the statements on this connection. */
export async function sendOn(
  lane: Lane,
  statements: Parameters<Send>[0],
  { commits = false }: Parameters<Send>[1] = {},
): ReturnType<Send> {
  if (!lane.isOpen) throw unavailable();
  const { client, holdBack, unanswered, lose } = lane;
  const entry = { sentAt: performance.now(), kind: kindOf(statements) };
  unanswered.add(entry);
  try {
    holdBack();
    return await Promise.all(statements.map((statement) => client.query(statement)));
  } catch (error) {
    // A server that still answers has reported an error, so nothing was stored.
    const isUnknown = commits && !(await answers(lane));
    if (spoilsConnection(error)) lose();
    throw isUnknown ? answerLost(error) : toFailure(error);
  } finally {
    unanswered.delete(entry);
  }
}

async function answers(lane: Lane): Promise<boolean> {
  return sendOn(lane, [{ text: 'rollback' }]).then(
    () => true,
    () => false,
  );
}

/** Statements of one kind wait for the same tables. */
export function kindOf(statements: Parameters<Send>[0]): string {
  return statements.findLast(({ name }) => name !== undefined)?.name ?? '';
}

export function first<T>(set: ReadonlySet<T>): T | undefined {
  return set.values().next().value;
}
