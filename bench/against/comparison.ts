import { median } from '../rounds.ts';
import { table } from '../table.ts';

/** This checkout, and the older commit. */
export const sides = ['new', 'old'] as const;
export type Side = (typeof sides)[number];
export type OfBoth<T> = Record<Side, T>;

/** What was measured in each round, of both programs in turn, and where it makes sense of node:http beside them. */
export interface Comparison {
  what: string;
  unit: string;
  rounds: OfBoth<number[]> & { nodeHttp?: number[] };
}

/** The medians of both, and the median, lowest and highest of the rounds' ratios. */
export function summaryOf({ what, unit, rounds }: Comparison) {
  const { new: ours, old, nodeHttp } = rounds;
  const all = ratios(ours, old);
  return {
    what,
    unit,
    new: median(ours),
    old: median(old),
    ratio: median(all),
    lowest: Math.min(...all),
    highest: Math.max(...all),
    ...(nodeHttp && {
      nodeHttp: median(nodeHttp),
      ofNodeHttp: { new: median(ratios(nodeHttp, ours)), old: median(ratios(nodeHttp, old)) },
    }),
  };
}

export function tableOf(comparisons: readonly Comparison[]): string {
  const head = ['', 'unit', 'new', 'old', 'new/old', 'lowest', 'highest', 'of node:http', 'old of it'];
  const rows = comparisons.map(summaryOf).map((one) => {
    const figures = [one.new, one.old].map((value) => value.toFixed(value < 1_000 ? 1 : 0));
    const { new: ours, old } = one.ofNodeHttp ?? {};
    const ratios = [one.ratio, one.lowest, one.highest, ours, old];
    return [one.what, one.unit].concat(
      figures,
      ratios.map((ratio) => ratio?.toFixed(2) ?? ''),
    );
  });
  return table(head, rows);
}

function ratios(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN));
}
