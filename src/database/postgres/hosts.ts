import type { Socket } from 'node:net';

import { Client } from 'pg';

import { toFailure, unavailable } from './failures.ts';

/** Where a database may be, and how to ask for a connection to it. */
export interface Hosts {
  /** One URL for each host. */
  urls: string[];
  /** Whether only a host that takes writes will do. */
  needsWritable: boolean;
}

export interface ConnectOptions {
  /** How long a host has to answer, ready for statements. */
  connectTimeoutMs: number;
  /** How long the server works on a statement before it ends it; missing means for ever. */
  statementTimeoutMs?: number | undefined;
  /** How long of that it may wait for somebody's lock, with others waiting behind it. */
  lockTimeoutMs?: number | undefined;
}

/**
 * The hosts of `postgres://user:password@one:5432,two:5432/database`. With several, or with
 * `target_session_attrs=read-write`, only the one that takes writes is used.
 */
export function readHosts(url: string): Hosts {
  const parts =
    /^(?<scheme>postgres(?:ql)?:\/\/(?:[^@/]*@)?)(?<hosts>[^/?]*)(?<rest>[^?]*)\??(?<query>.*)$/.exec(
      url,
    )?.groups;
  const query = new URLSearchParams(parts?.['query']);
  const hosts = (parts?.['hosts'] ?? '').split(',');
  const wanted = query.get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any');
  query.delete('target_session_attrs');
  // With the meaning that sslmode has for PostgreSQL's own programs; else the driver warns, and means another.
  if (query.has('sslmode') && !query.has('uselibpqcompat')) query.set('uselibpqcompat', 'true');
  const tail = query.size > 0 ? `?${query.toString()}` : '';
  return {
    urls: hosts.map((host) => `${parts?.['scheme']}${host}${parts?.['rest']}${tail}`),
    needsWritable: wanted !== 'any',
  };
}

/** Without it a connection that was dropped in silence is noticed after two hours. */
const keepAliveInitialDelayMillis = 30_000;

/** A connection to the first host that answers and will do. Throws `unavailable` when there is none. */
export async function connect(hosts: Hosts, options: ConnectOptions): Promise<Client> {
  const clients: Client[] = [];
  try {
    // All at once: a host that is down without saying so must not keep the others waiting.
    const attempts = hosts.urls.map(async (url) => {
      const client = clientFor(url, options);
      clients.push(client);
      return makeReady(client, hosts.needsWritable, options);
    });
    const ready = await Promise.any(attempts);
    // Nor the end of the process.
    for (const client of clients) if (client !== ready) destroy(client);
    return ready;
  } catch (error) {
    const failures = (error as AggregateError).errors.map(toFailure);
    throw failures.find(({ message }) => message.includes('takes no writes')) ?? failures[0] ?? unavailable();
  }
}

async function makeReady(client: Client, needsWritable: boolean, options: ConnectOptions): Promise<Client> {
  const startedAt = performance.now();
  try {
    await client.connect();
    const leftMs = options.connectTimeoutMs - (performance.now() - startedAt);
    if (needsWritable) await requireWritable(client, Math.max(1, leftMs));
    return client;
  } catch (error) {
    destroy(client);
    throw toFailure(error);
  }
}

/** Throws `unavailable` where a file that the URL names cannot be read. */
function clientFor(
  url: string,
  { connectTimeoutMs, statementTimeoutMs, lockTimeoutMs }: ConnectOptions,
): Client {
  try {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      fallback_application_name: 'roster',
      keepAlive: true,
      keepAliveInitialDelayMillis,
      pipeline: true,
    });
    // An idle connection that is lost says so here, and would end the process if nobody listened.
    client.on('error', () => undefined);
    return client;
  } catch (error) {
    throw toFailure(error);
  }
}

async function requireWritable(client: Client, timeoutMs: number): Promise<void> {
  const query = { text: 'show transaction_read_only', query_timeout: timeoutMs };
  const { rows } = await client.query<{ transaction_read_only: string }>(query);
  if (rows[0]?.transaction_read_only !== 'off')
    throw Object.assign(new Error('read only'), { code: '25006' });
}

/** Ends a connection without waiting for a server that may not answer; whatever was asked on it fails. */
export function destroy(client: Client): void {
  streamOf(client).destroy();
}

/**
 * Sends what is asked on a connection in one turn of the event loop together: call what is returned before each
 * statement. A system call for each was a sixth of an answer.
 */
export function sendTogether(client: Client): () => void {
  const stream = streamOf(client);
  let isHeld = false;
  const release = () => {
    isHeld = false;
    stream.uncork();
  };
  return () => {
    if (isHeld) return;
    isHeld = true;
    stream.cork();
    // After whatever goes on at once when promises are kept.
    process.nextTick(release);
  };
}

function streamOf(client: Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
