import { type Client, Query, type QueryConfig, type QueryResult } from 'pg';

import { answerLost, inDoubt, isInDoubt, spoilsConnection, toFailure, unavailable } from './failures.ts';
import { connect, type ConnectOptions, destroy, type Hosts, isWarned, sendTogether } from './hosts.ts';
import { requireSessions } from './sessions.ts';

export interface LaneOptions extends ConnectOptions {
  /** A connection with an older unanswered statement is closed; missing means no limit. */
  deadlineMs?: number | undefined;
  onAbandoned?: (pid: number) => void;
}

/** Sends statements in order on one connection. With `commits`, a lost answer is `outcome_unknown`. */
export type Send = (statements: readonly QueryConfig[], options?: { commits?: boolean }) => Promise<QueryResult[]>;

const deadlineCheckedEveryMs = 100;
const retryAfterMs = 200;
const closeWithinMs = 500;

export interface PendingQuery {
  sentAt: number;
  kind: string;
  commits: boolean;
}

export interface Lane {
  client: Client;
  pid: number;
  holdBack: () => void;
  unanswered: Set<PendingQuery>;
  isOpen: boolean;
  /** When the connection last led to a server that takes writes. */
  checkedAt: number;
  lose: () => void;
}

export type OpenLane = (onLost: (lane: Lane) => void) => Promise<Lane>;

interface Lanes {
  open: OpenLane;
  opened(): number;
  closeAll(): Promise<void>;
}

export function openLanes(hosts: Hosts, options: LaneOptions): Lanes {
  const lanes = new Set<Lane>();
  let failure: { error: unknown; at: number } | undefined;
  let opened = 0;
  let isClosed = false;
  let isSessionKept = false;
  const { deadlineMs, onAbandoned } = options;
  const watch =
    deadlineMs === undefined
      ? undefined
      : setInterval(() => lanes.forEach((lane) => giveUpIfLate(lane, deadlineMs, onAbandoned)), deadlineCheckedEveryMs);
  watch?.unref();

  const open: OpenLane = async (onLost) => {
    if (failure && performance.now() - failure.at < retryAfterMs) throw failure.error;
    try {
      const startedAt = performance.now();
      const session = await connect(hosts, options);
      const connectTimeoutMs = Math.max(1, options.connectTimeoutMs - (performance.now() - startedAt));
      isSessionKept ||= await requireSessions(session, hosts, { ...options, connectTimeoutMs });
      const { client, pid } = session;
      const lose = () => {
        lane.isOpen = false;
        if (lanes.delete(lane)) onLost(lane);
        destroy(client);
      };
      const holdBack = sendTogether(client);
      const lane: Lane = {
        client,
        pid,
        holdBack,
        unanswered: new Set(),
        isOpen: true,
        checkedAt: performance.now(),
        lose,
      };
      client.once('error', lose).once('end', lose);
      lanes.add(lane);
      opened++;
      // A late connection must not keep the process alive.
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
    opened: () => opened,
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

function giveUpIfLate(
  { pid, unanswered, lose }: Lane,
  deadlineMs: number,
  onAbandoned: LaneOptions['onAbandoned'],
): void {
  const oldest = first(unanswered);
  if (!oldest || performance.now() - oldest.sentAt < deadlineMs) return;
  // The event loop may be late, not the server: read once more.
  setImmediate(() => {
    if (!unanswered.has(oldest)) return;
    if (oldest.commits) onAbandoned?.(pid);
    lose();
  });
}

export async function sendOn(
  lane: Lane,
  statements: Parameters<Send>[0],
  { commits = false }: Parameters<Send>[1] = {},
): ReturnType<Send> {
  if (!lane.isOpen) throw unavailable();
  const { client, holdBack, unanswered, lose } = lane;
  const entry = { sentAt: performance.now(), kind: kindOf(statements), commits };
  unanswered.add(entry);
  try {
    holdBack();
    return await Promise.all(statements.map((statement) => ask(client, statement, commits)));
  } catch (error) {
    // A server that reports an error has stored nothing, unless it says otherwise.
    const isUnknown = commits && (isInDoubt(error) || !(await answers(lane)));
    if (spoilsConnection(error)) lose();
    throw isUnknown ? answerLost(error) : toFailure(error);
  } finally {
    unanswered.delete(entry);
  }
}

/** Like `client.query` of a configuration, which pg copies and wraps in a second promise: a twentieth of an answer. */
function ask(client: Client, { name, text, values = [] }: QueryConfig, commits: boolean): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | undefined, result: QueryResult) => {
      if (error) reject(error);
      // A cancelled wait for a standby, for example: the commit is done, but a failover would lose it.
      else if (commits && isWarned(query)) reject(Object.assign(new Error('warned'), { code: inDoubt }));
      else resolve(result);
    };
    const query = new Query({ name, text, values }, done);
    client.query(query);
  });
}

async function answers(lane: Lane): Promise<boolean> {
  return sendOn(lane, [{ text: 'select 1' }]).then(
    () => true,
    () => false,
  );
}

export function kindOf(statements: Parameters<Send>[0]): string {
  return statements.findLast(({ name }) => name !== undefined)?.name ?? '';
}

export function first<T>(set: ReadonlySet<T>): T | undefined {
  return set.values().next().value;
}
