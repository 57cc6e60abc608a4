import { type Columns, headingsIn, type KnownColumns, matchColumns, plain } from './columns.ts';
import { digestOrder } from './row-digest.ts';
import { isOwnColumn } from './source-row.ts';

const plansMax = 1_000;

export interface Plan<Field extends string> {
  columns: Columns<Field>;
  earlier: Columns<Field> | undefined;
  digestOrder: readonly number[];
  isOfRejects: boolean;
}

/** The columns of all rows so far, of at most a thousand kinds; `missing` is what was mapped and is not there. */
export interface FoundColumns {
  headings: readonly string[];
  columns: Columns<string>;
  missing: readonly { field: string; heading: string }[];
}

/** Plans each list of headings once. `mapping` is field -> heading, as the operator decided. */
export function columnPlanner<Field extends string>(
  known: KnownColumns<Field>,
  mapping: ReadonlyMap<string, string>,
): { planOf(headings: readonly string[]): Plan<Field>; found(): FoundColumns } {
  const plans = new Map<string, Plan<Field>>();
  const all: string[] = [];
  const seen = new Set<string>();
  let last: { headings: readonly string[]; plan: Plan<Field> } | undefined;
  const add = (signature: string, plan: Plan<Field>, headings: readonly string[]) => {
    if (plans.size === plansMax) return;
    plans.set(signature, plan);
    // The first list is that of CSV, where headings may be empty or there twice.
    const isFirst = all.length === 0;
    for (const heading of headings) {
      if (isFirst || !seen.has(heading)) all.push(heading);
      seen.add(heading);
    }
  };
  return {
    planOf: (headings) => {
      if (last?.headings === headings) return last.plan;
      const signature = JSON.stringify(headings);
      let plan = plans.get(signature);
      if (!plan) {
        plan = planFor(headings, known, mapping);
        add(signature, plan, headings);
      }
      last = { headings, plan };
      return plan;
    },
    found: () => {
      const wanted = [...mapping].flatMap(([field, text]) =>
        headingsIn(text, all).map((heading) => ({ field, heading })),
      );
      const has = new Set(all.map(plain));
      const missing = wanted.filter(({ heading }) => !has.has(plain(heading)));
      return { headings: all, columns: matchColumns(all, known.columns, mapping), missing };
    },
  };
}

function planFor<Field extends string>(
  headings: readonly string[],
  { columns: known, earlier }: KnownColumns<Field>,
  mapping: ReadonlyMap<string, string>,
): Plan<Field> {
  const columns = matchColumns(headings, known, mapping);
  const before = earlier && matchColumns(headings, { ...known, ...earlier }, mapping);
  const isSame = !before || JSON.stringify([...before.sources]) === JSON.stringify([...columns.sources]);
  return {
    columns,
    earlier: isSame ? undefined : before,
    digestOrder: digestOrder(headings),
    isOfRejects: headings.some(isOwnColumn),
  };
}
