import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { isSea } from 'node:sea';
import type { Readable, Writable } from 'node:stream';
import { serialize } from 'node:v8';

import { isSource, programInMemory, requireAsset } from '../assets.ts';

type Started = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts this program again, even if its files are gone or of another version by now. Call `holdProgram` first. */
export function startOwnProcess(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const [file, ...first] = command();
  const child = spawn(file, [...first, ...args], { env, stdio: 'pipe' });
  // The child may end before it has read everything.
  child.stdin.on('error', () => undefined).end(isSource || isSea() ? '' : serialize(programInMemory()));
  return child;
}

function command(): [string, ...string[]] {
  // Opens the running file even after it was replaced.
  if (isSea()) return [process.platform === 'linux' ? '/proc/self/exe' : process.execPath];
  const flags = process.execArgv.filter((one) => one !== '--');
  if (isSource) return [process.execPath, ...flags, process.argv[1] ?? ''];
  // Arguments follow the name of a file, as in `node FLAGS main.js`.
  const start = ['--input-type=module', '--eval', requireAsset('child.js').toString(), '--', 'main.js'];
  return [process.execPath, ...flags, ...start];
}
