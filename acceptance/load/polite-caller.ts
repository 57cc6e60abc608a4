import { get } from 'node:http';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { type Times, timesOf } from './load.ts';

export interface Manners {
  /** How many answers of each status came. */
  statuses: Record<number, number>;
  good: Times;
  shed: Times;
  wrong: string[];
}

const givesUpAfterMs = 10_000;

/** Callers who think between two requests, and come back no earlier than `Retry-After` says, until `isOver`. */
export async function callPolitely(
  address: string,
  { path, token, callers = 1, pauseMs = 100 }: { path: string; token?: string; callers?: number; pauseMs?: number },
  isOver: () => boolean,
): Promise<Manners> {
  const statuses: Record<number, number> = {};
  const good: number[] = [];
  const shed: number[] = [];
  const wrong: string[] = [];
  const call = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver()) {
      const { status, ms, retryAfter, body } = await ask(`${address}${path}`, token, agent);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 200) good.push(ms);
      else if (status === 503 && retryAfter > 0 && body.includes('"code":"unavailable"')) shed.push(ms);
      else wrong.push(`${path} was answered with ${status} after ${Math.round(ms)} ms: ${body.slice(0, 200)}`);
      await pause(Math.max(pauseMs, retryAfter * 1_000));
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { statuses, good: timesOf(good), shed: timesOf(shed), wrong };
}

interface Answered {
  /** 0 where the connection broke. */
  status: number;
  ms: number;
  retryAfter: number;
  body: string;
}

function ask(url: string, token: string | undefined, agent: Agent): Promise<Answered> {
  const startedAt = performance.now();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const answered = (status: number, body: string, retryAfter = 0) =>
      resolve({ status, body, retryAfter, ms: performance.now() - startedAt });
    const request = get(url, { agent, headers, timeout: givesUpAfterMs }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => answered(response.statusCode ?? 0, body, Number(response.headers['retry-after'] ?? 0)));
      response.on('error', (error) => answered(0, error.message));
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', (error) => answered(0, error.message));
  });
}
