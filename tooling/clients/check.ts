import { execFile } from 'node:child_process';
import { cpSync, mkdtempDisposableSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startDemo } from './demo.ts';
import { limitMs, root, tooling } from './settings.ts';

/**
 * Makes clients from openapi.json with two generators, compiles a small program against each, and lets the
 * programs call a live Roster: the document is right only when what others make of it works.
 */

const document = join(root, 'openapi.json');
const programs = ['openapi-fetch', 'hey-api'];
// The compiler that most programs still use, and the project's own.
const compilers = [tooling, root].map((folder) => join(folder, 'node_modules/typescript/bin/tsc'));

try {
  using workplace = mkdtempDisposableSync(join(tmpdir(), 'roster-clients-'));
  prepare(workplace.path);
  await generate(workplace.path);
  await compile(workplace.path);
  await call(workplace.path);
  console.log(`clients: ${programs.join(' and ')} compile, and a live Roster answers both as documented`);
} catch (error) {
  // A command that failed: its stderr is in the message, and tsc writes to stdout.
  const { message, stdout = '' } = error as Error & { stdout?: string };
  console.error(message, stdout);
  console.log('clients: failed');
  process.exitCode = 1;
}

function prepare(folder: string): void {
  cpSync(join(tooling, 'clients/programs'), folder, { recursive: true });
  cpSync(join(tooling, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(tooling, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

async function generate(folder: string): Promise<void> {
  const packages = join(tooling, 'node_modules');
  const typesOnly = [document, '-o', 'generated/openapi-typescript.ts'];
  await run(folder, join(packages, 'openapi-typescript/bin/cli.js'), typesOnly);
  const wholeClient = ['-i', document, '-o', 'generated/hey-api', '-c', '@hey-api/client-fetch'];
  await run(folder, join(packages, '@hey-api/openapi-ts/bin/run.js'), [...wholeClient, '--no-log-file']);
}

async function compile(folder: string): Promise<void> {
  for (const compiler of compilers) {
    // Settled, not raced: nothing may still run when the folder is removed.
    const outcomes = await Promise.allSettled(
      programs.map((program) => run(folder, compiler, ['-p', `tsconfig.${program}.json`])),
    );
    const failure = outcomes.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  }
}

async function call(folder: string): Promise<void> {
  await using demo = await startDemo();
  for (const program of programs) {
    await run(folder, join(folder, `compiled/${program}.js`), [], {
      ROSTER_ADDRESS: demo.address,
      ROSTER_TOKEN: demo.token,
      ROSTER_CHATBOT_ID: demo.chatbot_id,
      ROSTER_CONTACT_ID: demo.contact_id,
    });
  }
}

async function run(folder: string, script: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: folder, env: { ...process.env, ...env }, timeout: limitMs };
  await promisify(execFile)(process.execPath, [script, ...args], options);
}
