import { setImmediate } from 'node:timers/promises';

import { columnPlanner, type ColumnOptions } from './column-planner.ts';
import { type Columns, pick, type Synonyms } from './columns.ts';
import { type Format, openSource, type Source } from './formats.ts';
import type { SourceRow } from './source-row.ts';

/** How the rows of a noun's files are understood. */
export interface Reader<Field extends string, Draft> {
  synonyms: Synonyms<Field>;
  check(texts: { [F in Field]?: string }): Draft | { objections: string[] };
}

export interface ReadingOptions extends ColumnOptions {
  /** Found by the beginning of the file where it is undefined. */
  format: Format | undefined;
  /** Whether somebody may want the rows as they were; else they come without headings and cells. */
  givesBack: boolean;
}

/** A row that is read, with its draft or the reasons why it has none. */
export type Entry<Draft> = { row: SourceRow; draft: Draft } | { row: SourceRow; objections: string[] };

/** A file that is being read, its rows checked; a batch is what is stored together. */
export interface Reading<Draft> {
  format: Format;
  batches: AsyncIterable<readonly Entry<Draft>[]>;
}

const batchSize = 1_000;
/** Rows that are long come in smaller batches, as all of one are in memory: a thousand of 1 MiB took three gigabytes. */
const batchCharactersMax = 8 * 1_048_576;
const rowsBetweenPauses = 50;

/** Begins to read; throws as openSource and columnPlanner do, then or while the batches come. */
export async function openReading<Field extends string, Draft extends object>(
  bytes: AsyncIterable<Uint8Array>,
  reader: Reader<Field, Draft>,
  options: ReadingOptions,
): Promise<Reading<Draft>> {
  const source = await openSource(bytes, options.format);
  const columnsOf = columnPlanner(source, reader.synonyms, options);
  const check = (row: SourceRow) => {
    if (row.problem !== undefined) return { objections: [row.problem] };
    const picked = pick(columnsOf(row.headings), row.cells);
    return 'objections' in picked ? picked : reader.check(picked.texts);
  };
  const toEntry = (read: SourceRow): Entry<Draft> => {
    const checked = check(read);
    // What nobody asks for again would stay until its batch is stored.
    const row = options.givesBack ? read : { line: read.line, headings: [], cells: [], original: [] };
    return 'objections' in checked ? { row, objections: checked.objections } : { row, draft: checked };
  };
  return { format: source.format, batches: readBatches(source, columnsOf, toEntry) };
}

async function* readBatches<Draft>(
  { headings, rows }: Source,
  columnsOf: (headings: readonly string[]) => Columns<string>,
  toEntry: (row: SourceRow) => Entry<Draft>,
): AsyncGenerator<Entry<Draft>[]> {
  if (headings) columnsOf(headings);
  let batch: Entry<Draft>[] = [];
  let characters = 0;
  for await (const read of rows) {
    const entry = toEntry(read);
    batch.push(entry);
    characters += charactersIn(entry.row.original);
    // A chunk of the file holds thousands of rows: without a pause nobody would hear what a database answers.
    if (batch.length % rowsBetweenPauses === 0) await setImmediate();
    if (batch.length < batchSize && characters < batchCharactersMax) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** About as many; what is nested is taken for a thousand. */
function charactersIn(cells: readonly unknown[]): number {
  let characters = 0;
  for (const cell of cells) {
    if (typeof cell === 'string') characters += cell.length;
    else if (typeof cell === 'object') characters += 1_000;
  }
  return characters;
}
