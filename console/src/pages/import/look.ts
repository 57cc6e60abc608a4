import { type ContactDraft, contactReader } from '../../../../src/contacts/draft.ts';
import type { Picked } from '../../../../src/files/cells.ts';
import { likelyHeadings, looksLikeId } from '../../../../src/files/column-check.ts';
import type { FoundColumns } from '../../../../src/files/column-planner.ts';
import { isPlace } from '../../../../src/files/columns.ts';
import { type Format, formatOfName, openRows } from '../../../../src/files/formats.ts';
import { plain, shownHeading } from '../../../../src/files/headings.ts';
import { type ReadRow, openReading, type ReadingOptions } from '../../../../src/files/reading.ts';
import { type Choice, type Encoding, leftOut, leftOutOf, mappingOf } from './choice.ts';

const samplesShown = 3;
const peopleShown = 3;
const rejectedShown = 3;

export interface Column {
  heading: string;
  /** How it is called on the page: a heading that is missing, or is about somebody, is not shown. */
  name: string;
  samples: readonly string[];
  fields: readonly string[];
}

export interface Suggestion {
  field: string;
  headings: readonly string[];
}

/** The properties that the beginning of a file shows. */
export interface Looked {
  format: Format;
  columns: readonly Column[];
  people: readonly { line: number; values: readonly (readonly [string, string])[] }[];
  rejected: readonly { line: number; reason: string }[];
  /** Fields of which one is needed; none where one is there. */
  lacking: readonly string[];
  suggestions: readonly Suggestion[];
}

// Safari has no async iterator of streams.
export async function* bytesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

export function optionsOf(file: File, choice: Choice): ReadingOptions {
  return {
    format: formatOfName(file.name),
    encoding: encodingOf(choice),
    mapping: mappingOf(choice),
    leftOut: leftOutOf(choice),
    givesBack: true,
    lenient: choice.lenient,
    keepsColumns: choice.keepsColumns,
  };
}

/** Reads the first thousand rows. Throws `invalid` where the file cannot be read. */
export async function look(file: File, choice: Choice): Promise<Looked> {
  let found: FoundColumns | undefined;
  const people: { line: number; picked: Picked<string> }[] = [];
  const reading = await openReading(
    bytesOf(file),
    { ...contactReader, needed: [] },
    {
      ...optionsOf(file, choice),
      onColumns: (columns) => (found = columns),
      onMapped: (line, picked) => people.length < peopleShown && people.push({ line, picked }),
    },
  );
  let entries: readonly ReadRow<ContactDraft>[] = [];
  for await (const batch of reading.batches) {
    entries = batch;
    break;
  }
  const columns = found ? columnsOf(found, entries) : [];
  const taken = new Set(columns.flatMap((column) => column.fields));
  const lacking = contactReader.needed.flatMap((group) => (group.some((field) => taken.has(field)) ? [] : group));
  return {
    format: reading.format,
    columns,
    people: people.map(({ line, picked: { texts, values } }) => ({
      line,
      values: shownValues({ ...texts, ...values }),
    })),
    rejected: entries
      .flatMap((entry) => ('objections' in entry ? { line: entry.row.line, reason: entry.objections.join('; ') } : []))
      .slice(0, rejectedShown),
    lacking,
    suggestions: suggestionsFor(contactReader.needed.flat(), taken, columns, choice),
  };
}

function encodingOf({ encoding }: Pick<Choice, 'encoding'>): string | undefined {
  return encoding === '' ? undefined : encoding;
}

/** The properties that the whole file shows. */
export interface Counted {
  count: number;
  encoding: string;
}

/** Counts all rows; throws `invalid` where the file breaks off. */
export async function countRows(file: File, encoding: Encoding, signal: AbortSignal): Promise<Counted> {
  const source = await openRows(bytesOf(file), formatOfName(file.name), encodingOf({ encoding }));
  let count = 0;
  for await (const rows of source.rows) {
    signal.throwIfAborted();
    count += rows.length;
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { count, encoding: source.encoding() };
}

function columnsOf(
  { headings, columns: { sources } }: FoundColumns,
  entries: readonly ReadRow<ContactDraft>[],
): Column[] {
  return headings.flatMap((heading, place) => {
    if (heading === 'roster_line' || heading === 'roster_reason') return [];
    const fields = [...sources].flatMap(([field, all]) =>
      all.flat().some((one) => isPlace(one) && one === place) ? field : [],
    );
    const samples = new Set<string>();
    for (const { row } of entries) {
      const at = row.headings[place] === heading ? place : row.headings.indexOf(heading);
      const text = shownCell(row.cells[at]);
      if (text !== '') samples.add(text);
      if (samples.size === samplesShown) break;
    }
    return { heading, name: shownHeading(headings, place), samples: [...samples], fields };
  });
}

function suggestionsFor(
  needed: readonly string[],
  taken: ReadonlySet<string>,
  columns: readonly Column[],
  choice: Choice,
): Suggestion[] {
  const free = columns.filter(({ heading, fields }) => fields.length === 0 && choice.fields.get(heading) !== leftOut);
  const headings = free.map(({ heading }) => heading).filter((heading) => heading !== '');
  const byValues = Object.entries(looks).flatMap(([field, look]) => {
    const like = free.find(
      ({ heading, samples }) => heading !== '' && samples.length > 0 && samples.every((one) => look.test(one)),
    );
    return like && !taken.has(field) ? [{ field, headings: [like.heading] }] : [];
  });
  const byHeadings = needed
    .filter((field) => !taken.has(field))
    .flatMap((field) => {
      const likely =
        field === 'id' ? headings.filter(looksLikeId).slice(0, 1) : likelyHeadings(field, headings).slice(0, 1);
      return likely.map((text) => ({ field, headings: headingsOf(text, headings) }));
    });
  return [...byHeadings, ...byValues.filter(({ field }) => !byHeadings.some((one) => one.field === field))];
}

/** Fields whose values show what they are. */
const looks = { email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/, phone: /^\+?[\d\s()/.-]{7,}$/ };

/** The headings that a template names, or the one heading. */
function headingsOf(text: string, headings: readonly string[]): string[] {
  if (headings.some((heading) => plain(heading) === plain(text))) return [text];
  return headings.filter((heading) => text.includes(`{${heading}}`));
}

function shownValues(values: object): (readonly [string, string])[] {
  return Object.entries(values).map(([name, value]) => [name, shownCell(value)] as const);
}

function shownCell(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? cell.trim() : JSON.stringify(cell);
}
