import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { bruteForce } from '../keys/brute-force.ts';
import { changedKeys } from '../keys/changed-keys.ts';
import { atOnce } from '../parts/at-once.ts';
import { chiSquareOfEqual } from '../parts/statistics.ts';
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
