import { setImmediate } from 'node:timers/promises';

import { columnPlanner, type ColumnOptions } from './column-planner.ts';
import { type KnownColumns, pick } from './columns.ts';
import { type Format, openSource } from './formats.ts';
import { rowDigest } from './row-digest.ts';
import type { SourceRow } from './source-row.ts';

export interface Reader<Field extends string, Draft> extends KnownColumns<Field> {
  /** Returns the checked row or every objection; `digest` is that of all cells. */
  draft(texts: { [F in Field]?: string }, digest: string): Draft | { objections: string[] };
}

export interface ReadingOptions extends ColumnOptions {
  /** Undefined means that it is detected. */
  format: Format | undefined;
  givesBack: boolean;
}

export type Entry<Draft> = { row: SourceRow; draft: Draft; digest: string } | { row: SourceRow; objections: string[] };

export interface Reading<Draft> {
  format: Format;
  batches: AsyncIterable<readonly Entry<Draft>[]>;
}

const batchSize = 1_000;
/** Batches are in memory: a thousand rows of 1 MiB took three gigabytes. */
const batchCharactersMax = 8 * 1_048_576;
const rowsBetweenPauses = 50;

/** Throws `invalid` now or while batches are read. */
export async function openReading<Field extends string, Draft extends object>(
  bytes: AsyncIterable<Uint8Array>,
  reader: Reader<Field, Draft>,
  options: ReadingOptions,
): Promise<Reading<Draft>> {
  const source = await openSource(bytes, options.format);
  const planOf = columnPlanner(source, reader, options);
  const toEntry = (read: SourceRow): Entry<Draft> => {
    // Cells would stay in memory until their batch is stored.
    const row = options.givesBack ? read : { line: read.line, headings: [], cells: [], original: [] };
    if (read.problem !== undefined) return { row, objections: [read.problem] };
    const plan = planOf(read.headings);
    const picked = pick(plan.columns, read.cells);
    if ('objections' in picked) return { row, objections: picked.objections };
    const digest = rowDigest(read, plan.digestOrder);
    const draft = reader.draft(picked.texts, digest);
    return 'objections' in draft ? { row, objections: draft.objections } : { row, draft, digest };
  };
  const batches = async function* () {
    if (source.headings) planOf(source.headings);
    yield* readBatches(source.rows, toEntry);
  };
  return { format: source.format, batches: batches() };
}

async function* readBatches<Draft>(
  chunks: AsyncIterable<readonly SourceRow[]>,
  toEntry: (row: SourceRow) => Entry<Draft>,
): AsyncGenerator<Entry<Draft>[]> {
  let batch: Entry<Draft>[] = [];
  let characters = 0;
  for await (const chunk of chunks) {
    for (const read of chunk) {
      const entry = toEntry(read);
      batch.push(entry);
      characters += charactersIn(entry.row.original);
      // A chunk holds thousands of rows; signals and the database need a turn.
      if (batch.length % rowsBetweenPauses === 0) await setImmediate();
      if (batch.length < batchSize && characters < batchCharactersMax) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function charactersIn(cells: readonly unknown[]): number {
  let characters = 0;
  for (const cell of cells) {
    if (typeof cell === 'string') characters += cell.length;
    else if (typeof cell === 'object') characters += 1_000;
  }
  return characters;
}
