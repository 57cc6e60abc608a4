import type { Entry } from './reading.ts';
import type { SourceRow } from './source-row.ts';

/** A batch as it crosses from one thread to another: objects would take three times as long as arrays of texts. */
export interface PackedBatch {
  lines: number[];
  /** The values of each draft in the order of the fields; null for a row that has none. */
  drafts: (unknown[] | null)[];
  /** Those of the rows without a draft, in their order. */
  objections: string[][];
  /** Headings and cells of every row, where it may be given back. */
  rows?: [headings: readonly string[], original: readonly unknown[]][];
}

/** `fields` are all that a draft may have; without `givesBack` rows come out without headings and cells. */
export function pack(
  batch: readonly Entry<object>[],
  fields: readonly string[],
  givesBack: boolean,
): PackedBatch {
  const valuesOf = (draft: object) => fields.map((field) => (draft as Record<string, unknown>)[field]);
  return {
    lines: batch.map(({ row }) => row.line),
    drafts: batch.map((entry) => ('draft' in entry ? valuesOf(entry.draft) : null)),
    objections: batch.flatMap((entry) => ('draft' in entry ? [] : [entry.objections])),
    ...(givesBack && { rows: batch.map(({ row }) => [row.headings, row.original]) }),
  };
}

const nothing: readonly [] = [];

/** What was packed with the same fields, whose drafts were of this type. */
export function unpack<Draft>(
  { lines, drafts, objections, rows }: PackedBatch,
  fields: readonly string[],
): Entry<Draft>[] {
  const refusals = objections.values();
  return lines.map((line, index) => {
    const [headings, original] = rows?.[index] ?? [nothing, nothing];
    const row: SourceRow = { line, headings, cells: nothing, original };
    const values = drafts[index];
    if (!values) return { row, objections: refusals.next().value ?? [] };
    const draft: Record<string, unknown> = {};
    for (const [place, field] of fields.entries()) {
      if (values[place] !== undefined) draft[field] = values[place];
    }
    return { row, draft: draft as Draft };
  });
}
