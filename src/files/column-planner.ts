import { AppError } from '../errors.ts';
import { type Columns, isAboutSomebody, matchColumns, type Synonyms } from './columns.ts';
import type { Source } from './formats.ts';

const plansMax = 1_000;

export interface ColumnOptions {
  /** Field -> heading, where the operator decides. */
  mapping: ReadonlyMap<string, string>;
  /** Is told of the first headings and of what they mean. */
  onColumns?: (columns: Columns<string>, headings: readonly string[]) => void;
}

/**
 * Says which column is which field for any list of headings, each matched once. CSV has one list, which must make
 * sense, else it throws `invalid`; JSON objects may each have their own.
 */
export function columnPlanner<Field extends string>(
  { format }: Source,
  synonyms: Synonyms<Field>,
  { mapping, onColumns }: ColumnOptions,
): (headings: readonly string[]) => Columns<Field> {
  const plans = new Map<string, Columns<Field>>();
  let last: { headings: readonly string[]; columns: Columns<Field> } | undefined;
  return (headings) => {
    if (last?.headings === headings) return last.columns;
    const signature = JSON.stringify(headings);
    const columns = plans.get(signature) ?? matchColumns(headings, synonyms, mapping);
    if (format === 'csv') requireUsable(columns, headings, mapping);
    if (plans.size === 0 && headings.length > 0) onColumns?.(columns, headings);
    if (plans.size < plansMax) plans.set(signature, columns);
    last = { headings, columns };
    return columns;
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
