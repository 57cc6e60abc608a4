import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { nodeArguments } from '../../test/support/program.ts';
import { chatbots, projects } from '../people.ts';

export interface Served {
  perSecond: number;
  /** Of the serving process alone. */
  perCpuSecond: number;
  /** Answers other than 2xx and 3xx. */
  errors: number;
  /** In microseconds. */
  p50: number;
  p99: number;
}

/** CPU time of a process so far, in seconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Random contacts out of `n`, each with the key of its project. */
function loadScript(tokens: readonly string[], n: number): string {
  return `
local tokens = { ${tokens.map((token) => `'${token}'`).join(', ')} }
function init() math.randomseed(os.time()) end
function request()
  local i = math.random(1, ${n})
  wrk.headers['Authorization'] = 'Bearer ' .. tokens[i % ${projects} + 1]
  return wrk.format('GET', string.format('/v2/chatbots/%d/contacts/%.0f', i % ${chatbots}, (i * 740737387) % 4294967296))
end
function done(summary, latency)
  io.write(string.format('RESULT %d %d %d %d\\n', summary.requests, summary.errors.status,
    latency:percentile(50), latency:percentile(99)))
end`;
}

/** Starts `roster serve` as it is shipped, for wrk to ask with 16 connections. */
export async function serveForLoad(
  given: { url: string; tokens: readonly string[]; folder: string; n: number },
  env: Record<string, string> = {},
) {
  const script = join(given.folder, 'load.lua');
  writeFileSync(script, loadScript(given.tokens, given.n));
  const child = spawn(process.execPath, [...nodeArguments(), 'serve'], {
    env: {
      ...process.env,
      DATABASE_URL: given.url,
      PORT: '0',
      ROSTER_RATE_LIMIT: '0',
      ROSTER_METRICS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const found = /listening at ([^"]+)"/.exec(chunk.toString())?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const measure = (
    seconds: number,
  ): { perSecond: number; perCpuSecond: number; errors: number; p50: number; p99: number } => {
    const before = cpuOf(child.pid ?? 0);
    const out = execFileSync('wrk', ['-t1', '-c16', `-d${seconds}s`, '-s', script, address], {
      encoding: 'utf8',
    });
    const cpu = cpuOf(child.pid ?? 0) - before;
    const [requests = 0, errors = 0, p50 = 0, p99 = 0] = (/RESULT (.*)/.exec(out)?.[1] ?? '').split(' ').map(Number);
    return { perSecond: requests / seconds, perCpuSecond: requests / cpu, errors, p50, p99 };
  };
  return { measure, stop: () => child.kill() };
}
