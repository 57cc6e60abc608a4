/**
 * Asks a server over plain sockets: a client with more comfort would take the time that is measured. As a program it
 * reads a load as JSON from stdin and prints what was answered.
 */
import { connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';

import { idOf } from '../people.ts';
import { startClock } from './clock.ts';

export interface Load {
  address: string;
  connections: number;
  seconds: number;
  /** Requests a second, each counted from the moment it is due. Missing: each connection asks again at once. */
  rate?: number;
  /** `{id}` is the id of a random person, `{n}` a number of its own. */
  path: string;
  /** Posted, where given. */
  body?: string;
  /** Taken in turn. */
  tokens: readonly string[];
  /** How many people there are to ask for. */
  people: number;
}

export interface Answered {
  count: number;
  perSecond: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
}

const answersWithinMs = 20_000;

/** Throws at the first answer that is no success, unless the server may go: such a figure would mean nothing. */
export async function ask(load: Load, onAnswer?: (body: string) => void): Promise<Answered> {
  const make = requestsOf(load);
  const times: number[] = [];
  const due: number[] = [];
  const idle: (() => void)[] = [];
  const start = performance.now();
  const end = start + load.seconds * 1_000;
  const isSteady = load.rate !== undefined;
  let sent = 0;
  const next = async (): Promise<number | undefined> => {
    if (!isSteady) return performance.now() < end ? performance.now() : undefined;
    while (due.length === 0 && performance.now() < end) await new Promise<void>((resolve) => idle.push(resolve));
    return due.shift();
  };
  using _clock = startClock(load.rate ?? 0, (at) => {
    if (at < end) due.push(at);
    if (at < end) idle.shift()?.();
    else for (const wake of idle.splice(0)) wake();
  });
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      using connection = await connectTo(load.address);
      for (let since = await next(); since !== undefined; since = await next()) {
        const answer = await connection.exchange(make(sent++));
        times.push(performance.now() - since);
        if (!/^HTTP\/1.1 2/.test(answer)) throw new Error(`an answer was no success: ${answer.slice(0, 300)}`);
        onAnswer?.(answer);
        if (performance.now() > end + answersWithinMs) throw new Error('the server cannot hold this rate');
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { count: times.length, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}

function requestsOf({ address, path, body, tokens, people }: Load): (n: number) => string {
  const { host } = new URL(address);
  const salt = Math.random().toString(36).slice(2, 8);
  const filled = (text: string, n: number) =>
    text.replace('{id}', () => idOf(1 + Math.floor(Math.random() * people))).replaceAll('{n}', `${n}-${salt}`);
  return (n) => {
    const head = ` HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${tokens[n % tokens.length]}\r\n`;
    if (body === undefined) return `GET ${filled(path, n)}${head}\r\n`;
    const text = filled(body, n);
    return `POST ${path}${head}content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  };
}

export async function connectTo(address: string) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
  let text = '';
  let waiting = answer();
  socket.on('data', (data: string) => {
    text += data;
    if (!isWhole(text)) return;
    waiting.resolve(text);
    text = '';
  });
  socket.on('error', (error) => waiting.reject(error)).on('close', () => waiting.reject(new Error('closed')));
  await connected(socket);
  return {
    exchange: (request: string): Promise<string> => {
      waiting = answer();
      socket.write(request);
      return waiting.promise;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

function answer() {
  const waiting = Promise.withResolvers<string>();
  // Nobody waits while the connection is idle.
  waiting.promise.catch(() => undefined);
  return waiting;
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
}

function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  return head >= 0 && text.length >= head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
}

if (import.meta.main) console.log(JSON.stringify(await ask((await json(process.stdin)) as Load)));
