/**
 * Sends requests through nginx, HAProxy and Caddy to a `roster serve`, with the files of deploy/, on the loopback with a certificate
 * made here. Skips a proxy that is not installed; on Debian `apt install nginx haproxy caddy` installs all.
 *
 *   npm run proxies:check
 */
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { type Front, type FrontName, fronts, programOf, startFront } from '../acceptance/hostile/fronts.ts';
import { createKey, install, populate, postgresOfRun, type Served } from '../acceptance/installation.ts';
import { RosterClient } from '../clients/typescript/src/index.ts';
import { answerOf, type Asked } from './proxies-check/ask.ts';
import { awkward, checks } from './proxies-check/checks.ts';

const processes = postgresOfRun();
let wrong = 0;
for (const name of fronts) {
  const program = programOf(name);
  if (program === undefined) console.log(`skipped ${name}: it is not installed ("apt install ${name.toLowerCase()}")`);
  else wrong += await through(name, program);
}
process.exitCode = wrong === 0 ? 0 : 1;

async function through(name: FrontName, program: string): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const at = opened.use(await install('SQLite', processes));
  await populate(at);
  const person = JSON.stringify({ id: awkward, name: 'Ana' });
  await at.json(['contacts', 'import', '-', '--chatbot', 'shop', '--format', 'ndjson'], { input: person });
  const token = await createKey(at, 'everything', ['all']);
  const serve = () => at.serve({ ROSTER_TRUST_PROXY: '127.0.0.1/32', ROSTER_PROJECT_RATE_LIMIT: '0' });
  const served = [await serve(), await serve()] as const;
  const front = opened.use(await startFront(name, program, served[0].port, at.folder));
  const both = opened.use(await startFront(name, program, served[0].port, at.folder, served[1].port));
  setDefaultCACertificates([...getCACertificates('default'), front.certificate, both.certificate]);
  const client = clientOf(front, token);
  const bearer = { Authorization: `Bearer ${token}` };
  let failed = 0;
  const tell = (promise: string, found: string | undefined | false) => {
    if (found) failed++;
    console.log(`${found ? 'WRONG' : 'ok   '} ${name} ${front.version} ${promise}${found ? `: ${found}` : ''}`);
  };
  for (const [promise, check] of Object.entries(checks)) {
    const ask = (path: string, asked?: Asked) => answerOf(front, path, asked);
    tell(promise, await check({ name, ask, front, at, token, bearer, client }).catch(String));
  }
  const stopping = withOneStopped(clientOf(both, token), served[0]);
  tell('goes on with one of two processes when the other one stops', await stopping.catch(String));
  return failed;
}

function clientOf({ port }: Front, apiKey: string): RosterClient {
  return new RosterClient({ baseUrl: `https://127.0.0.1:${port}/v2`, apiKey });
}

/** Stops one of two processes during reads and writes; the client repeats what it may. */
async function withOneStopped(client: RosterClient, stopped: Served): Promise<string | undefined> {
  const contact = { chatbotId: 'shop', contactId: 'contact-2' };
  for (let index = 0; index < 60; index++) {
    if (index === 20) stopped.child.kill('SIGTERM');
    const company = `Example ${index}`;
    await client.updateContact({ ...contact, properties: { company } });
    const read = await client.retrieveContact(contact);
    if (read.company !== company) return `${company} was written, ${read.company} read`;
    await pause(20);
  }
  return undefined;
}
