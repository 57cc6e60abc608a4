import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Peer } from './peer.ts';
import { cpuSeconds } from './program.ts';

const execute = promisify(execFile);

// Far more than the busiest peer answers in the seconds of a round.
const pathsMax = 100_000;

export interface Answered {
  perSecond: number;
  /** By the CPU time of the peer's own processes. */
  perCpuSecond: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
}

/** Asks by wrk for contacts at random, out of `count`. Throws where anything but 2xx and 3xx came back. */
export async function askPeer(
  peer: Peer,
  {
    count,
    folder,
    connections = 8,
    seconds,
  }: { count: number; folder: string; connections?: number; seconds: number },
): Promise<Answered> {
  const script = join(folder, 'load.lua');
  writeFileSync(script, luaScript(peer, count, folder));
  const cpu = () => peer.pids().reduce((total, pid) => total + cpuSeconds(pid), 0);
  const before = cpu();
  const { stdout } = await execute(
    'wrk',
    ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, peer.address],
    { timeout: (seconds + 60) * 1_000 },
  );
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

function luaScript(peer: Peer, count: number, folder: string): string {
  const paths = Array.from({ length: Math.min(count, pathsMax) }, () =>
    peer.path(1 + Math.floor(Math.random() * count)),
  );
  const file = join(folder, 'paths.txt');
  writeFileSync(file, paths.join('\n'));
  return `
${Object.entries(peer.headers)
  .map(([name, value]) => `wrk.headers['${name}'] = '${value}'`)
  .join('\n')}
local paths = {}
for path in io.lines('${file}') do paths[#paths + 1] = path end
function request() return wrk.format('GET', paths[math.random(#paths)]) end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end`;
}
