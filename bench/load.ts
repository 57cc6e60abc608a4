import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { chatbots, projects } from './people.ts';
import { cpuSeconds } from './processes.ts';

const execute = promisify(execFile);

/** What is asked for. The people are those of people.ts; the keys of project `p` are numbers `2p` and `2p + 1`. */
export type Question = 'contact, uniform' | 'contact, Zipf' | 'members' | { path: string };

export interface Load {
  address: string;
  pids: readonly number[];
  tokens: readonly string[];
  contacts: number;
  folder: string;
}

export interface Answered {
  perSecond: number;
  /** By the CPU time of the serving processes alone. */
  perCpuSecond: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
}

/** Asks by wrk for some seconds. Throws where anything but 2xx and 3xx came back: such a figure would mean nothing. */
export async function ask(
  load: Load,
  question: Question,
  { connections, seconds, core }: { connections: number; seconds: number; core?: number },
): Promise<Answered> {
  const script = join(load.folder, 'load.lua');
  writeFileSync(script, luaScript(load, question));
  const before = sum(load.pids.map(cpuSeconds));
  const wrk = [
    'wrk',
    '-t1',
    '--timeout',
    '10s',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    load.address,
  ];
  const command = core === undefined ? wrk : ['taskset', '-c', String(core), ...wrk];
  const { stdout } = await execute(command[0] ?? '', command.slice(1));
  const cpu = sum(load.pids.map(cpuSeconds)) - before;
  const [requests = 0, micros = 0, errors = 0, p50 = 0, p99 = 0] = (/RESULT (.*)/.exec(stdout)?.[1] ?? '')
    .split(' ')
    .map(Number);
  if (requests === 0 || errors > 0) throw new Error(`${errors} of ${requests} answers were errors`);
  return {
    perSecond: requests / (micros / 1e6),
    perCpuSecond: requests / cpu,
    p50: p50 / 1_000,
    p99: p99 / 1_000,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Zipf with s = 1 by the inverse of its distribution as if ranks were continuous; exact for the first, within
 * 2 % for the second, nearer from there on. A prime spreads the ranks over the contacts.
 */
function luaScript({ tokens, contacts }: Load, question: Question): string {
  const contact = `
  wrk.headers['Authorization'] = 'Bearer ' .. tokens[(i % ${projects}) * 2 + math.random(1, 2)]
  return wrk.format('GET', string.format('/v2/chatbots/%d/contacts/%.0f', i % ${chatbots}, (i * 740737387) % 4294967296))`;
  const first = 1.5 / Math.E;
  const body =
    question === 'contact, uniform'
      ? `local i = math.random(1, ${contacts})${contact}`
      : question === 'contact, Zipf'
        ? `local rank = math.floor(${first} * math.exp(math.random() * ${Math.log((contacts + 0.5) / first)}) + 0.5)
  local i = (rank * 15485863) % ${contacts} + 1${contact}`
        : question === 'members'
          ? `wrk.headers['Authorization'] = 'Bearer ' .. tokens[math.random(1, #tokens)]
  return wrk.format('GET', '/v2/members')`
          : `wrk.headers['Authorization'] = 'Bearer ' .. tokens[1]
  return wrk.format('GET', '${question.path}')`;
  return `
local tokens = { ${tokens.map((token) => `'${token}'`).join(', ')} }
function init() math.randomseed(os.time()) end
function request()
  ${body}
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end`;
}
