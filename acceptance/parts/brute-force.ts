import { setTimeout } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { type Caller, getBy, openCaller, type Reply } from './caller.ts';
import { failure } from './failure-bodies.ts';
import { unissuedToken } from './tokens.ts';

const refusalsAMinute = 60;
const guesses = 200;
const path = '/v2/members';
/** From the addresses that are kept for examples (RFC 5737). */
const [attacker, neighbour, third] = ['192.0.2.66', '192.0.2.67', '192.0.2.68'];
/** Above it an attacker is waited for until the minute is over. */
const sizeThatWaits = 1_000;

/**
 * Guesses from one address, as a proxy that is trusted tells it, while others of that address and of another one ask
 * with a good key.
 */
export async function bruteForce({ install, seed, size }: Trial) {
  const at = await install();
  await at.json(['projects', 'create', 'Acme', '--id', 'acme']);
  const { token } = await at.json<{ token: string }>(['keys', 'create', '--project', 'acme', '--name', 'k']);
  const { port } = await at.serve({ ROSTER_TRUST_PROXY: '127.0.0.1/32' });
  using caller = await openCaller(port);
  const random = seededRandom(seed);
  const from = (address: string, key = unissuedToken(random)) =>
    caller.ask(getBy(key, path, `X-Forwarded-For: ${address}`, 'X-Request-Id: same'));
  const failures: string[] = [];
  const demand = (what: string, { status }: Reply, right: number) => {
    if (status !== right) failures.push(`${what}: ${status} instead of ${right}`);
  };
  let retryAfter = 0;
  for (let guess = 1; guess <= guesses; guess++) {
    // What an attacker puts before his own address is not what the proxy has seen.
    const reply = await from(guess % 2 === 0 ? attacker : `10.9.8.${guess}, ${attacker}`);
    demand(`guess ${guess} from one address`, reply, guess <= refusalsAMinute ? 401 : 429);
    if (reply.status === 429) retryAfter = Number(retryAfterOf(reply));
    if (reply.status === 429 && reply.body !== failure('rate_limited', 'same').body) {
      failures.push(`guess ${guess} is answered by ${reply.body}`);
    }
    if (guess % 20 > 0) continue;
    demand('a good key from the same address', await from(attacker, token), 200);
    demand('a good key from another address', await from(neighbour, token), 200);
    demand('a wrong key from another address', await from(guess % 40 === 0 ? neighbour : third), 401);
  }
  if (!(retryAfter >= 1 && retryAfter <= 60)) failures.push(`Retry-After is ${retryAfter}`);
  failures.push(...(await guessWithoutProxy(at, random)));
  if (size >= sizeThatWaits) {
    await setTimeout(retryAfter * 1_000 + 500);
    demand('a guess after Retry-After', await from(attacker), 401);
  }
  return {
    tried: guesses * 2,
    measured: `${refusalsAMinute} guesses a minute`,
    failures,
  };
}

/** Without a trusted proxy the address is that of the connection, whatever a header says. */
async function guessWithoutProxy(at: Installation, random: ReturnType<typeof seededRandom>): Promise<string[]> {
  const { port } = await at.serve();
  using caller = await openCaller(port);
  const failures: string[] = [];
  for (let guess = 1; guess <= guesses; guess++) {
    const { status } = await ask(caller, unissuedToken(random), guess);
    const right = guess <= refusalsAMinute ? 401 : 429;
    if (status !== right) failures.push(`guess ${guess} with a made-up X-Forwarded-For: ${status} instead of ${right}`);
  }
  return failures;
}

function ask(caller: Caller, token: string, guess: number): Promise<Reply> {
  return caller.ask(getBy(token, path, `X-Forwarded-For: 192.0.2.${guess}`));
}

function retryAfterOf({ head }: Reply): string | undefined {
  return head.find((line) => line.startsWith('retry-after: '))?.slice('retry-after: '.length);
}
