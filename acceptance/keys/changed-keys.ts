import { startPostgres } from '../../test/support/postgres.ts';
import type { seededRandom } from '../../test/support/random.ts';
import { install } from '../installation.ts';
import { atOnce } from '../parts/at-once.ts';
import { getBy, openCaller } from '../parts/caller.ts';
import { alphabet } from '../parts/tokens.ts';

const prefixLength = 'rst_'.length;
const connections = 8;
const controls = 50;
/** Each character of the secret and of its checksum. */
const changedOfKey = 36;

/**
 * Asks a service whose PostgreSQL has died. Whatever has to be looked up is answered by 503 there, so a 401 was
 * decided without the store: of each key every place is tried, with another character of the alphabet.
 */
export async function changedKeys(tokens: readonly string[], random: ReturnType<typeof seededRandom>) {
  await using postgres = await startPostgres();
  const given = { server: async () => postgres, [Symbol.asyncDispose]: async () => undefined };
  await using at = await install('PostgreSQL', given);
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
