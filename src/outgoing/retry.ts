import type { IncomingHttpHeaders } from 'node:http';

const retryAfterMaxMs = 3_600_000;

/** Milliseconds of a Retry-After in seconds or as a date, at most an hour; undefined without a readable one. */
export function retryAfterMs({ 'retry-after': text }: IncomingHttpHeaders): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMaxMs);
}

const firstWaitMs = 500;
const waitMaxMs = 60_000;

/** Doubles, with jitter, so that several clients do not retry at once. */
export function backoffMs(tries: number): number {
  return Math.min(firstWaitMs * 2 ** (tries - 1), waitMaxMs) * (0.5 + Math.random() / 2);
}
