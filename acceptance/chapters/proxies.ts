import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { RosterClient } from '../../clients/typescript/src/index.ts';
import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import { openFaultyRelay } from '../hostile/faulty-relay.ts';
import { type FrontName, fronts, programOf, startFront } from '../hostile/fronts.ts';
import type { Installation, Served } from '../installation.ts';
import { differences, synchronise } from '../proxies/synchronise.ts';
import { aTenant, sharedChatbot, type Tenant } from '../writes/tenant.ts';

/**
 * A synchronisation by the TypeScript client through the proxy files of deploy/, while the connections to Roster are cut and
 * one request of ten is sent twice; and long polls of a project in which nothing happens. The size is the number of people.
 */
export const proxies: Guarantee = {
  name: 'proxies',
  sizes: { smoke: 0, core: 200, full: 1_000 },
  engines: ['SQLite'],
  prove,
};

/** Five minutes of quiet in the full profile: longer than any time-out of the proxy files. */
const quietPolls = { smoke: 0, core: 1, full: 15 };
const pollSeconds = 20;
/** Of a hundred packets between a proxy and Roster. */
const faultsOfEachKind = 3;

async function prove({ install, size, seed, tell }: Trial): Promise<Outcome> {
  const at = await install();
  const served = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  const notShown: string[] = [];
  const trials = fronts.map(async (name) => {
    const program = programOf(name);
    if (program === undefined) return void notShown.push(`nothing went through ${name}, as it is not installed`);
    const found = await through(name, program, { at, served, size, seed });
    tell(found.measured);
    return found;
  });
  const found = (await Promise.all(trials)).filter((one) => one !== undefined);
  return {
    tried: found.reduce((sum, { tried }) => sum + tried, 0),
    measured: `${found.length} proxies`,
    failures: found.flatMap(({ failures }) => failures),
    notShown,
  };
}

interface Tried extends Pick<Trial, 'size' | 'seed'> {
  at: Installation;
  served: Served;
}

async function through(name: FrontName, program: string, { at, served, size, seed }: Tried): Promise<Outcome> {
  await using opened = new AsyncDisposableStack();
  const random = seededRandom(seed);
  const relay = opened.use(await openFaultyRelay(served.port, random, faultsOfEachKind));
  const faulty = opened.use(await startFront(name, program, relay.port, at.folder));
  const sound = opened.use(await startFront(name, program, served.port, at.folder));
  setDefaultCACertificates([...getCACertificates('default'), faulty.certificate, sound.certificate]);
  const busy = await aTenant(at, `busy-${name}`.toLowerCase());
  const quiet = await aTenant(at, `quiet-${name}`.toLowerCase());
  const profile = size === proxies.sizes.full ? 'full' : 'core';
  const [made, polls, headers] = await Promise.all([
    synchronise({
      address: `https://127.0.0.1:${faulty.port}`,
      token: busy.token,
      chatbotId: sharedChatbot,
      size,
      random,
    }),
    pollInQuiet(`https://127.0.0.1:${sound.port}`, quiet, quietPolls[profile]),
    headersOf(`https://127.0.0.1:${sound.port}/livez`),
  ]);
  const direct = new RosterClient({ baseUrl: `http://127.0.0.1:${served.port}`, apiKey: busy.token });
  const failures = [...made.failures, ...polls, ...(await differences(direct, made))];
  if (!headers.has('strict-transport-security')) failures.push('an answer by TLS has no Strict-Transport-Security');
  const lost = Object.entries(relay.faults).map(([fault, count]) => `${count} × ${fault}`);
  return {
    tried: made.requests,
    measured: `${name} ${faulty.version}: ${made.requests} requests, ${lost.join(', ')}; ${quietPolls[profile]} quiet polls`,
    failures: failures.map((failure) => `${name}: ${failure}`),
  };
}

async function headersOf(url: string): Promise<Headers> {
  const answer = await fetch(url);
  await answer.text();
  return answer.headers;
}

/** Asks for events that do not come, without a second attempt. */
async function pollInQuiet(baseUrl: string, { token }: Tenant, count: number): Promise<string[]> {
  const client = new RosterClient({ baseUrl, apiKey: token, retries: 0 });
  let after = '*';
  for await (const { next_cursor } of client.listEvents({ after }).pages()) after = next_cursor ?? after;
  const failures: string[] = [];
  for (let poll = 0; poll < count; poll++) {
    const startedAt = performance.now();
    try {
      const { events } = await client.listEvents({ after, wait: pollSeconds });
      const seconds = (performance.now() - startedAt) / 1_000;
      if (events.length > 0) failures.push('a project in which nothing happens has an event');
      if (seconds < pollSeconds - 1) failures.push(`a quiet poll was answered after ${seconds} s`);
    } catch (error) {
      failures.push(`a quiet poll failed: ${String(error)}`);
    }
  }
  return failures;
}
