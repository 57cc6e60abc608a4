import { join } from 'node:path';

import { freePort } from '../../test/support/free-port.ts';
import { nodeArguments } from '../../test/support/program.ts';
import { ask, type Answered, type Load } from '../load.ts';
import { serve, type Serving } from '../processes.ts';

export const [serverCore, loadCore] = [0, 1];

export interface Trial {
  /** Where the database is. */
  url: string;
  /** Of the key that may do everything. */
  token: string;
  folder: string;
}

/** A process of Roster as in production; the limit is counted and never reached. */
export async function roster(url: string): Promise<Serving> {
  const settings = { PORT: '0', ROSTER_RATE_LIMIT: '1000000000', DATABASE_URL: url };
  const metrics = { ROSTER_METRICS_PORT: String(await freePort()) };
  return serve([...nodeArguments(), 'serve'], { ...settings, ...metrics }, serverCore);
}

export function program(name: string, ...args: string[]): Promise<Serving> {
  return serve([new URL(`../servers/${name}.ts`, import.meta.url).pathname, ...args], {}, serverCore);
}

/** Asks a server by wrk, from the other core. */
export function load({ address, pid }: Serving, requests: string, folder: string, given: Load): Promise<Answered> {
  const target = { address, pids: () => [pid], requests, folder };
  return ask(target, { ...given, core: loadCore });
}

export function sqliteIn(folder: string, name: string): string {
  return `sqlite:${join(folder, name)}`;
}

/** Milliseconds that a request takes, its body read. Throws where the answer is no success. */
export async function timed(address: string, token: string, path: string, body?: object): Promise<number> {
  const start = performance.now();
  const answer = await fetch(address + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  return performance.now() - start;
}
