import { AppError } from '../errors.ts';
import type { FileColumns } from '../values/field.ts';
import { type Columns, isAboutSomebody, matchColumns } from './columns.ts';
import type { Source } from './formats.ts';
import { digestOrder } from './row-digest.ts';

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
  known: Readonly<Record<Field, FileColumns>>,
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
    if (format === 'csv') requireUsable(plan.columns, headings, mapping);
    if (plans.size === 0 && headings.length > 0) onColumns?.(plan.columns, headings);
    if (plans.size < plansMax) plans.set(signature, plan);
    last = { headings, plan };
    return plan;
  };
}

const noHeadings = ', and its first line looks like a person; put a line before it that names the columns.';

function requireUsable(
  { sources }: Columns<string>,
  headings: readonly string[],
  mapping: ReadonlyMap<string, string>,
): void {
  const isSomebody = headings.some(isAboutSomebody);
  const missing = [...mapping].find(([field]) => !sources.has(field));
  if (missing) {
    throw new AppError(
      'invalid',
      `The file has no column "${missing[1]}" for ${missing[0]}${isSomebody ? noHeadings : `; it has: ${headings.join(', ')}.`}`,
    );
  }
  if (sources.size === 0) {
    throw new AppError(
      'invalid',
      `No column of the file is known${
        isSomebody
          ? noHeadings
          : `; its first line must name them, or say which is which with --map FIELD=HEADING: ${headings.join(', ')}.`
      }`,
    );
  }
}
