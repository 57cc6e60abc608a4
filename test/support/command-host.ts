import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

export interface HostedCommand {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  input: Buffer;
}

export interface HostedEnd {
  code: number;
  stdout: string;
  stderr: string;
}

const [, , built = ''] = process.argv;
const { run } = (await import(built)) as { run: (args: readonly string[]) => Promise<number> };
process.umask(0o077);

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer | string, encoding, done) => {
      chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk, encoding));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

async function host({ args, cwd, env, input }: HostedCommand): Promise<HostedEnd> {
  const [stdin, out, err] = [new PassThrough(), collector(), collector()];
  const streams = { stdin, stdout: out.stream, stderr: err.stream };
  for (const [name, value] of Object.entries(streams)) Object.defineProperty(process, name, { value });
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.exitCode = undefined;
  const before = new Map(process.eventNames().map((name) => [name, process.listeners(name as 'exit')]));
  stdin.end(input);
  const code = await run(args);
  // What a process would still print before it ends.
  await turn();
  for (const name of process.eventNames()) {
    for (const listener of process.listeners(name as 'exit')) {
      if (before.get(name)?.includes(listener) !== true) process.off(name, listener);
    }
  }
  process.exitCode = undefined;
  return { code, stdout: out.text(), stderr: err.text() };
}

process.on('message', (command: HostedCommand) => {
  void host(command).then((ended) => process.send?.(ended));
});
