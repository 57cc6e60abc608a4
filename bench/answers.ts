import { join } from 'node:path';

import { openDatabase } from '../src/database/open-store.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { nodeArguments } from '../test/support/program.ts';
import { fill } from './dataset.ts';
import { ask, type Load } from './load.ts';
import { startDirectus } from './peers/directus.ts';
import { askPeer } from './peers/load.ts';
import { contactNumber } from './people.ts';
import { memoryOf, serve, type Serving } from './processes.ts';
import { type Question, questions, requestsFor } from './questions.ts';
import { type Row, rounds } from './rounds.ts';

export interface AnswersOptions {
  contacts: number;
  rounds: number;
  seconds: number;
  folder: string;
  /** Where Directus is installed, or was before; none where it is left out. */
  peers?: string | undefined;
}

const serverCore = 0;
const loadCore = 1;

/** As in production; the limit is counted and never reached. */
const settings = { PORT: '0', ROSTER_RATE_LIMIT: '1000000000' };

/** Everything that answers, side by side: the limit, frameworks, Roster on both engines, and what else one would take. */
export async function measureAnswers(options: AnswersOptions) {
  await using open = new AsyncDisposableStack();
  const rows: Row[] = [];
  const servers = new URL('servers/', import.meta.url).pathname;
  const add = (name: string, serving: Serving, requests: string) => {
    const { address, pid } = serving;
    const target = { address, pids: () => [pid], requests, folder: options.folder };
    const load = (given: Load) => ask(target, { ...given, core: loadCore });
    rows.push({ name, load, residentBytes: () => memoryOf(pid) });
  };
  const path = join(options.folder, 'roster.db');
  const sqlite = await filled(`sqlite:${path}`, options.contacts);
  const requests = (question: Question, tokens = sqlite) => requestsFor(question, tokens, options.contacts);

  const start = async (args: string[], env: Record<string, string> = {}) =>
    open.use(await serve(args, env, serverCore));
  add('node:http, constant', await start([`${servers}node-http.ts`]), requests('contact, uniform'));
  add('Fastify, constant', await start([`${servers}fastify.ts`]), requests('contact, uniform'));
  const roster = (url: string, port: number) =>
    start([...nodeArguments(), 'serve'], {
      ...settings,
      DATABASE_URL: url,
      ROSTER_METRICS_PORT: String(port),
    });
  let port = 19_464;
  // A process each, as what one question leaves behind in memory would be in the way of the next.
  for (const question of questions) {
    add(`Roster on SQLite: ${question}`, await roster(`sqlite:${path}`, port++), requests(question));
  }
  const postgres = open.use(await startPostgres());
  const tokens = await filled(postgres.url, options.contacts);
  for (const question of questions) {
    const serving = await roster(postgres.url, port++);
    add(`Roster on PostgreSQL: ${question}`, serving, requests(question, tokens));
  }
  const express = await start([`${servers}express.ts`, path]);
  for (const question of questions) add(`Express on SQLite: ${question}`, express, requests(question));
  if (options.peers !== undefined) rows.push(await directus(options.peers, options.contacts, open));
  return await rounds(rows, options);
}

async function filled(url: string, contacts: number): Promise<string[]> {
  await using database = await openDatabase(url);
  return await fill(database, contacts);
}

async function directus(folder: string, contacts: number, open: AsyncDisposableStack): Promise<Row> {
  const people = { count: contacts, contact: contactNumber };
  const peer = open.use(await startDirectus({ folder, people, core: serverCore }));
  return {
    name: `Directus ${peer.version}: contact, uniform`,
    load: (load) => askPeer(peer, { count: contacts, folder, ...load, core: loadCore }),
    residentBytes: () => peer.residentBytes(),
  };
}
