import { type Columns, headingsIn, type KnownColumns, matchColumns } from './columns.ts';
import { plainHeading } from './headings.ts';
import { digestOrder } from './row-digest.ts';
import { isOwnColumn } from './source-row.ts';

const plansMax = 1_000;

export interface Plan {
  columns: Columns;
  /** The columns of an earlier version, and whether they read a row alike where a cell has one value. */
  earlier: Columns | undefined;
  isEarlierSame: boolean;
  digestOrder: readonly number[];
  isOfRejects: boolean;
}

/** The columns of all rows so far; `missing` is what was mapped and is not there. */
export interface FoundColumns {
  headings: readonly string[];
  columns: Columns;
  missing: readonly { field: string; heading: string }[];
}

export interface PlanOptions {
  mapping: ReadonlyMap<string, string>;
  /** Headings that no field takes. */
  leftOut: readonly string[];
  keepsColumns: boolean;
  isCsv: boolean;
}

export function columnPlanner<Field extends string>(
  reader: KnownColumns<Field>,
  { mapping, leftOut, keepsColumns, isCsv }: PlanOptions,
): { planOf(headings: readonly string[]): Plan; found(): FoundColumns } {
  const known = isCsv ? { ...reader, columns: withoutObjects(reader.columns) } : reader;
  const kept = keepsColumns ? new Set<string>() : undefined;
  const ignored = new Set(leftOut.map(plainHeading));
  const plans = new Map<string, Plan>();
  const all: string[] = [];
  const seen = new Set<string>();
  let last: { headings: readonly string[]; plan: Plan } | undefined;
  const matched = (headings: readonly string[]) => matchColumns(headings, known, mapping, kept, ignored);
  const planFor = (headings: readonly string[]): Plan => {
    const columns = matched(headings);
    const before = known.earlier && { columns: { ...known.columns, ...known.earlier } };
    const earlier = before && matchColumns(headings, before, mapping);
    return {
      columns,
      earlier,
      isEarlierSame: earlier !== undefined && textSources(earlier) === textSources(columns),
      digestOrder: digestOrder(headings),
      isOfRejects: headings.some(isOwnColumn),
    };
  };
  const add = (signature: string, headings: readonly string[]): Plan => {
    const plan = planFor(headings);
    if (plans.size === plansMax) return plan;
    plans.set(signature, plan);
    // The first list is that of CSV, where headings may be empty or there twice.
    const isFirst = all.length === 0;
    for (const heading of headings) {
      if (isFirst || !seen.has(heading)) all.push(heading);
      seen.add(heading);
    }
    return plan;
  };
  return {
    planOf: (headings) => {
      if (last?.headings === headings) return last.plan;
      const signature = JSON.stringify(headings);
      const plan = plans.get(signature) ?? add(signature, headings);
      last = { headings, plan };
      return plan;
    },
    found: () => {
      const wanted = [...mapping].flatMap(([field, text]) =>
        headingsIn(text, all).map((heading) => ({ field, heading })),
      );
      for (const heading of leftOut) wanted.push({ field: '--leave-out', heading });
      const has = new Set(all.map(plainHeading));
      const missing = wanted.filter(({ heading }) => !has.has(plainHeading(heading)));
      return { headings: all, columns: matched(all), missing };
    },
  };
}

function textSources({ taken }: Columns): string {
  return JSON.stringify(taken.filter(({ as }) => as === undefined).map(({ field, sources }) => [field, sources]));
}

function withoutObjects<Field extends string>(columns: KnownColumns<Field>['columns']): KnownColumns<Field>['columns'] {
  const texts = Object.entries(columns).filter(([, column]) => (column as { as?: string }).as !== 'object');
  return Object.fromEntries(texts) as KnownColumns<Field>['columns'];
}
