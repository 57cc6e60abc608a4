import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { isSea } from 'node:sea';
import type { Readable, Writable } from 'node:stream';
import { serialize } from 'node:v8';

import { isSource, programInMemory, requireAsset } from '../assets.ts';

type Started = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts this very program once more, even where its files are gone or of another version by now; `holdProgram` was called before. */
export function startOwnProcess(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const [file, ...first] = command();
  const child = spawn(file, [...first, ...args], { env, stdio: 'pipe' });
  // It may end before it has read all.
  child.stdin.on('error', () => undefined).end(isSource || isSea() ? '' : serialize(programInMemory()));
  return child;
}

function command(): [string, ...string[]] {
  // Leads to the file that runs here, also after it was replaced.
  if (isSea()) return [process.platform === 'linux' ? '/proc/self/exe' : process.execPath];
  const flags = process.execArgv.filter((one) => one !== '--');
  if (isSource) return [process.execPath, ...flags, process.argv[1] ?? ''];
  // As `node FLAGS main.js` has it, what stands before the arguments is a file.
  const start = ['--input-type=module', '--eval', requireAsset('child.js').toString(), '--', 'main.js'];
  return [process.execPath, ...flags, ...start];
}
