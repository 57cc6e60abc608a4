import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { HostedCommand, HostedEnd } from './command-host.ts';

/** The program as shipped. */
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const builtCommands = new URL('../../dist/cli.js', import.meta.url).href;
/** A program in place of `dist/`, such as an executable. */
const given = process.env['ROSTER_PROGRAM'];

/** The arguments of Node that run a built program as its first line does: `#!/usr/bin/env -S node FLAG…`. */
export function nodeArguments(program = main): string[] {
  const [firstLine = ''] = readFileSync(program, 'utf8').split('\n', 1);
  const [, flags] = /^#!\/usr\/bin\/env (?:-S )?node ?(.*)$/.exec(firstLine) ?? [];
  if (flags === undefined) throw new Error(`${program} begins with ${firstLine}`);
  return [...flags.split(' ').filter(Boolean), program];
}

/** The file that starts the program, and its first arguments. Only Node obeys NODE_OPTIONS, so hooks of tests run `dist/`. */
export function programCommand(env: Record<string, string> = {}): [string, ...string[]] {
  return given === undefined || 'NODE_OPTIONS' in env ? [process.execPath, ...nodeArguments()] : [resolve(given)];
}

/** Hundreds of processes compile the same files. */
const compileCache = join(tmpdir(), 'roster-test-compile-cache');

/** The settings of every command line: none from outside, and free ports. */
const standing = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: compileCache,
  ROSTER_METRICS_PORT: '0',
  PORT: '0',
};

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the first match in stdout. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<Ended>;
}

/** Starts a command line without settings from outside, on a free port. */
export function spawnProgram(
  file: string,
  args: string[],
  { cwd, env }: { cwd?: string; env: Record<string, string> },
): Running {
  const child = spawn(file, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...standing, ...env },
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...out }));
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(out.stdout);
      if (match) return match;
      const next = await Promise.race([once(child.stdout, 'data').then(() => 'more' as const), ended]);
      if (next !== 'more') throw new Error(`ended before ${String(pattern)}: ${JSON.stringify(next)}`);
    }
  };
  return { child, ended, until, stdout: () => out.stdout, stderr: () => out.stderr };
}

/** Where `serve` listens, once it does. */
export async function addressOf({ until }: Pick<Running, 'until'>): Promise<string> {
  const [, address = ''] = await until(/"msg":"listening at ([^"]+)"/);
  return address;
}

/** Tells a program to stop; throws where it ends otherwise than by itself and well. */
export async function stop(
  { child, ended }: Pick<Running, 'child' | 'ended'>,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<Ended> {
  child.kill(signal);
  const end = await ended;
  if (end.code !== 0) throw new Error(`ended with ${end.code ?? end.signal}: ${end.stdout}${end.stderr}`);
  return end;
}

/** Starts the program, which may be an executable. */
export function spawnRoster(args: string[], { cwd, env }: { cwd?: string; env: Record<string, string> }): Running {
  const [file, ...first] = programCommand(env);
  return spawnProgram(file, [...first, ...args], { ...(cwd !== undefined && { cwd }), env });
}

/**
 * Runs command lines one after another in one process, as to start Node for each takes most of the time of the tests.
 * `run` returns undefined where the process is busy, for two commands at once are two processes, and for an executable.
 */
export function commandHost() {
  let child: ChildProcess | undefined;
  let isBusy = false;
  const started = () => {
    const hosting = fork(fileURLToPath(new URL('command-host.ts', import.meta.url)), [builtCommands], {
      env: standing,
      execArgv: nodeArguments().slice(0, -1),
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    hosting.once('exit', () => (child = undefined));
    hosting.unref();
    hosting.channel?.unref();
    return hosting;
  };
  return {
    run: (args: string[], { cwd, env, input }: Omit<HostedCommand, 'args'>): Promise<Ended> | undefined => {
      if (isBusy || given !== undefined) return undefined;
      isBusy = true;
      const hosting = (child ??= started());
      const { promise, resolve, reject } = Promise.withResolvers<Ended>();
      const onEnd = (ended: HostedEnd) => resolve({ ...ended, signal: null });
      const onExit = () => reject(new Error(`the process ended during: ${args.join(' ')}`));
      hosting.channel?.ref();
      hosting.once('message', onEnd).once('exit', onExit);
      hosting.send({ args, cwd, env: { ...standing, ...env }, input });
      return promise.finally(() => {
        isBusy = false;
        hosting.channel?.unref();
        hosting.off('message', onEnd).off('exit', onExit);
      });
    },
    /** Ends the process if a command still runs in it. */
    [Symbol.dispose]: () => {
      if (isBusy) child?.kill('SIGKILL');
    },
  };
}
