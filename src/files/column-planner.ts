import { type Columns, type KnownColumns, matchColumns } from './columns.ts';
import type { Source } from './formats.ts';
import { digestOrder } from './row-digest.ts';
import { requireUsable } from './usable-columns.ts';

const plansMax = 1_000;

export interface ColumnOptions {
  /** Field -> heading, where the operator decides. */
  mapping: ReadonlyMap<string, string>;
  /** Called with the first headings and what they mean. */
  onColumns?: (columns: Columns<string>, headings: readonly string[]) => void;
}

/** How the rows with one list of headings are read. */
export interface Plan<Field extends string> {
  columns: Columns<Field>;
  digestOrder: readonly number[];
}

/**
 * Returns a function that plans for any list of headings, each list once. CSV has one list, and a useless one throws
 * `invalid`; JSON objects may each have their own.
 */
export function columnPlanner<Field extends string>(
  { format }: Source,
  { columns: known, identifying }: KnownColumns<Field>,
  { mapping, onColumns }: ColumnOptions,
): (headings: readonly string[]) => Plan<Field> {
  const plans = new Map<string, Plan<Field>>();
  let last: { headings: readonly string[]; plan: Plan<Field> } | undefined;
  return (headings) => {
    if (last?.headings === headings) return last.plan;
    const signature = JSON.stringify(headings);
    const plan = plans.get(signature) ?? {
      columns: matchColumns(headings, known, mapping),
      digestOrder: digestOrder(headings),
    };
    if (format === 'csv') requireUsable(plan.columns, headings, mapping, identifying);
    if (plans.size === 0 && headings.length > 0) onColumns?.(plan.columns, headings);
    if (plans.size < plansMax) plans.set(signature, plan);
    last = { headings, plan };
    return plan;
  };
}
