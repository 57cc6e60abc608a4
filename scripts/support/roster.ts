import { addressOf, type Ended, nodeArguments, spawnProgram, stop } from '../../test/support/program.ts';

export interface Roster {
  run(...args: string[]): Promise<Ended>;
  /** Runs a command that must succeed, with --json. */
  json<T>(...args: string[]): Promise<T>;
  /** Resolves when it listens. */
  serve(): Promise<Service>;
}

/** Disposal kills the process. */
export interface Service extends AsyncDisposable {
  address: string;
  /** Throws if the process does not end by itself. */
  stop(): Promise<void>;
}

/** A built program with these settings: this checkout's, or another `dist/main.js`. */
export function rosterIn(cwd: string, settings: Record<string, string>, main?: string): Roster {
  const env = { ROSTER_RATE_LIMIT: '0', ...settings };
  const start = (args: string[]) => spawnProgram(process.execPath, [...nodeArguments(main), ...args], { cwd, env });
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
      const end = async () => {
        running.child.kill('SIGKILL');
        await running.ended;
      };
      return { address, stop: async () => void (await stop(running)), [Symbol.asyncDispose]: end };
    },
  };
}
