/** The process of `load`: is told a plan, and tells the report. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { type Plan, type Report, type Request, timesOf } from './load.ts';

const sentEveryMs = 2;
const openedWithinMs = 5_000;
const lastAnswersMs = 2_000;
const examplesMax = 5;

interface Caller {
  socket: Socket;
  /** What is awaited, when it was sent, and what has come of its answer. */
  awaited: { request: Request; sentAt: number; text: string } | undefined;
}

process.once('message', (plan: Plan) => void run(plan).then((report) => process.send?.(report)));

async function run({ port, requests, connections, perSecond, seconds, total }: Plan): Promise<Report> {
  const tally = openTally();
  const free: Caller[] = [];
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let endsAt = Infinity;
  let isOver = false;
  let sent = 0;
  let unsent = 0;
  let broken = 0;
  let untold = 0;
  const awaiting = new Set<Caller>();

  const ask = (caller: Caller) => {
    const request = requests[sent++ % requests.length];
    if (!request) throw new Error('there is nothing to ask');
    awaiting.add(caller);
    caller.awaited = { request, sentAt: performance.now(), text: '' };
    caller.socket.write(request.text, 'latin1');
  };
  const onFree = (caller: Caller) => {
    if (sent >= (total ?? Infinity) || performance.now() >= endsAt) {
      if (perSecond === undefined) end();
    } else if (perSecond === undefined) ask(caller);
    else free.push(caller);
  };
  const onData = (caller: Caller, chunk: string) => {
    const { awaited } = caller;
    if (!awaited) return;
    awaited.text += chunk;
    if (!isWhole(awaited.text)) return;
    caller.awaited = undefined;
    awaiting.delete(caller);
    tally.count(awaited.request, awaited.text, performance.now() - awaited.sentAt);
    // Whoever closes opens anew, and goes on there.
    if (!isOver && !/\r\nconnection: close\r\n/i.test(awaited.text)) onFree(caller);
  };
  const open = () => {
    const caller: Caller = { socket: connect(port, '127.0.0.1').setNoDelay(true), awaited: undefined };
    caller.socket
      .setEncoding('latin1')
      .on('connect', () => onFree(caller))
      .on('data', (chunk) => onData(caller, String(chunk)))
      .on('error', () => undefined)
      .on('close', () => {
        if (caller.awaited) broken++;
        if (isCreation(caller)) untold++;
        awaiting.delete(caller);
        if (!isOver) setTimeout(open, 1);
      });
  };
  const askAtRate = (rate: number, startedAt: number) => {
    let due = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      for (const until = ((now - startedAt) / 1_000) * rate; due < until; due++) {
        const caller = free.pop();
        if (!caller) unsent++;
        else if (!caller.socket.destroyed) ask(caller);
      }
      if (now < endsAt) return;
      clearInterval(timer);
      end();
    }, sentEveryMs);
  };

  for (let opened = 0; opened < connections; opened++) open();
  // To open them is no part of the load at a rate.
  const opening = perSecond === undefined ? 0 : performance.now() + openedWithinMs;
  while (free.length < connections && performance.now() < opening) await pause(10);
  const startedAt = tally.start();
  endsAt = startedAt + (seconds ?? Infinity) * 1_000;
  if (perSecond !== undefined) askAtRate(perSecond, startedAt);
  await over;
  const took = (performance.now() - startedAt) / 1_000;
  isOver = true;
  const patience = performance.now() + lastAnswersMs;
  while (awaiting.size > 0 && performance.now() < patience) await pause(10);
  untold += [...awaiting].filter(isCreation).length;
  return { seconds: took, sent, unsent, broken, untold, ...tally.report() };
}

function isCreation({ awaited }: Caller): boolean {
  return awaited?.request.status === 201;
}

function openTally() {
  let startedAt = performance.now();
  const goodMs: number[] = [];
  const goodBySecond: number[] = [];
  const examples: string[] = [];
  const created: string[] = [];
  let shed = 0;
  let wrong = 0;
  return {
    start: () => (startedAt = performance.now()),
    count: ({ text: request, status }: Request, text: string, ms: number) => {
      if (isEnveloped(text) && text.startsWith(`HTTP/1.1 ${status} `)) {
        const second = Math.floor((performance.now() - startedAt) / 1_000);
        goodBySecond[second] = (goodBySecond[second] ?? 0) + 1;
        goodMs.push(ms);
        const [, id] = (status === 201 && /"id":"([^"]+)"/.exec(text)) || [];
        if (id !== undefined) created.push(id);
      } else if (isShed(text)) {
        shed++;
      } else {
        wrong++;
        const asked = request.slice(0, 500).replace(/Bearer \S+/, 'Bearer …');
        if (wrong <= examplesMax) examples.push(`${JSON.stringify(asked)} -> ${JSON.stringify(text.slice(0, 500))}`);
      }
    },
    report: () => ({
      good: goodMs.length,
      goodBySecond: Array.from(goodBySecond, (good: number | undefined) => good ?? 0),
      goodTimes: timesOf(goodMs),
      shed,
      wrong,
      examples,
      created,
    }),
  };
}

function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length;
}

function isEnveloped(text: string): boolean {
  return text.startsWith('{"status":"', text.indexOf('\r\n\r\n') + 4);
}

function isShed(text: string): boolean {
  return (
    text.startsWith('HTTP/1.1 503 ') &&
    isEnveloped(text) &&
    /\r\nretry-after: \d+\r\n/i.test(text) &&
    text.includes('"code":"unavailable"')
  );
}
