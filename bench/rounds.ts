import type { Answered, Load } from './load.ts';

/** One of those that are measured side by side. */
export interface Row {
  name: string;
  load(load: Load): Promise<Answered>;
  residentBytes(): number;
}

/** Medians over the rounds. */
export interface Measured {
  name: string;
  perSecond: number;
  perCpuSecond: number;
  /** Requests per CPU second of each round, so that rows can be compared within rounds. */
  byRound: number[];
  /** At 8 connections, and at saturation (64), in milliseconds. */
  p50: number;
  p99: number;
  p50Saturated: number;
  p99Saturated: number;
  idleMb: number;
  loadedMb: number;
  requests: number;
}

const few = 8;
const many = 64;
/** An answer that is compiled and a memory that is full: so many seconds of load go before the first round. */
const warmUpSeconds = 15;

/** Loads one after the other, round after round, so that a change of the machine's mood meets every row. */
export async function rounds(
  rows: readonly Row[],
  { rounds: count, seconds }: { rounds: number; seconds: number },
): Promise<Measured[]> {
  const measured = rows.map((row) => ({
    row,
    idleMb: megabytes(row.residentBytes()),
    few: [] as Answered[],
    many: [] as Answered[],
    requests: 0,
  }));
  for (const one of measured) {
    const { perSecond } = await one.row.load({ connections: many, seconds: warmUpSeconds });
    one.requests += perSecond * warmUpSeconds;
  }
  for (let round = 1; round <= count; round++) {
    for (const one of measured) {
      one.few.push(await one.row.load({ connections: few, seconds }));
      one.many.push(await one.row.load({ connections: many, seconds }));
      for (const answered of [one.few.at(-1), one.many.at(-1)]) one.requests += (answered?.perSecond ?? 0) * seconds;
    }
    console.error(`round ${round} of ${count}`);
  }
  for (const one of measured) one.requests += await fillUp(one.row, one.requests, one.many);
  return measured.map((one) => ({
    name: one.row.name,
    perSecond: median(one.many.map(({ perSecond }) => perSecond)),
    perCpuSecond: median(one.many.map(({ perCpuSecond }) => perCpuSecond)),
    byRound: one.many.map(({ perCpuSecond }) => Math.round(perCpuSecond)),
    p50: median(one.few.map(({ p50 }) => p50)),
    p99: median(one.few.map(({ p99 }) => p99)),
    p50Saturated: median(one.many.map(({ p50 }) => p50)),
    p99Saturated: median(one.many.map(({ p99 }) => p99)),
    idleMb: one.idleMb,
    loadedMb: megabytes(one.row.residentBytes()),
    requests: Math.round(one.requests),
  }));
}

const requestsWanted = 1_000_000;
const fillUpSecondsMax = 120;

/** Asks on until there have been a million requests, where that is a matter of two minutes; returns how many it took. */
async function fillUp(row: Row, asked: number, answered: readonly Answered[]): Promise<number> {
  const perSecond = median(answered.map((one) => one.perSecond));
  // A tenth more, as a machine has its moods.
  const seconds = Math.ceil(((requestsWanted - asked) / perSecond) * 1.1);
  if (seconds <= 0 || seconds > fillUpSecondsMax) return 0;
  return (await row.load({ connections: many, seconds })).perSecond * seconds;
}

/** The median of the ratios of two rows, each of one round, and how far the ratios lie apart: (highest - lowest) / median. */
export function ratio(one: Measured, other: Measured): { median: number; spread: number } {
  const ratios = one.byRound.map((value, round) => value / (other.byRound[round] ?? Number.NaN));
  return { median: median(ratios), spread: spread(ratios) };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
