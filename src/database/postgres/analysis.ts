import type { QueryConfig } from 'pg';

import type { Insertion } from '../sql.ts';

export type AnalysisOf = (insertion: Insertion, rows: number) => QueryConfig[];

const analysisEveryMin = 1_000;

/** Without statistics an import slows down at least thirtyfold: `analyze` after 1,000 rows and each doubling. */
export function analysisPlan(): AnalysisOf {
  const tables = new Map<string, { since: number; total: number }>();
  return ({ into, foundBy }, rows) => {
    const { since, total } = tables.get(into) ?? { since: 0, total: 0 };
    const now = { since: since + rows, total: total + rows };
    const isDue = foundBy.length > 0 && now.since >= Math.max(analysisEveryMin, total - since);
    tables.set(into, isDue ? { since: 0, total: now.total } : now);
    return isDue ? [{ text: `analyze ${into} (${foundBy.join(', ')})` }] : [];
  };
}
