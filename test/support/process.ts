import type { ChildProcess } from 'node:child_process';
import { userInfo } from 'node:os';

import { openCurrentStore } from '../../src/cli/open.ts';
import { placeOfRun, temporaryFolder } from './engines.ts';
import { aProject, type ProjectWithPeople } from './people.ts';
import { addressOf, commandHost, type Ended, programCommand, type Running, spawnProgram } from './program.ts';

export { stop } from './program.ts';

/** The actor of what a command of this run does. */
export const commandUser = `cli:${userInfo().username}`;

export interface Installation extends AsyncDisposable {
  folder: string;
  databaseUrl: string;
  /** Runs a command line to its end; the process may have run others before. */
  run(args: string[], given?: { input?: string | Buffer; env?: Record<string, string> }): Promise<Ended>;
  /** Runs it with --json, expects success, and returns the document. */
  json<T>(args: string[], given?: { input?: string | Buffer; env?: Record<string, string> }): Promise<T>;
  /** Runs a command line as a shell would, with its redirections. */
  shell(line: string): Promise<Ended>;
  /** Starts a command line as npx does: under a shell that keeps the signals to itself. */
  startUnderNpx(line: string): Running;
  /** Starts another program, which gets the words of the program after its own arguments. */
  startUnder(file: string, args: string[], env?: Record<string, string>): Running;
  /** Starts a command that goes on. */
  start(args: string[], env?: Record<string, string>): Running;
}

const host = commandHost();

/** Hooks of Node need a process of their own, and so do commands that serve. */
function isAnOwnProcess([command = '', option]: string[], env: Record<string, string> = {}): boolean {
  return 'NODE_OPTIONS' in env || ((command === 'serve' || command === 'demo') && option !== '--help');
}

/**
 * The program as shipped, with an empty folder and database and no settings from outside. `ownDatabase` is for tests that
 * change the schema.
 */
export async function anInstallation({ ownDatabase = false } = {}): Promise<Installation> {
  const folder = temporaryFolder();
  const place = await placeOfRun(folder.path, ownDatabase);
  const settings = { DATABASE_URL: place.url, TMPDIR: folder.path };
  const children: ChildProcess[] = [];
  const start = (args: string[], env?: Record<string, string>) => {
    const [file, ...first] = programCommand(env);
    return spawned(file, [...first, ...args], env);
  };
  const spawned = (file: string, args: string[], env: Record<string, string> = {}): Running => {
    const running = spawnProgram(file, args, {
      cwd: folder.path,
      env: { ...settings, ...env },
    });
    children.push(running.child);
    return running;
  };
  const command = programCommand()
    .map((word) => `'${word}'`)
    .join(' ');
  const run: Installation['run'] = async (args, { input, env } = {}) => {
    const hosted = isAnOwnProcess(args, env)
      ? undefined
      : host.run(args, {
          cwd: folder.path,
          env: { ...settings, ...env },
          input: Buffer.from(input ?? ''),
        });
    if (hosted) return hosted;
    const running = start(args, env);
    running.child.stdin?.on('error', () => undefined).end(input ?? '');
    return running.ended;
  };
  return {
    folder: folder.path,
    databaseUrl: place.url,
    start,
    run,
    startUnder: (under, args, env) => spawned(under, [...args, ...programCommand(env)], env),
    startUnderNpx: (line) => spawned('/bin/sh', ['-c', `${command} ${line}; exit`], { npm_command: 'exec' }),
    shell: (line) => spawned('/bin/sh', ['-c', `${command} ${line}`]).ended,
    json: async <T>(args: string[], given = {}) => {
      const { code, stdout, stderr } = await run([...args, '--json'], given);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    // A test that failed leaves no server behind.
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill('SIGKILL');
      host[Symbol.dispose]();
      await place[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** A project `acme`, a chatbot `8839210412` and a key, in the installation's database without its processes. */
export async function aProjectThere(
  at: Pick<Installation, 'databaseUrl'>,
  given: Parameters<typeof aProject>[1] = {},
): Promise<ProjectWithPeople> {
  await using store = await openCurrentStore(at.databaseUrl);
  return await aProject(store, { id: 'acme', chatbotId: '8839210412', ...given });
}

interface Finding {
  check: string;
  status: string;
  finding: string;
  command: string | null;
}

/** What `doctor` finds of one thing, whether it fails or not. */
export async function findingOf(
  at: Pick<Installation, 'run'>,
  check: string,
  env: Record<string, string> = {},
): Promise<Finding | undefined> {
  const { stdout } = await at.run(['doctor', '--json'], { env });
  const { checks } = JSON.parse(stdout) as { checks: Finding[] };
  return checks.find((one) => one.check === check);
}

/** `serve`, listening; its address is in `address`. */
export async function serving(at: Installation, env: Record<string, string> = {}) {
  const running = at.start(['serve'], env);
  const address = await addressOf(running);
  return { ...running, address };
}

/** The lines that a program has logged; throws where one is no JSON. */
export function linesOf(running: Running): Record<string, unknown>[] {
  const whole = running.stdout().slice(0, running.stdout().lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
