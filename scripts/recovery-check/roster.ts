import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { addressOf, type Ended, nodeArguments, spawnProgram } from '../../test/support/program.ts';

export interface Roster {
  run(...args: string[]): Promise<Ended>;
  /** Runs a command that must succeed, with --json. */
  json<T>(...args: string[]): Promise<T>;
  /** A running service, and its address. */
  serve(): Promise<{ address: string; stop: () => Promise<void> } & AsyncDisposable>;
}

/** The built program on one database. */
export function rosterOn(cwd: string, url: string): Roster {
  const env = { DATABASE_URL: url, ROSTER_RATE_LIMIT: '0' };
  const start = (args: string[]) => spawnProgram(process.execPath, [...nodeArguments(), ...args], { cwd, env });
  const run: Roster['run'] = (...args) => start(args).ended;
  return {
    run,
    json: async <T>(...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      if (code !== 0) throw new Error(`roster ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    serve: async () => {
      const running = start(['serve']);
      const address = await addressOf(running);
      const stop = async () => {
        running.child.kill();
        const { code, stdout } = await running.ended;
        if (code !== 0) throw new Error(`the service ended with ${code}: ${stdout}`);
      };
      const end = async () => {
        running.child.kill('SIGKILL');
        await running.ended;
      };
      return { address, stop, [Symbol.asyncDispose]: end };
    },
  };
}

const page = readFileSync(new URL('../../docs/backups.md', import.meta.url), 'utf8');

/** The blocks of a language that stand in a section of docs/backups.md. */
export function blocksOf(section: string, language: string): string[] {
  const text = page.slice(page.indexOf(`## ${section}`));
  const end = text.indexOf('\n## ', 1);
  const blocks = text.slice(0, end < 0 ? undefined : end).matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'));
  return Array.from(blocks, ([, block = '']) => block);
}

export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await pause(100);
  }
}

/** A whole second with no writes around it, because both tools use clocks of their own. */
export async function quietMoment(): Promise<string> {
  await pause(2_500);
  const moment = `${new Date().toISOString().slice(0, 19)}Z`;
  await pause(2_500);
  return moment;
}
