import { AppError } from '../errors.ts';
import { type Columns, isAboutSomebody, type KnownColumns, matchColumns, plain } from './columns.ts';
import type { Source } from './formats.ts';
import { digestOrder } from './row-digest.ts';

const plansMax = 1_000;
const noHeadings = ', and its first line looks like a person; put a line before it that names the columns.';

export interface ColumnOptions {
  /** Field -> heading, as the operator decided. */
  mapping: ReadonlyMap<string, string>;
  onColumns?: (columns: Columns<string>, headings: readonly string[]) => void;
}

export interface Plan<Field extends string> {
  columns: Columns<Field>;
  digestOrder: readonly number[];
}

/** Returns a function that plans each list of headings once; it throws `invalid` for a useless list of CSV. */
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

/** Throws `invalid` without every mapped heading and a column for one of the `identifying` fields. */
function requireUsable<Field extends string>(
  { sources }: Columns<Field>,
  headings: readonly string[],
  mapping: ReadonlyMap<string, string>,
  identifying: readonly Field[],
): void {
  const reject = (what: string, advice: string) => {
    const isSomebody = headings.some(isAboutSomebody);
    throw new AppError('invalid', `${what}${isSomebody ? noHeadings : advice}`);
  };
  const has = headings.join(', ');
  const missing = [...mapping].find(([field]) => !sources.has(field as Field));
  if (missing) reject(`The file has no column "${missing[1]}" for ${missing[0]}`, `; it has: ${has}.`);
  if (sources.size === 0) {
    const advice = `; its first line must name them, or say which is which with --map FIELD=HEADING: ${has}.`;
    reject('No column of the file is known', advice);
  }
  if (identifying.some((field) => sources.has(field))) return;
  const found = identifying.flatMap((field) => likely(field, headings));
  const advice = found.length > 0 ? `did you mean ${found.join(' or ')}? It has: ${has}.` : `it has: ${has}.`;
  reject(`The file has no column for any of ${identifying.join(', ')}`, `; ${advice}`);
}

function likely(field: string, headings: readonly string[]): string[] {
  // Too many headings contain "id".
  if (field === 'id') return [];
  return headings.filter((heading) => plain(heading).includes(field)).map((heading) => `--map ${field}="${heading}"`);
}
