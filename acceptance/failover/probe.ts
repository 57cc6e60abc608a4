import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { Client, DatabaseError } from 'pg';

import type { Roster } from './rosters.ts';

/** A span of time, by `performance.now()`. */
export interface Span {
  from: number;
  to: number;
}

/** Commits past Roster on the same route, and so finds out when PostgreSQL took commits. */
export interface Probe extends AsyncDisposable {
  spans: readonly Span[];
}

const everyMs = 100;
const limitMs = 1_000;
// It has to reach the log, or its commit would not wait for a standby.
const commit = { text: `select pg_logical_emit_message(true, 'probe', '')`, query_timeout: limitMs };

export function startProbe(roster: Roster): Probe {
  const spans: Span[] = [];
  const stopping = new AbortController();
  const clients = new Map<string, Client>();
  const pending = new Map<string, Promise<void>>();
  const forget = (url: string) => {
    const client = clients.get(url);
    clients.delete(url);
    // A backend that waits for its standby does not read the end of its connection.
    if (client) (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  };
  const connected = async (url: string): Promise<Client> => {
    const known = clients.get(url);
    if (known) return known;
    const client = new Client({ connectionString: url, connectionTimeoutMillis: limitMs });
    client.on('error', () => forget(url));
    clients.set(url, client);
    await client.connect();
    return client;
  };
  /** One question at a time for each host: the others go on while one is silent. */
  const ask = async (url: string): Promise<void> => {
    const asked = pending.get(url) ?? connected(url).then(async (client) => void (await client.query(commit)));
    pending.set(url, asked);
    try {
      await asked;
    } catch (error) {
      // A standby refuses, and may take commits a moment later.
      if (!(error instanceof DatabaseError)) forget(url);
      throw error;
    } finally {
      pending.delete(url);
    }
  };
  const look = async () => {
    let open: Span | undefined;
    while (!stopping.signal.aborted) {
      const isWritable = await Promise.any(roster.databaseUrls.map(ask)).then(
        () => true,
        () => false,
      );
      const now = performance.now();
      if (!isWritable || !roster.isServing) open = undefined;
      else if (open) open.to = now;
      else spans.push((open = { from: now, to: now }));
      await pause(everyMs);
    }
  };
  const ended = look();
  return {
    spans,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await ended;
      for (const url of clients.keys()) forget(url);
    },
  };
}

/** The longest time without an acknowledgement in which the cluster took commits. */
export function longestUnserved(spans: readonly Span[], silences: readonly Span[]): number {
  const overlaps = silences.flatMap(({ from, to }) =>
    spans.map((span) => Math.min(to, span.to) - Math.max(from, span.from)),
  );
  return Math.max(0, ...overlaps);
}
