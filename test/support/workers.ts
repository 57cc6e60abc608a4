import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';

import { expect } from 'vitest';

import { type Installation, serving } from './process.ts';
import type { Running } from './program.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Asks on a connection of its own, which the next worker in turn gets, or on one of the agent. */
export async function ask(url: string, headers: Record<string, string> = {}, agent?: Agent): Promise<Answer> {
  const request = get(url, { headers, agent: agent ?? new Agent({ keepAlive: false }) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  try {
    const body = (await response.setEncoding('utf8').toArray()).join('');
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  } catch (error) {
    throw new Error('the answer broke off', { cause: error });
  }
}

/** The lines that a program has logged; throws where one is no JSON, and so was mixed with another. */
export function linesOf(running: Running): Record<string, unknown>[] {
  const whole = running.stdout().slice(0, running.stdout().lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The workers that have answered so far, by their lines. */
export function workersOf(running: Running): number[] {
  const pids = linesOf(running).filter(({ msg }) => msg === 'answered');
  return [...new Set(pids.map(({ pid }) => Number(pid)))];
}

/** `serve` with two workers, both of which have answered. */
export async function servingByTwo(at: Installation, env: Record<string, string> = {}) {
  const server = await serving(at, { ROSTER_WORKERS: '2', ...env });
  for (let i = 0; i < 4; i++) await ask(`${server.address}/livez`);
  // A line may come after its answer.
  await expect.poll(() => workersOf(server).length, { timeout: 5_000 }).toBe(2);
  return { ...server, workers: workersOf(server) };
}
