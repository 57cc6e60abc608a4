import type { Socket } from 'node:net';

import { Client, escapeLiteral, type QueryConfig, types } from 'pg';

import { isLoopback } from '../../values/cidr.ts';
import { toFailure, unavailable } from './failures.ts';

// All numbers are below 2^53; the driver would return text.
types.setTypeParser(types.builtins.INT8, Number);

export interface Hosts {
  urls: string[];
  needsWritable: boolean;
  /** Time limits from the URL; undefined if its `options` set them. */
  limits: Readonly<Record<string, string | undefined>>;
}

export interface ConnectOptions {
  connectTimeoutMs: number;
  /** Missing means no limit. */
  statementTimeoutMs?: number | undefined;
  lockTimeoutMs?: number | undefined;
}

/** Several hosts or `target_session_attrs=read-write` demand the primary, as `serve` always does. */
export function readHosts(url: string, serving = false): Hosts {
  const parts = /^(?<scheme>postgres(?:ql)?:\/\/(?:[^@/]*@)?)(?<hosts>[^/?]*)(?<rest>[^?]*)\??(?<query>.*)$/.exec(
    url,
  )?.groups;
  const query = new URLSearchParams(parts?.['query']);
  const hosts = (parts?.['hosts'] ?? '').split(',');
  const wanted = query.get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any');
  query.delete('target_session_attrs');
  const limits = takeLimits(query);
  // libpq's meaning of sslmode; otherwise the driver warns and uses another.
  if (query.has('sslmode') && !query.has('uselibpqcompat')) query.set('uselibpqcompat', 'true');
  const tail = query.size > 0 ? `?${query.toString()}` : '';
  return {
    urls: hosts.map((host) => `${parts?.['scheme']}${host}${parts?.['rest']}${tail}`),
    needsWritable: serving || wanted !== 'any',
    limits,
  };
}

/** Time limits are set after connecting: poolers refuse them in the start-up packet. */
function takeLimits(query: URLSearchParams): Hosts['limits'] {
  const limits: Record<string, string | undefined> = {};
  for (const name of ['statement_timeout', 'lock_timeout']) {
    const given = query.get(name);
    if (given !== null || query.get('options')?.includes(name) === true) limits[name] = given ?? undefined;
    query.delete(name);
  }
  return limits;
}

export function isInTheClear(url: string): boolean {
  const clients = readHosts(url).urls.map((one) => clientFor(one, { connectTimeoutMs: 0 }));
  return clients.some(({ host, ssl }) => !ssl && !host.startsWith('/') && !isLoopback(host));
}

/** Without keep-alive a silently dropped connection is noticed after two hours. */
const keepAliveInitialDelayMillis = 30_000;

/** A connection and the backend process that serves it, which a pooler may hide. */
export interface PostgresSession {
  client: Client;
  pid: number;
}

export async function connect(hosts: Hosts, options: ConnectOptions): Promise<PostgresSession> {
  const clients: Client[] = [];
  try {
    // In parallel: a host that does not answer must not delay the others.
    const attempts = hosts.urls.map(async (url) => {
      const client = clientFor(url, options);
      clients.push(client);
      return makeReady(client, hosts, options);
    });
    const ready = await Promise.any(attempts);
    for (const client of clients) if (client !== ready.client) destroy(client);
    return ready;
  } catch (error) {
    const failures = (error as AggregateError).errors.map(toFailure);
    throw failures.find(({ message }) => message.includes('takes no writes')) ?? failures[0] ?? unavailable();
  }
}

async function makeReady(client: Client, hosts: Hosts, options: ConnectOptions): Promise<PostgresSession> {
  const endsAt = performance.now() + options.connectTimeoutMs;
  const before = [...limitsOf(hosts, options), ...(hosts.needsWritable ? [onlyWritable.text] : [])];
  try {
    await client.connect();
    return { client, pid: await pidOf(client, endsAt, before) };
  } catch (error) {
    destroy(client);
    throw toFailure(error);
  }
}

export async function pidOf(client: Client, endsAt: number, before: readonly string[] = []): Promise<number> {
  const text = [...before, 'select pg_backend_pid() as pid'].join(';');
  const limited = { text, query_timeout: Math.max(1, endsAt - performance.now()) } as QueryConfig;
  // Several statements give an array of results, unlike the type.
  const results = [await client.query<{ pid: number }>(limited)].flat();
  return results.at(-1)?.rows[0]?.pid ?? 0;
}

function limitsOf(hosts: Hosts, { statementTimeoutMs, lockTimeoutMs }: ConnectOptions): string[] {
  const limits = { statement_timeout: statementTimeoutMs, lock_timeout: lockTimeoutMs, ...hosts.limits };
  return Object.entries(limits).flatMap(([name, limit]) =>
    limit === undefined ? [] : [`set ${name} = ${escapeLiteral(String(limit))}`],
  );
}

const warned = new WeakSet<object>();
/** SQLSTATE classes of warnings, and of a commit that ended while it waited for a standby. Others are notices. */
const warningCode = /^(?:01|57)/;

export function isWarned(query: object): boolean {
  return warned.has(query);
}

function clientFor(url: string, { connectTimeoutMs }: Pick<ConnectOptions, 'connectTimeoutMs'>): Client {
  try {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      fallback_application_name: 'roster',
      keepAlive: true,
      keepAliveInitialDelayMillis,
      pipeline: true,
    });
    // An unheard error of an idle connection would end the process.
    client.on('error', () => undefined);
    client.on('notice', ({ code }) => {
      const { _activeQuery: query } = client as unknown as { _activeQuery: object | null };
      if (query && code !== undefined && warningCode.test(code)) warned.add(query);
    });
    return client;
  } catch (error) {
    throw toFailure(error);
  }
}

export const onlyWritable = {
  text: `do $$ begin
    if current_setting('transaction_read_only') = 'on' then raise read_only_sql_transaction; end if;
  end $$`,
};

export function destroy(client: Client): void {
  streamOf(client).destroy();
}

/** Batches the statements of one turn of the event loop: call before each. Saves a sixth of an answer. */
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
    process.nextTick(release);
  };
}

function streamOf(client: Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
