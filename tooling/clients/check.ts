import { execFile } from 'node:child_process';
import { cpSync, mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type Demo, startDemo } from '../../scripts/support/demo.ts';
import { commandsOfPage, programsOfPage } from './page.ts';
import { limitMs, root, tooling } from './settings.ts';

/**
 * Runs the commands of docs/clients.md: makes clients from the document of a live Roster with two generators, compiles
 * the programs of the page and a longer one against each, and lets them and Postman's collection call that Roster: the
 * document is right only when what others make of it works.
 */

/** The example has a token, a second contact, a merge or a webhook that the demo has not. */
const withoutSubject =
  /^(Accept an invitation|Dismiss duplicates|Merge contacts|Undo a merge|.+ (a|to a) webhook('s .+)?)$/;
/** No name server may be there to look the URL up; and the example has both ways to say where a replay begins. */
const refused = new Set(['Create a webhook', 'Replay events to a webhook']);
const programs = ['openapi-fetch', 'hey-api'];
const reportFile = 'newman.json';
// The compiler that most programs still use, and the project's own.
const compilers = [tooling, root].map((folder) => join(folder, 'node_modules/typescript/bin/tsc'));

try {
  using workplace = mkdtempDisposableSync(join(tmpdir(), 'roster-clients-'));
  await using demo = await startDemo();
  prepare(workplace.path, demo);
  const isNewman = (line: string) => line.includes('newman run');
  for (const line of commandsOfPage().filter((one) => !isNewman(one))) await shell(workplace.path, line, demo);
  await compile(workplace.path);
  await call(workplace.path, demo);
  // Last, as it also deletes.
  for (const line of commandsOfPage().filter(isNewman)) await shell(workplace.path, line, demo);
  const answers = answersToPostman(workplace.path);
  console.log(
    `clients: ${programs.join(' and ')} compile, a live Roster answers both as documented, and ${answers} requests of Postman`,
  );
} catch (error) {
  // A command that failed: its stderr is in the message, and tsc writes to stdout.
  const { message, stdout = '' } = error as Error & { stdout?: string };
  console.error(message, stdout);
  console.log('clients: failed');
  process.exitCode = 1;
}

function prepare(folder: string, demo: Demo): void {
  cpSync(join(tooling, 'clients/programs'), folder, { recursive: true });
  cpSync(join(tooling, 'package.json'), join(folder, 'package.json'));
  cpSync(join(root, 'openapi.json'), join(folder, 'openapi.json'));
  cpSync(join(root, 'clients/typescript/src/generated/types.ts'), join(folder, 'client-types.ts'));
  symlinkSync(join(tooling, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const onPage = programsOfPage();
  for (const [index, program] of programs.entries()) {
    writeFileSync(join(folder, `${program}-page.ts`), at(demo, onPage[index] ?? ''));
  }
}

/** The text with the address of this demo, which stands at another port than the page says. */
function at({ address }: Demo, text: string): string {
  return text.replaceAll('http://127.0.0.1:8080', address);
}

async function compile(folder: string): Promise<void> {
  for (const compiler of compilers) {
    // Settled, not raced: nothing may still run when the folder is removed.
    const outcomes = await Promise.allSettled(
      programs.map((program) => run(folder, [compiler, '-p', `tsconfig.${program}.json`])),
    );
    const failure = outcomes.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  }
}

async function call(folder: string, demo: Demo): Promise<void> {
  for (const program of programs) {
    await run(folder, [join(folder, `compiled/${program}.js`)], {
      ROSTER_ADDRESS: demo.address,
      ROSTER_TOKEN: demo.token,
      ROSTER_CHATBOT_ID: demo.chatbot_id,
      ROSTER_CONTACT_ID: demo.contact_id,
    });
    const printed = await run(folder, [join(folder, `compiled/${program}-page.js`)], { TOKEN: demo.token });
    if (printed !== 'Ana Lucía Ferreira\n') throw new Error(`the page's program for ${program} printed ${printed}`);
  }
}

function shell(folder: string, line: string, demo: Demo): Promise<string> {
  const reporting = line.includes('newman') ? ` --reporters json --reporter-json-export ${reportFile}` : '';
  // What is not installed is not fetched.
  const env = { TOKEN: demo.token, npm_config_offline: 'true' };
  return execute('/bin/sh', ['-c', at(demo, line) + reporting], folder, env);
}

/** How many requests of the collection were answered; throws unless each was, and with 2xx or 304. */
function answersToPostman(folder: string): number {
  const { run: ran } = JSON.parse(readFileSync(join(folder, reportFile), 'utf8')) as {
    run: { executions: { item: { name: string }; response?: { code: number } }[] };
  };
  for (const { item, response: { code } = { code: 0 } } of ran.executions) {
    if (withoutSubject.test(item.name) && code === 404) continue;
    if (refused.has(item.name) && code === 422) continue;
    if (code !== 304 && (code < 200 || code > 299)) throw new Error(`Postman's "${item.name}" got ${code}`);
  }
  const { paths } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as { paths: object };
  const operations = Object.values(paths).flatMap(Object.keys).length;
  if (ran.executions.length !== operations) throw new Error(`Postman sent ${ran.executions.length} of ${operations}`);
  return operations;
}

function run(folder: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return execute(process.execPath, args, folder, env);
}

async function execute(file: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: limitMs };
  return (await promisify(execFile)(file, args, options)).stdout;
}
