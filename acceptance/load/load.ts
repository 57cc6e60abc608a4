import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Trial } from '../guarantee.ts';

/** A request as it is sent, and the status that is right. */
export interface Request {
  text: string;
  status: number;
}

/** What callers do, in a process of their own: they put the requests in turn, one at a time on a connection. */
export interface Plan {
  port: number;
  requests: readonly Request[];
  connections: number;
  /** Sent whatever becomes of them; without it each connection asks as soon as it is answered. */
  perSecond?: number;
  /** Ends after so many seconds, or so many requests. */
  seconds?: number;
  total?: number;
}

/** Milliseconds from the request to the end of its answer. */
export interface Times {
  p50: number;
  p99: number;
  max: number;
}

export interface Report {
  seconds: number;
  sent: number;
  /** Those that were due while every connection waited for its answer. */
  unsent: number;
  /** Answers with the right status, in all and in each second. */
  good: number;
  goodBySecond: number[];
  goodTimes: Times;
  /** 503 in the envelope with Retry-After. */
  shed: number;
  /** Connections that broke while an answer was awaited. */
  broken: number;
  /** Creations whose answer did not come; nobody knows whether they were done. */
  untold: number;
  /** What no answer should be, a few of them in full. */
  wrong: number;
  examples: string[];
  /** The ids that answers with 201 told. */
  created: string[];
}

const callers = fileURLToPath(new URL('callers.ts', import.meta.url));

/** Puts a load on a server and says what came of it. */
export function load(plan: Plan): Promise<Report> {
  return inProcess<Report>(callers, plan);
}

/** Starts a program of ours, tells it the plan, and returns its one message. */
export async function inProcess<T>(program: string, plan: object): Promise<T> {
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    child.send(plan);
    const report = once(child, 'message').then(([message]) => message as T);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`${program} ended with ${String(code)} before it reported`);
    });
    ended.catch(() => undefined);
    return await Promise.race([report, ended]);
  } finally {
    child.kill('SIGKILL');
  }
}

/** A GET with a key. */
export function getRequest(path: string, token: string, status = 200): Request {
  return {
    text: `GET ${path} HTTP/1.1\r\nHost: roster.test\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    status,
  };
}

/** An instance without a rate limit, whose log nobody keeps: of millions of answers it is hundreds of megabytes. */
export async function unlimitedTarget({ target }: Pick<Trial, 'target'>) {
  const at = await target({ ROSTER_RATE_LIMIT: '0' });
  const { served, installation } = at;
  if (!served || !installation) throw new Error('only an instance of the trial is put under load');
  served.child.stdout?.removeAllListeners('data').resume();
  return { ...at, served, installation };
}

/**
 * How much longer the server took because the cores were somebody else's (the callers', or those of another program),
 * as Linux counts it: with a core of its own it would have done so many times as much.
 */
export function startClock(pid: number): () => number {
  const read = () => readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  const [runBefore = 0, waitedBefore = 0] = read();
  return () => {
    const [run = 0, waited = 0] = read();
    return 1 + (waited - waitedBefore) / (run - runBefore);
  };
}

/** Memory that a process has in use, in megabytes (Linux). */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

export function timesOf(ms: readonly number[]): Times {
  const sorted = Float64Array.from(ms).toSorted();
  const at = (part: number) => Math.round((sorted[Math.floor((sorted.length - 1) * part)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
