import { type ContactDraft, contactReader } from '../../../../src/contacts/draft.ts';
import { likelyHeadings, looksLikeId } from '../../../../src/files/column-check.ts';
import type { FoundColumns } from '../../../../src/files/column-planner.ts';
import { formatOfName, openRows } from '../../../../src/files/formats.ts';
import { shownHeading } from '../../../../src/files/headings.ts';
import { type ReadRow, openReading, type ReadingOptions } from '../../../../src/files/reading.ts';
import { isOwnColumn } from '../../../../src/files/source-row.ts';
import { type Choice, type Encoding, leftOut, leftOutOf, mappingOf } from './choice.ts';

const shownMax = 3;

/** The properties that the beginning of a file shows. */
export type Looked = Awaited<ReturnType<typeof look>>;
export type Column = ReturnType<typeof columnsOf>[number];

/** The properties that the whole file shows. */
export type Counted = Awaited<ReturnType<typeof countRows>>;

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
    encoding: choice.encoding || undefined,
    mapping: mappingOf(choice),
    leftOut: leftOutOf(choice),
    givesBack: true,
    lenient: choice.lenient,
    keepsColumns: choice.keepsColumns,
  };
}

/** Reads the first thousand rows. Throws `invalid` where the file cannot be read. */
export async function look(file: File, choice: Choice) {
  let found: FoundColumns | undefined;
  const people: { line: number; values: [field: string, text: string][] }[] = [];
  const reading = await openReading(
    bytesOf(file),
    { ...contactReader, needed: [] },
    {
      ...optionsOf(file, choice),
      onColumns: (columns) => (found = columns),
      onMapped: (line, { texts, values }) => {
        const all = Object.entries({ ...texts, ...values });
        if (people.length < shownMax) people.push({ line, values: all.map(([name, one]) => [name, shownCell(one)]) });
      },
    },
  );
  let entries: readonly ReadRow<ContactDraft>[] = [];
  for await (entries of reading.batches) break;
  const columns = found ? columnsOf(found, entries) : [];
  const taken = new Set(columns.flatMap((column) => column.fields));
  const rejected = entries.flatMap((entry) =>
    'objections' in entry ? { line: entry.row.line, reason: entry.objections.join('; ') } : [],
  );
  return {
    format: reading.format,
    columns,
    people,
    rejected: rejected.slice(0, shownMax),
    /** Whether no column says who a person is. */
    isLacking: !needed.some((field) => taken.has(field)),
    suggestions: suggestionsFor(taken, columns, choice),
  };
}

/** Counts all rows; throws `invalid` where the file breaks off. */
export async function countRows(file: File, encoding: Encoding, signal: AbortSignal) {
  const source = await openRows(bytesOf(file), { format: formatOfName(file.name), encoding: encoding || undefined });
  let count = 0;
  for await (const rows of source.rows) {
    signal.throwIfAborted();
    count += rows.length;
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { count, encoding: source.encoding() };
}

function columnsOf({ headings, columns: { sources } }: FoundColumns, entries: readonly ReadRow<ContactDraft>[]) {
  return headings.flatMap((heading, place) => {
    if (isOwnColumn(heading)) return [];
    const fields = [...sources].flatMap(([field, all]) => (all.flat().includes(place) ? field : []));
    const texts = entries.map(({ row: { headings: own, cells } }) =>
      shownCell(cells[own[place] === heading ? place : own.indexOf(heading)]),
    );
    const samples = [...new Set(texts)].filter((text) => text !== '').slice(0, shownMax);
    // A heading that is missing, or is about somebody, is not shown.
    return { heading, name: shownHeading(headings, place), samples, fields };
  });
}

/** One of these says who a person is. */
const needed = contactReader.needed.flat();
/** Fields whose values show what they are. */
const looks: Partial<Record<string, RegExp>> = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  phone: /^\+?[\d\s()/.-]{7,}$/,
};

/** Columns that nobody has decided about, for the needed fields that have none: by their headings, or else their values. */
function suggestionsFor(taken: ReadonlySet<string>, columns: readonly Column[], choice: Choice) {
  const free = columns.filter(
    ({ heading, fields }) => heading !== '' && fields.length === 0 && choice.fields.get(heading) !== leftOut,
  );
  const all = [...new Set(free.map(({ heading }) => heading))];
  return needed.flatMap((field) => {
    if (taken.has(field)) return [];
    const [likely] = field === 'id' ? all.filter(looksLikeId) : likelyHeadings(field, all);
    const named = all.filter((heading) => heading === likely || likely?.includes(`{${heading}}`) === true);
    const alike = free.find(
      ({ samples }) => samples.length > 0 && samples.every((one) => looks[field]?.test(one) === true),
    );
    const headings = named.length === 0 && alike ? [alike.heading] : named;
    return headings.length === 0 ? [] : { field, headings };
  });
}

function shownCell(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? cell.trim() : JSON.stringify(cell);
}
