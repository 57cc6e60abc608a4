import { writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * For `node --import`: at SIGUSR2, writes the CPU time of the longest turn of the event loop since the last one, in ms, to the file
 * in TURNS_FILE. A collection of garbage does not count, nor does time in which the machine ran something else.
 */
const file = process.env['TURNS_FILE'] ?? '';

interface Span {
  from: number;
  to: number;
  cpuMs: number;
}

/** A timer of 1 ms fires once in each turn that takes as long. */
const resolutionMs = 1;
/** Shorter ones are not looked at. */
const longMs = 20;
/** A collection is reported some turns after it. */
const settledMs = 1_000;

let long: Span[] = [];
let collections: { startTime: number; duration: number }[] = [];
let longest = 0;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The CPU time without that of collections: they are timed by the clock, which ran as much faster in them as elsewhere. */
function withoutCollections({ from, to, cpuMs: all }: Span): number {
  const within = collections.map(({ startTime, duration }) =>
    Math.max(0, Math.min(to, startTime + duration) - Math.max(from, startTime)),
  );
  const collected = within.reduce((sum, ms) => sum + ms, 0);
  return all * Math.max(0, 1 - collected / (to - from));
}

function settle(until: number): void {
  for (const span of long.filter(({ to }) => to < until)) longest = Math.max(longest, withoutCollections(span));
  long = long.filter(({ to }) => to >= until);
  collections = collections.filter(({ startTime, duration }) => startTime + duration >= until - settledMs);
}

if (isMainThread) {
  new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ['gc'] });
  let last = { at: performance.now(), cpu: cpuMs() };
  setInterval(() => {
    const now = { at: performance.now(), cpu: cpuMs() };
    if (now.cpu - last.cpu > longMs) long.push({ from: last.at, to: now.at, cpuMs: now.cpu - last.cpu });
    last = now;
  }, resolutionMs).unref();
  setInterval(() => settle(performance.now() - settledMs), settledMs).unref();
  process.on('SIGUSR2', () => {
    settle(Infinity);
    writeFileSync(file, `${longest}\n`);
    longest = 0;
  });
}
