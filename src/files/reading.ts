import { setImmediate } from 'node:timers/promises';

import { pick, type Picked } from './cells.ts';
import { requireColumns } from './column-check.ts';
import { columnPlanner, type FoundColumns, type PlanOptions } from './column-planner.ts';
import { isOwnExport, type KnownColumns } from './columns.ts';
import { type Format, openRows } from './formats.ts';
import { listIn } from './json.ts';
import { rowDigest, unmendedReason } from './row-digest.ts';
import type { SourceRow } from './source-row.ts';
import { type UniqueColumns, uniqueColumns } from './unique-columns.ts';

type Texts<Field extends string> = Picked<Field>['texts'];

export interface Reader<Field extends string, Draft> extends KnownColumns<Field> {
  /** A row with one of these is found by it, any other by all its cells. */
  foundBy: readonly Field[];
  optional: readonly Field[];
  /** An objection begins with its field. `earlier` are the texts as an earlier version picked them, if they differ. */
  draft(picked: Picked<Field>, earlier?: Texts<Field>): Draft | { objections: string[] };
  warnings?(texts: Texts<Field>): string[];
}

export interface ReadingOptions
  extends Pick<PlanOptions, 'mapping'>, Partial<Pick<PlanOptions, 'leftOut' | 'keepsColumns'>> {
  /** Format and encoding are detected where they are undefined. */
  format: Format | undefined;
  encoding?: string | undefined;
  givesBack: boolean;
  lenient?: boolean;
  /** The columns once they are known; those of objects again at the end. */
  onColumns?: (found: FoundColumns) => void;
  onDropped?: (line: number, objection: string) => void;
  onWarned?: (line: number, warning: string) => void;
  onMapped?: (line: number, picked: Picked<string>) => void;
}

/** `kept` is the reason that stays in the rejects file of a row that comes from one. */
export type ReadRow<Draft> =
  | { row: SourceRow; draft: Draft; digest: string }
  | { row: SourceRow; objections: string[]; kept?: string };

export interface Reading<Draft> {
  format: Format;
  batches: AsyncIterable<readonly ReadRow<Draft>[]>;
  /** Columns that could identify rows without another key; like the encoding, known once all batches are read. */
  unique: () => UniqueColumns;
  encoding: () => string;
}

const batchSize = 1_000;
/** Batches are in memory: a thousand rows of 1 MiB took three gigabytes. */
const batchCharactersMax = 8 * 1_048_576;
const rowsBetweenPauses = 50;

const unmended = 'is unchanged since it was rejected; mend it, or empty its roster_reason to import it as it is';

export async function openReading<Field extends string, Draft extends object>(
  bytes: AsyncIterable<Uint8Array>,
  reader: Reader<Field, Draft>,
  options: ReadingOptions,
): Promise<Reading<Draft>> {
  const source = await openRows(bytes, { ...options, isOwnExport: isExportOf(reader) });
  const isCsv = source.headings !== undefined;
  const { mapping, leftOut = [], keepsColumns = false } = options;
  const planner = columnPlanner(reader, { mapping, leftOut, keepsColumns, isCsv });
  const unique = uniqueColumns();
  let list: string | undefined;
  const toEntry = (read: SourceRow): ReadRow<Draft> => {
    // Cells would stay in memory until their batch is stored.
    const row = options.givesBack ? read : { line: read.line, headings: [], cells: [] };
    if (read.problem !== undefined) return { row, objections: [read.problem] };
    const { columns, earlier, isEarlierSame, digestOrder, isOfRejects } = planner.planOf(read.headings);
    if (!source.headings) list ??= listIn(read) ?? '';
    const digest = rowDigest(read, digestOrder);
    let picked = pick<Field>(columns, read.cells);
    const isSame = isEarlierSame && picked.warnings === undefined;
    const before = earlier && !isSame ? pick<Field>(earlier, read.cells).texts : undefined;
    const draftOf = (given: Picked<Field>) => reader.draft(given, before);
    let draft = picked.objections ? { objections: picked.objections } : draftOf(picked);
    if ('objections' in draft && options.lenient === true) {
      ({ picked, draft } = leniently(picked, reader, draftOf, (one) => options.onDropped?.(read.line, one)));
    }
    if ('objections' in draft) return { row, objections: draft.objections };
    const kept = isOfRejects ? unmendedReason(read) : undefined;
    if (kept !== undefined) return { row, objections: [unmended], kept };
    if (unique.isOpen()) {
      if (reader.foundBy.some((field) => picked.texts[field] !== undefined)) unique.stop();
      else unique.see(read, columns.spare);
    }
    const warnings = [...(picked.warnings ?? []), ...(reader.warnings?.(picked.texts) ?? [])];
    for (const warning of warnings) options.onWarned?.(read.line, warning);
    options.onMapped?.(read.line, picked);
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
  return { format: source.format, batches: batches(), unique: unique.found, encoding: source.encoding };
}

const isExportOf = (reader: KnownColumns<string>) => (headings: readonly string[]) =>
  isOwnExport(headings, reader.columns);

const groupOf = (field: string) => field.split('.', 1)[0] ?? '';

/** The draft of the row without its bad optional fields, or every objection where something else is bad. */
function leniently<Field extends string, Draft extends object>(
  picked: Picked<Field>,
  { optional }: Reader<Field, Draft>,
  draftOf: (picked: Picked<Field>) => Draft | { objections: string[] },
  onDropped: (objection: string) => void,
): { picked: Picked<Field>; draft: Draft | { objections: string[] } } {
  const { objections = [] } = picked;
  const first = draftOf(picked);
  const all = 'objections' in first ? [...objections, ...first.objections] : objections;
  const bad = all.map((objection) => objection.slice(0, objection.indexOf(' ')));
  const isBad = (field: string) => bad.includes(field) || bad.includes(groupOf(field));
  const good: Picked<Field> = {
    texts: without(picked.texts, isBad) as Texts<Field>,
    ...(picked.values && { values: without(picked.values, isBad) }),
    ...(picked.warnings && { warnings: picked.warnings }),
  };
  const mayDrop = bad.every((field) => optional.some((one) => one === groupOf(field)));
  const draft = mayDrop ? draftOf(good) : { objections: all };
  if ('objections' in draft) return { picked, draft: { objections: all } };
  for (const objection of all) onDropped(objection);
  return { picked: good, draft };
}

function without<Value>(given: Readonly<Record<string, Value>>, isBad: (field: string) => boolean) {
  return Object.fromEntries(Object.entries(given).filter(([field]) => !isBad(field)));
}

async function* readBatches<Draft>(
  chunks: AsyncIterable<readonly SourceRow[]>,
  toEntry: (row: SourceRow) => ReadRow<Draft>,
): AsyncGenerator<ReadRow<Draft>[]> {
  let batch: ReadRow<Draft>[] = [];
  let characters = 0;
  for await (const chunk of chunks) {
    for (const read of chunk) {
      const entry = toEntry(read);
      batch.push(entry);
      characters += charactersIn(entry.row.cells);
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
