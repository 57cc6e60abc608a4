import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { nobody } from '../../test/support/postgres.ts';

/** Starts a Debian program in a folder, without root; its output goes to `name.log` there. */
export function startIn(folder: string, name: string, file: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a');
  return spawn(file, args, { ...nobody, cwd: folder, stdio: ['ignore', log, log] });
}

/** Kills it if it still runs. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Signals all processes whose command line names this folder, and their descendants. */
export function signalFamily(folder: string, signal: NodeJS.Signals): void {
  const done = new Set<number>();
  for (;;) {
    // The last process may have started another one before its signal came.
    const fresh = familyOf(folder).filter((pid) => !done.has(pid));
    if (fresh.length === 0) return;
    for (const pid of fresh) {
      done.add(pid);
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  }
}

function familyOf(folder: string): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((pid) => [Number(pid), parentOf(pid)]));
  const family = all.filter((pid) => textOf(pid, 'cmdline').includes(`${folder}/`)).map(Number);
  // The list grows while it is read.
  for (const pid of family) {
    for (const [child, parent] of parents) if (parent === pid && !family.includes(child)) family.push(child);
  }
  return family;
}

function parentOf(pid: string): number {
  // The name in brackets may hold anything.
  return Number(textOf(pid, 'stat').split(') ').at(-1)?.split(' ')[1] ?? 0);
}

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
