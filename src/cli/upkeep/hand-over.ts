import { spawn } from 'node:child_process';

import type { Exit } from '../failures.ts';
import { interruptible } from '../signals.ts';

const limitSeconds = 3_600;
const endsWithinMs = 2_000;
/** The command gets no other variable: the settings may hold secrets. */
const passedOn = new Set(['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR']);

/** Starts a program without a shell, with the path as its one argument. Returns why it failed, as the end of a sentence. */
export async function handOver(command: string, file: string, secondsMax: number): Promise<string | undefined> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.has(name)));
  // A process group of its own, so that all that it starts ends with it.
  const child = spawn(command, [file], { env, stdio: 'ignore', detached: true });
  const { promise: ended, resolve } = Promise.withResolvers<string | undefined>();
  child.once('error', ({ code }: NodeJS.ErrnoException) => resolve(`could not be started (${code ?? 'unknown'})`));
  child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? `code ${code}`}`));
  const end = () => {
    signalGroup(child.pid, 'SIGTERM');
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), endsWithinMs).unref();
  };
  let interruption: Exit | undefined;
  using _ = interruptible((reason) => {
    interruption = reason;
    end();
  });
  const limit = Math.min(secondsMax, limitSeconds);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limit * 1_000);
  const failure = await ended;
  clearTimeout(timer);
  if (failure !== undefined) signalGroup(child.pid, 'SIGKILL');
  if (interruption) throw interruption;
  return isLate ? `took longer than ${limit} s` : failure;
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // The group has ended.
  }
}
