/**
 * Proves the guarantees of docs/guarantees.md on this machine, through HTTP and the command line alone:
 *
 *   npm run accept                     the profile core, on SQLite and PostgreSQL
 *   npm run accept -- full --seed 7    what a run with that seed has tried, again
 *   npm run accept -- smoke --url http://127.0.0.1:8080 --token-file key.txt
 *
 * Ends with 1 where one does not hold.
 */
import { readFileSync } from 'node:fs';

import { Argument, Command, Option } from 'commander';

import { type Engine, engines, type Guarantee, type Profile, profiles } from './guarantee.ts';
import { guarantees } from './guarantees.ts';
import { postgresOfRun, type Target } from './installation.ts';
import { environment, table, writeInto } from './report.ts';
import { type Result, type Settings, tryGuarantee } from './trial.ts';

interface Options {
  engine?: Engine;
  only?: string[];
  seed?: number;
  url?: string;
  token?: string;
  tokenFile?: string;
  write?: string;
  json?: boolean;
}

const program = new Command('npm run accept --')
  .description('Prove the guarantees of docs/guarantees.md on this machine.')
  .addArgument(new Argument('[profile]', 'how much is tried').choices(profiles).default('core'))
  .addOption(new Option('--engine <engine>', 'on this one only').choices(engines))
  .option('--only <name...>', 'only guarantees whose name holds this')
  .option('--seed <number>', 'try what a run with this seed has tried', Number)
  .option('--url <url>', 'ask this instance of yours, only what cannot hurt it')
  .option('--token <key>', 'a key of that instance; others on this machine see it among the processes')
  .option('--token-file <file>', 'the same, in a file that only you can read')
  .option('--write <file>', 'put the table into this document too, between its marks')
  .option('--json', 'print the results as one JSON document')
  .action(accept);
await program.parseAsync();

// Beside the table, which stdout is for.
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function accept(profile: Profile, options: Options): Promise<void> {
  if (options.seed !== undefined && !Number.isSafeInteger(options.seed))
    program.error('error: --seed is a whole number');
  if (chosen(options).length === 0) program.error('error: no guarantee has such a name, or none that can be tried so');
  const given = givenTarget(options);
  if (given) await requireAnswer(given);
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  tell(`profile ${profile}, seed ${seed}`);
  const startedAt = performance.now();
  const results: Result[] = [];
  await using postgres = postgresOfRun();
  const settings: Settings = { profile, seed, postgres, given, tell };
  for (const [guarantee, engine] of chosen(options)) {
    const result = await tryGuarantee(guarantee, engine, settings);
    if (!result) continue;
    tell(lineOf(result));
    results.push(result);
  }
  const run = {
    profile,
    seed,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    ...environment(),
  };
  console.log(options.json ? JSON.stringify({ ...run, results }, undefined, 2) : table(run, results));
  if (options.write !== undefined) writeInto(options.write, table(run, results));
  if (results.length === 0 || results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

function chosen({ engine, only, url }: Options): (readonly [Guarantee, Engine])[] {
  return guarantees
    .filter(({ name }) => only === undefined || only.some((part) => name.includes(part)))
    .filter(({ isHarmless }) => url === undefined || isHarmless)
    .flatMap((one) => {
      // Somebody's own instance says nothing of its engine, and is asked once.
      const on = url === undefined ? one.engines : one.engines.slice(0, 1);
      return on.filter((name) => engine === undefined || name === engine).map((name) => [one, name] as const);
    });
}

function givenTarget({ url, token, tokenFile }: Options): Target | undefined {
  if (url === undefined) return undefined;
  const key = tokenFile === undefined ? token : keyIn(tokenFile);
  if (key === undefined) return program.error('error: --url needs a key: --token-file or --token');
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'http:')
    return program.error('error: --url is asked by http: alone; give the address behind your proxy');
  const { hostname, host, port, origin } = parsed;
  return {
    address: origin,
    host,
    hostname,
    port: Number(port || 80),
    token: key,
    paths: ['/v2/members', '/v2/members?page=1&per_page=5'],
  };
}

/** Else each of thousands of requests would be one that is answered wrongly. */
async function requireAnswer({ address, token, paths: [path] }: Target): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${address}${path}`, { headers }).catch(() => undefined);
  if (!answer) return program.error(`error: nothing answers at ${address}; start it, or mend --url`);
  if (answer.status === 200) return;
  program.error(`error: ${address}${path} is answered with ${answer.status}; give a key that may read members there`);
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return program.error('error: the file of --token-file cannot be read');
  }
}

function lineOf({ name, engine, seconds, tried, measured, failures, notShown, skipped }: Result): string {
  if (skipped !== undefined) return `skipped ${name} (${engine}), because ${skipped}`;
  const what = `${name} (${engine}): ${tried} tried in ${seconds} s${measured === '' ? '' : `, ${measured}`}`;
  const shown = failures.slice(0, 20).map((failure) => `\n       ${failure}`);
  const untold = notShown.map((one) => `\n       not shown here: ${one}`).join('');
  return failures.length === 0
    ? `ok     ${what}${untold}`
    : `FAILED ${what}, ${failures.length} wrong${shown.join('')}`;
}
