import { setImmediate } from 'node:timers/promises';

import { requireColumns } from './column-check.ts';
import { columnPlanner, type FoundColumns } from './column-planner.ts';
import { type KnownColumns, pick } from './columns.ts';
import { type Format, openSource } from './formats.ts';
import { listIn } from './json.ts';
import { rowDigest } from './row-digest.ts';
import type { SourceRow } from './source-row.ts';
import { type UniqueColumns, uniqueColumns } from './unique-columns.ts';
import { unmendedReason } from './unmended.ts';

type Texts<Field extends string> = { [F in Field]?: string };

export interface Reader<Field extends string, Draft> extends KnownColumns<Field> {
  /** A row with one of these is found by it, any other by all its cells. */
  foundBy: readonly Field[];
  optional: readonly Field[];
  /**
   * Returns the checked row or every objection, which begins with the field it is about. `digest` is that of all
   * cells; `earlier` are the texts as an earlier version would have picked them, where they differ.
   */
  draft(texts: Texts<Field>, digest: string, earlier?: Texts<Field>): Draft | { objections: string[] };
}

export interface ReadingOptions {
  /** Undefined means that it is detected. */
  format: Format | undefined;
  /** Field -> heading or template, as the operator decided. */
  mapping: ReadonlyMap<string, string>;
  givesBack: boolean;
  lenient?: boolean;
  /** The columns once they are known; those of objects again at the end. */
  onColumns?: (found: FoundColumns) => void;
  onDropped?: (objection: string) => void;
  onMapped?: (line: number, texts: Readonly<Record<string, string>>) => void;
}

/** `kept` is the reason that stays in the rejects file of a row that comes from one. */
export type Entry<Draft> =
  | { row: SourceRow; draft: Draft; digest: string }
  | { row: SourceRow; objections: string[]; kept?: string };

export interface Reading<Draft> {
  format: Format;
  batches: AsyncIterable<readonly Entry<Draft>[]>;
  /** What could be the ids of rows that have nothing to be found by; complete once all batches are read. */
  unique: () => UniqueColumns;
}

const batchSize = 1_000;
/** Batches are in memory: a thousand rows of 1 MiB took three gigabytes. */
const batchCharactersMax = 8 * 1_048_576;
const rowsBetweenPauses = 50;

const unmended = 'is unchanged since it was rejected; mend it, or empty its roster_reason to import it as it is';

/** Throws `invalid` now or while batches are read. */
export async function openReading<Field extends string, Draft extends object>(
  bytes: AsyncIterable<Uint8Array>,
  reader: Reader<Field, Draft>,
  options: ReadingOptions,
): Promise<Reading<Draft>> {
  const source = await openSource(bytes, options.format);
  const planner = columnPlanner(reader, options.mapping);
  const unique = uniqueColumns();
  let list: string | undefined;
  const toEntry = (read: SourceRow): Entry<Draft> => {
    // Cells would stay in memory until their batch is stored.
    const row = options.givesBack ? read : { line: read.line, headings: [], cells: [], original: [] };
    if (read.problem !== undefined) return { row, objections: [read.problem] };
    const { columns, earlier, digestOrder, isOfRejects } = planner.planOf(read.headings);
    if (!source.headings) list ??= listIn(read) ?? '';
    const digest = rowDigest(read, digestOrder);
    const before = earlier && pick(earlier, read.cells).texts;
    const draftOf = (given: Texts<Field>) => reader.draft(given, digest, before);
    const picked = pick(columns, read.cells);
    let { texts } = picked;
    let draft = picked.objections ? { objections: picked.objections } : draftOf(texts);
    if ('objections' in draft && options.lenient === true) {
      ({ texts, draft } = leniently(picked, reader, draftOf, options.onDropped));
    }
    if ('objections' in draft) return { row, objections: draft.objections };
    const kept = isOfRejects ? unmendedReason(read) : undefined;
    if (kept !== undefined) return { row, objections: [unmended], kept };
    if (unique.isOpen()) {
      if (reader.foundBy.some((field) => texts[field] !== undefined)) unique.stop();
      else unique.see(read, columns.leftOut);
    }
    options.onMapped?.(read.line, texts as Record<string, string>);
    return { row, draft, digest };
  };
  const checkColumns = () => {
    const found = planner.found();
    requireColumns(found, reader.needed, { format: source.format, list: list ?? '' });
    options.onColumns?.(found);
  };
  const batches = async function* () {
    if (source.headings) planner.planOf(source.headings);
    let isChecked = source.headings !== undefined;
    if (isChecked) checkColumns();
    for await (const batch of readBatches(source.rows, toEntry)) {
      if (!isChecked && planner.found().headings.length > 0) {
        isChecked = true;
        checkColumns();
      }
      yield batch;
    }
    if (!source.headings && isChecked) options.onColumns?.(planner.found());
  };
  return { format: source.format, batches: batches(), unique: unique.found };
}

/** The draft of the row without its bad optional fields, or every objection where something else is bad. */
function leniently<Field extends string, Draft extends object>(
  { texts, objections = [] }: { texts: Texts<Field>; objections?: string[] },
  { optional }: Reader<Field, Draft>,
  draftOf: (texts: Texts<Field>) => Draft | { objections: string[] },
  onDropped: ReadingOptions['onDropped'],
): { texts: Texts<Field>; draft: Draft | { objections: string[] } } {
  const first = draftOf(texts);
  const all = 'objections' in first ? [...objections, ...first.objections] : objections;
  const bad = new Set(all.map((objection) => optional.find((field) => objection.startsWith(`${field} `))));
  const good = Object.fromEntries(Object.entries(texts).filter(([field]) => !bad.has(field as Field))) as Texts<Field>;
  const draft = bad.has(undefined) ? { objections: all } : draftOf(good);
  if ('objections' in draft) return { texts, draft: { objections: all } };
  for (const objection of all) onDropped?.(objection);
  return { texts: good, draft };
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
