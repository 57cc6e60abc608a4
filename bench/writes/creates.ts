import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { startPostgres } from '../../test/support/postgres.ts';
import { requestsTo } from '../questions.ts';
import { median } from '../rounds.ts';
import { chatbot, creates, growTo, prepare } from './setting.ts';
import { load, program, roster, sqliteIn } from './trial.ts';

interface Options {
  rounds: number;
  seconds: number;
  folder: string;
}

const connections = 64;

/** Creates a second, one row for each program and engine, in turn; both commit durably. */
export async function measureCreates({ rounds, seconds, folder }: Options) {
  await using open = new AsyncDisposableStack();
  const postgres = open.use(await startPostgres(200, true));
  const rows: { name: string; perSecond: number[]; micros: number[]; run: () => Promise<void> }[] = [];
  for (const [engine, url] of [
    ['SQLite', sqliteIn(folder, 'creates.db')],
    ['PostgreSQL', postgres.url],
  ] as const) {
    const token = await prepare(url);
    for (const [name, serving] of [
      [`Roster on ${engine}`, open.use(await roster(url))],
      [`Express on ${engine}`, open.use(await program('express-writes', url))],
    ] as const) {
      const row = { name, perSecond: [] as number[], micros: [] as number[], run: async () => {} };
      row.run = async () => {
        const answered = await load(serving, creates(token), folder, { connections, seconds });
        row.perSecond.push(answered.perSecond);
        row.micros.push(1e6 / answered.perCpuSecond);
      };
      rows.push(row);
    }
  }
  for (const row of rows) await row.run();
  for (const row of rows) for (const list of [row.perSecond, row.micros]) list.splice(0);
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) await row.run();
    console.error(`creates: round ${round} of ${rounds}`);
  }
  return rows.map(({ name, perSecond, micros }) => ({
    name,
    perSecond: median(perSecond),
    micros: median(micros),
    lowest: Math.min(...perSecond),
    highest: Math.max(...perSecond),
  }));
}

const createsPerSecond = 500;
const everyMs = 10;

/** Sends creates at a steady rate until it is disposed of. Plain sockets: a client would need the CPU that is measured. */
function steadyCreates(address: string, token: string) {
  const { hostname, port } = new URL(address);
  const head = `POST /v2/chatbots/${chatbot}/contacts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
  let number = 0;
  let stored = 0;
  const sockets = Array.from({ length: (createsPerSecond * everyMs) / 1_000 }, () => {
    const socket = connect(Number(port), hostname);
    return socket
      .setNoDelay()
      .on('data', (data) => (stored += data.toString('latin1').split('HTTP/1.1 201 ').length - 1));
  });
  const timer = setInterval(() => {
    for (const socket of sockets) {
      const body = JSON.stringify({ properties: { name: 'Person', email: `steady${number++}@example.com` } });
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    }
  }, everyMs);
  return {
    sent: () => number,
    stored: () => stored,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** p99 of reading a contact at 8 connections, at rest and beside 500 creates a second (SQLite). */
export async function measureBesideCreates({ rounds, seconds, folder }: Options) {
  await using open = new AsyncDisposableStack();
  const url = sqliteIn(folder, 'beside.db');
  const token = await prepare(url);
  await growTo(url, 100_000);
  const serving = open.use(await roster(url));
  const reads = requestsTo(`/v2/chatbots/${chatbot}/contacts/740737387`, token);
  const read = () => load(serving, reads, folder, { connections: 8, seconds });
  await read();
  const rest: number[] = [];
  const beside: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    rest.push((await read()).p99);
    using steady = steadyCreates(serving.address, token);
    await pause(500);
    beside.push((await read()).p99);
    if (steady.stored() < 0.9 * steady.sent()) throw new Error(`${steady.stored()} of ${steady.sent()} were stored`);
  }
  return { atRestMs: median(rest), besideMs: median(beside) };
}
