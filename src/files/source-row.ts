/** One row as the file has it. */
export interface SourceRow {
  /** Where the row begins; for a JSON array its place in it. Counts from 1. */
  line: number;
  /** The same array for rows with the same columns. */
  headings: readonly string[];
  /** Texts in CSV; anything in JSON. */
  cells: readonly unknown[];
  /** The cells to the letter, for giving the row back. */
  original: readonly unknown[];
  /** Why the row cannot be read at all. */
  problem?: string;
}

/** The columns that stand before a refused row's own cells; an import leaves them out. */
export const ownColumns: readonly string[] = ['roster_line', 'roster_reason'];
