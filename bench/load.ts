import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { cpuSeconds } from './processes.ts';

const execute = promisify(execFile);

/** What is loaded, and by what requests. */
export interface Target {
  address: string;
  /** The serving processes, whose CPU time counts. */
  pids(): readonly number[];
  /** Lua for wrk that defines `request()`. */
  requests: string;
  /** Where the script is put. */
  folder: string;
}

export interface Load {
  connections: number;
  seconds: number;
  /** The core that the load comes from, where given (by taskset). */
  core?: number;
}

export interface Answered {
  perSecond: number;
  /** By the CPU time of the serving processes alone. */
  perCpuSecond: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
}

/** Throws where wrk or taskset is missing, so that a run fails before it has filled a database. */
export function requireLoadTools(): void {
  const missing = ['wrk', 'taskset'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
  if (missing.length > 0)
    throw new Error(`Not on the PATH: ${missing.join(', ')}. Install them, as with: apt-get install wrk util-linux`);
}

/** Asks by wrk for some seconds. Throws where anything but 2xx and 3xx came back: such a figure would mean nothing. */
export async function ask(target: Target, { connections, seconds, core }: Load): Promise<Answered> {
  const script = join(target.folder, 'load.lua');
  writeFileSync(script, target.requests + result);
  const cpu = () => target.pids().reduce((total, pid) => total + cpuSeconds(pid), 0);
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script];
  const pinned = core === undefined ? wrk : ['taskset', '-c', String(core), ...wrk];
  const before = cpu();
  const { stdout } = await execute(pinned[0] ?? '', [...pinned.slice(1), target.address], {
    timeout: (seconds + 60) * 1_000,
  });
  const used = cpu() - before;
  const [requests = 0, micros = 0, errors = 0, p50 = 0, p99 = 0] = (/RESULT (.*)/.exec(stdout)?.[1] ?? '')
    .split(' ')
    .map(Number);
  if (requests === 0 || errors > 0) throw new Error(`${errors} of ${requests} answers were errors`);
  return {
    perSecond: requests / (micros / 1e6),
    perCpuSecond: requests / used,
    p50: p50 / 1_000,
    p99: p99 / 1_000,
  };
}

const result = `
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end`;
