/** `line`: where the row begins, or its place in a JSON array; from 1. The rows of a CSV file share `headings`. */
export interface SourceRow {
  line: number;
  headings: readonly string[];
  cells: readonly unknown[];
  problem?: string;
}

/** Characters of a CSV row, an NDJSON line or an entry of a JSON array. */
export const rowMaxDefault = 1_048_576;

export function sizeText(characters: number): string {
  return `${characters / 1_048_576} MiB`;
}

/** The columns that a rejects file adds; an import reads no person from them. */
export const ownColumns = ['roster_line', 'roster_reason'] as const;

export function isOwnColumn(heading: string): boolean {
  return ownColumns.some((own) => own === heading);
}
