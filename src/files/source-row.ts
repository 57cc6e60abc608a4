export interface SourceRow {
  /** Where the row begins, or its place in a JSON array; from 1. */
  line: number;
  /** CSV shares one array between its rows. */
  headings: readonly string[];
  cells: readonly unknown[];
  /** The cells to the letter, for the rejects. */
  original: readonly unknown[];
  problem?: string;
}

/** The columns that a rejects file adds; an import ignores them. */
export const ownColumns: readonly string[] = ['roster_line', 'roster_reason'];
