/** What two samples of times say about the difference of their means. */
export interface Comparison {
  /** Welch's t, positive where the second takes longer. */
  t: number;
  /** Of the means, in µs. */
  difference: number;
  /** The difference that t would have called one, in µs: how much the test could have seen. */
  visible: number;
}

/** Above it two means differ, as in dudect: by chance once in 150,000 times. */
export const tMax = 4.5;

/** The slowest of both samples, which the machine has made slow and not the program, are left out. */
const kept = 0.95;

/** Compares times in ms, below a percentile of both together. */
export function compare(first: readonly number[], second: readonly number[]): Comparison {
  const all = [...first, ...second].toSorted((a, b) => a - b);
  const limit = all[Math.floor(all.length * kept)] ?? Infinity;
  const [one, other] = [first, second].map((times) => momentsOf(times.filter((ms) => ms < limit)));
  if (!one || !other) throw new Error('two samples are needed');
  const error = Math.sqrt(one.variance / one.count + other.variance / other.count);
  const difference = other.mean - one.mean;
  return { t: difference / error, difference: difference * 1000, visible: error * tMax * 1000 };
}

function momentsOf(values: readonly number[]): { count: number; mean: number; variance: number } {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  return { count, mean, variance };
}

const repetitionsMax = 2;

/**
 * Measures, and again where t is above its limit: noise does not come back with the same sign. The last comparison, and
 * whether each of three has called the same of the two the slower one.
 */
export async function compareAgain(
  measure: (round: number) => Promise<readonly [readonly number[], readonly number[]]>,
): Promise<{ last: Comparison; differs: boolean; rounds: number }> {
  const comparisons: Comparison[] = [];
  for (let round = 0; round <= repetitionsMax; round++) {
    const last = compare(...(await measure(round)));
    comparisons.push(last);
    const [first] = comparisons;
    const isSame = Math.abs(last.t) >= tMax && Math.sign(last.t) === Math.sign(first?.t ?? 0);
    if (!isSame) return { last, differs: false, rounds: round + 1 };
    if (round === repetitionsMax) return { last, differs: true, rounds: round + 1 };
  }
  throw new Error('no round was measured');
}
