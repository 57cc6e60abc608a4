import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import { createKey, type Installation } from '../installation.ts';
import { getRequest, load, type Request, unlimitedTarget } from '../load/load.ts';
import { callPolitely } from '../load/polite-caller.ts';

/** What takes longest of all that the limits allow, from one project, while another one asks for one thing at a time. */
export const oneGreedyProject: Guarantee = {
  name: 'one greedy project',
  sizes: { smoke: 0, core: 5_000, full: 1_000_000 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

const secondsOf = (contacts: number) => (contacts < 100_000 ? 10 : 60);
const connections = 16;
const keys = 10;
/** Of CPU. A request holds the thread for 50 ms at most; a turn may have a piece of several. */
const turnMs = 100;
/** A bulk in one turn takes longer. */
const turnMsAtMost = 1_000;
const measureTurns = new URL('../load/measure-turns.ts', import.meta.url).href;
const scopes = ['contacts:read', 'contacts:write', 'events:read'];

async function prove({ target, size, tell }: Trial): Promise<Outcome> {
  const file = join(tmpdir(), `roster-turns-${process.pid}`);
  const at = await unlimitedTarget({
    target: (env) => target({ ...env, NODE_OPTIONS: `--import=${measureTurns}`, TURNS_FILE: file }),
  });
  const other = await anotherProject(at.installation);
  await importPeople(at.installation, size);
  const requests = await greedyRequests(at.installation, at.address);
  tell(`${size} contacts are there`);

  await longestTurn(at.served.pid, file);
  let isOver = false;
  const plan = { port: at.port, requests, connections, seconds: secondsOf(size) };
  const [answers, manners, exports] = await Promise.all([
    load(plan).finally(() => (isOver = true)),
    callPolitely(at.address, { path: '/v2/chatbots/theirs', token: other, callers: 2 }, () => isOver),
    exportUntil(at.installation, () => isOver),
  ]);
  const turn = await longestTurn(at.served.pid, file);

  const what = `the longest turn of the event loop took ${Math.round(turn)} ms of CPU`;
  const failures = [...manners.wrong.slice(0, 5), ...answers.examples];
  if ((manners.statuses[503] ?? 0) > 0) failures.push(`another project got ${JSON.stringify(manners.statuses)}`);
  if (answers.good === 0) failures.push('the greedy project was not served at all');
  if (turn > turnMsAtMost) failures.push(what);
  return {
    tried: answers.sent,
    measured: `longest turn ${Math.round(turn)} ms; another project p99 ${manners.good.p99} ms, ${exports} exports`,
    failures,
    notShown: turn > turnMs ? [what] : [],
  };
}

/** A key of a project of somebody else in the same installation. */
async function anotherProject(at: Installation): Promise<string> {
  await at.json(['projects', 'create', 'Theirs', '--id', 'theirs']);
  await at.json(['chatbots', 'create', '--project', 'theirs', '--name', 'Theirs', '--id', 'theirs']);
  return (await at.json<{ token: string }>(['keys', 'create', '--project', 'theirs', '--name', 'theirs'])).token;
}

const words = 'amber birch cedar delta ember fjord grove heron inlet joust'.split(' ');
const primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29];

/** Each has ten words that many have, and few have together. */
async function importPeople(at: Installation, count: number): Promise<void> {
  const step = 50_000;
  const command = ['contacts', 'import', '-', '--project', 'acme', '--chatbot', 'shop', '--format', 'ndjson'];
  for (let from = 0; from < count; from += step) {
    const rows = Array.from({ length: Math.min(step, count - from) }, (_, index) => {
      const name = words.map((word, place) => `${word}${(from + index) % (primes[place] ?? 2)}`).join(' ');
      return JSON.stringify({ id: `p${from + index}`, name });
    });
    await at.json(command, { input: rows.join('\n') });
  }
}

async function greedyRequests(at: Installation, address: string): Promise<Request[]> {
  const all: Request[] = [];
  const contacts = '/v2/chatbots/shop/contacts';
  const bulk = hanBulk();
  for (let number = 0; number < keys; number++) {
    const token = await createKey(at, `greedy ${number}`, scopes);
    const listed = await fetch(`${address}/v2/events?limit=500`, { headers: { authorization: `Bearer ${token}` } });
    const { next_cursor: cursor } = ((await listed.json()) as { data: { next_cursor: string } }).data;
    const query = words.map((word, place) => `${word}${(number + place) % (primes[place] ?? 2)}`).join(' ');
    all.push(
      post(`${contacts}/bulk`, token, bulk),
      post(`${contacts}/search`, token, JSON.stringify({ query, limit: 100 })),
      post(`${contacts}/search`, token, JSON.stringify({ query: words.join(' '), limit: 100 })),
      getRequest(`${contacts}?per_page=100&page=${number * 4 + 1}&include=details,attributes,tags`, token),
      getRequest(`/v2/events?limit=500&wait=2&after=${cursor}`, token),
    );
  }
  return all;
}

/** A megabyte: three fields of 98 characters, no two alike. */
function hanBulk(): string {
  let next = 0;
  const text = () =>
    Array.from({ length: 98 }, () => String.fromCharCode(0x4e00 + ((next += 7_919) % 20_000))).join('');
  const items = Array.from({ length: 1_000 }, () => ({
    op: 'create',
    properties: { name: text(), company: text(), job_title: text() },
  }));
  return JSON.stringify({ items });
}

function post(path: string, token: string, body: string): Request {
  const bytes = Buffer.from(body);
  const lines = [`POST ${path} HTTP/1.1`, 'Host: roster.test', `Authorization: Bearer ${token}`];
  lines.push('Content-Type: application/json', `Content-Length: ${bytes.length}`, '', bytes.toString('latin1'));
  return { text: lines.join('\r\n'), status: 200 };
}

async function exportUntil(at: Installation, isOver: () => boolean): Promise<number> {
  let count = 0;
  const args = ['contacts', 'export', '--format', 'ndjson', '--project', 'acme', '--chatbot', 'shop'];
  while (!isOver()) {
    const { code, stderr } = await at.run(args);
    // Bulks leave another process little room to record its event on SQLite.
    if (code === 0) count++;
    else if (code !== 69) throw new Error(`the export ended with ${code}: ${stderr}`);
  }
  return count;
}

/** In milliseconds of CPU without collections of garbage, since this was asked last. */
async function longestTurn(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const isWritten = () => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n');
  while (!isWritten()) await sleep(10);
  const turn = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return turn;
}
