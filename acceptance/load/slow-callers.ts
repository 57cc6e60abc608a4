/** The process of the slow clients: is told how many of each kind, keeps them up, and tells what became of them. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

export type Kind = 'headers' | 'bodies' | 'readers';

export interface SlowPlan {
  port: number;
  token: string;
  /** A path with an answer of megabytes. */
  largePath: string;
  /** Of each kind. */
  count: number;
  seconds: number;
  closedWithinSeconds: number;
}

export interface KindReport {
  opened: number;
  closed: number;
  /** The most that were there at once. */
  atOnce: number;
  /** How long the one that stayed longest was there, in seconds. */
  longest: number;
}

export type SlowReport = Record<Kind, KindReport>;

/** The buffers of the system take some four megabytes of what nobody reads. */
const largeAnswers = 3;
const trickleEveryMs = 1_000;
const marginMs = 5_000;
/** Before the first of them are closed. */
const gatheredWithinMs = 5_000;

process.once('message', (plan: SlowPlan) => void run(plan).then((report) => process.send?.(report)));

async function run(plan: SlowPlan): Promise<SlowReport> {
  const { count, seconds, closedWithinSeconds } = plan;
  const none: KindReport = { opened: 0, closed: 0, atOnce: 0, longest: 0 };
  const report: SlowReport = { headers: { ...none }, bodies: { ...none }, readers: { ...none } };
  // The last to come have time to be closed.
  const comingMs = Math.max(1_000, (seconds - closedWithinSeconds) * 1_000);
  const startedAt = performance.now();
  const open = (kind: Kind) => {
    const one = report[kind];
    one.opened++;
    one.atOnce = Math.max(one.atOnce, one.opened - one.closed);
    beSlow(kind, plan, (stayedMs) => {
      one.closed++;
      one.longest = Math.max(one.longest, stayedMs / 1_000);
      // There are as many all the time.
      if (performance.now() - startedAt < comingMs) open(kind);
    });
  };
  for (let index = 0; index < count; index++) {
    open('headers');
    open('bodies');
    open('readers');
    await until(startedAt + (gatheredWithinMs * index) / count);
  }
  await until(startedAt + comingMs + closedWithinSeconds * 1_000 + marginMs);
  return report;
}

async function until(time: number): Promise<void> {
  const ms = time - performance.now();
  if (ms > 1) await new Promise((resolve) => setTimeout(resolve, ms));
}

function keyed(key: string): string {
  return `Host: roster.test\r\nAuthorization: Bearer ${key}\r\n`;
}

/** Starts a request and goes on with it, byte by byte, for as long as the server lets it. */
function beSlow(kind: Kind, { port, token, largePath }: SlowPlan, onClosed: (stayedMs: number) => void): void {
  // Readers need no key, and say each another, so that they do not stand in one another's way.
  const get = `GET ${largePath} HTTP/1.1\r\n${keyed(randomUUID())}\r\n`;
  const [start, more] = {
    headers: ['GET /livez HTTP/1.1\r\n', 'X'],
    bodies: [`POST /v2/members HTTP/1.1\r\n${keyed(token)}Content-Length: 100000\r\n\r\n`, 'x'],
    readers: [get.repeat(largeAnswers), '\r'],
  }[kind];
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  if (kind === 'readers') socket.pause();
  else socket.resume();
  const timer = setInterval(() => socket.write(more ?? ''), trickleEveryMs);
  socket.on('connect', () => socket.write(start ?? ''));
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(timer);
    onClosed(performance.now() - startedAt);
  });
}
