import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import type { Answered, Load } from './load/client.ts';
import { cpuSeconds, kept, loadCore, pinned } from './processes.ts';

export interface Measured extends Answered {
  /** CPU time of the serving processes for an answer, in microseconds. */
  cpuMicros: number;
}

/** Asks from a process on a core of its own. */
export async function measure(pids: readonly number[], load: Load): Promise<Measured> {
  const cpu = () => pids.reduce((total, pid) => total + cpuSeconds(pid), 0);
  const before = cpu();
  const [command, ...args] = pinned(loadCore, [process.execPath, new URL('load/client.ts', import.meta.url).pathname]);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  using _ends = kept(child);
  child.stdin.end(JSON.stringify(load));
  const output = await text(child.stdout);
  if (output === '') throw new Error('the load failed');
  const answered = JSON.parse(output) as Answered;
  return { ...answered, cpuMicros: (1e6 * (cpu() - before)) / answered.count };
}
