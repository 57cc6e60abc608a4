import { median, short, table } from '../table.ts';

/** This checkout, and the older commit. */
export const sides = ['new', 'old'] as const;
export type Side = (typeof sides)[number];
export type OfBoth<T> = Record<Side, T>;

/** What was measured in each round, of both programs in turn. */
export interface Comparison {
  what: string;
  unit: string;
  rounds: OfBoth<number[]>;
}

/** The medians of both, and the median, lowest and highest of the rounds' ratios. */
export function summaryOf({ what, unit, rounds }: Comparison) {
  const ratios = rounds.new.map((value, round) => value / (rounds.old[round] ?? Number.NaN));
  return {
    what,
    unit,
    new: median(rounds.new),
    old: median(rounds.old),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

export function tableOf(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(summaryOf).map((one) => {
    const ratios = [one.ratio, one.lowest, one.highest].map((ratio) => ratio.toFixed(2));
    return [one.what, one.unit, short(one.new), short(one.old)].concat(ratios);
  });
  return table(['', 'unit', 'new', 'old', 'new/old', 'lowest', 'highest'], rows);
}
