import { startPostgres } from '../../test/support/postgres.ts';
import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { install as installOn } from '../installation.ts';
import { atOnce } from '../parts/at-once.ts';
import { bruteForce } from '../parts/brute-force.ts';
import { getBy, openCaller } from '../parts/caller.ts';
import { alphabet, secretLength, tokenOf } from '../parts/tokens.ts';

/**
 * Keys as the command line makes them: none twice, a right checksum, every character as likely as any other. A million
 * would take a day so; test/api-key-token.test.ts asks the generator itself for them.
 */
export const keys: Guarantee = {
  name: 'keys',
  sizes: { smoke: 0, core: 20, full: 1_500 },
  engines: ['SQLite'],
  prove,
};

const commandsAtOnce = 3;
/** The chi-square of 61 degrees of freedom goes above it by chance once in a million times. */
const chiSquareMax = 128.6;
const changedMax = 1_000;

async function prove(trial: Trial) {
  const { install, size, seed, tell } = trial;
  const at = await install();
  await at.json(['projects', 'create', 'Acme', '--id', 'acme']);
  const guessing = bruteForce(trial);
  // Who waits for it is told.
  guessing.catch(() => undefined);
  const tokens: string[] = [];
  await atOnce(commandsAtOnce, Array(size).keys(), async () => {
    const args = ['keys', 'create', '--project', 'acme', '--name', 'k'];
    tokens.push((await at.json<{ token: string }>(args)).token);
  });
  tell(`${size} keys are made`);
  const failures: string[] = [];
  if (new Set(tokens).size !== size) failures.push(`${size - new Set(tokens).size} keys were made twice`);
  const secrets = tokens.map((token) => token.slice('rst_'.length, 'rst_'.length + secretLength));
  const malformed = tokens.filter((token, index) => token !== tokenOf(secrets[index] ?? ''));
  if (malformed.length > 0) failures.push(`${malformed.length} keys have not the form or the checksum of one`);
  const counts = new Map(alphabet.split('').map((character) => [character, 0]));
  for (const character of secrets.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
  const chiSquare = chiSquareOfEqual([...counts.values()]);
  if (counts.size !== alphabet.length || chiSquare > chiSquareMax) {
    failures.push(`the characters are not equally likely: chi-square ${chiSquare.toFixed(1)}`);
  }
  const changed = await changedKeys(tokens.slice(0, changedMax), seededRandom(seed));
  const guessed = await guessing;
  return {
    tried: size + changed.tried + guessed.tried,
    measured: `chi-square ${chiSquare.toFixed(1)}, ${changed.tried} changed keys refused, ${guessed.measured}`,
    failures: [...failures, ...changed.failures, ...guessed.failures],
  };
}

/** Pearson's chi-square of counts that should all be equal. */
function chiSquareOfEqual(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

const prefixLength = 'rst_'.length;
const connections = 8;
const controls = 50;
/** Each character of the secret and of its checksum. */
const changedOfKey = 36;

/**
 * Asks a service whose PostgreSQL has died. Whatever has to be looked up is answered by 503 there, so a 401 was
 * decided without the store: of each key every place is tried, with another character of the alphabet.
 */
async function changedKeys(tokens: readonly string[], random: ReturnType<typeof seededRandom>) {
  await using postgres = await startPostgres();
  const given = { server: async () => postgres, [Symbol.asyncDispose]: async () => undefined };
  await using at = await installOn('PostgreSQL', given);
  await at.json(['migrate']);
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  const failures: string[] = [];
  const requests: { token: string; status: number }[] = [];
  for (const token of tokens) {
    for (let place = prefixLength; place < token.length; place++) {
      const others = alphabet.replace(token.charAt(place), '');
      const changed = token.slice(0, place) + random.pick(others.split('')) + token.slice(place + 1);
      requests.push({ token: changed, status: 401 });
    }
  }
  for (const token of tokens.slice(0, controls)) requests.push({ token, status: 503 });
  await postgres.stop('SIGQUIT');
  const callers = await Promise.all(Array.from({ length: connections }, () => openCaller(port)));
  await atOnce(connections, requests, async ({ token, status }, index) => {
    const caller = callers[index % connections];
    const given = await caller?.ask(getBy(token, '/v2/members'));
    if (given?.status === status) return;
    failures.push(`the key ${token} is answered by ${given?.status} instead of ${status}, with the store away`);
  });
  for (const caller of callers) caller[Symbol.dispose]();
  return { tried: tokens.length * changedOfKey, failures };
}
