import type { FileColumns } from '../values/field.ts';

/** The columns that a noun's fields can be read from. */
export interface KnownColumns<Field extends string> {
  columns: Readonly<Record<Field, FileColumns>>;
  /** A file needs a column for one of these. */
  identifying: readonly Field[];
}

/** The places of a field's text: the first source that has one. Two places together are joined by a space. */
export type Sources = readonly (readonly number[])[];

export interface Columns<Field extends string> {
  sources: ReadonlyMap<Field, Sources>;
  /** Headings that mean no field. */
  leftOut: readonly string[];
}

/** A heading without case, spaces, `_`, `-`, and brackets at its end, such as a time zone. */
export function plain(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/\([^()]*\)\s*$/, '')
    .replaceAll(/[\s_-]/g, '');
}

const digitsOfNumber = 7;

/** Whether it is an address or a number, not a heading: the file has no headings, and this is personal data. */
export function isAboutSomebody(heading: string): boolean {
  return heading.includes('@') || heading.replaceAll(/\D/g, '').length >= digitsOfNumber;
}

/**
 * Finds the fields among the headings. `mapped` (field -> heading) decides for its fields alone, and reserves its
 * headings.
 */
export function matchColumns<Field extends string>(
  headings: readonly string[],
  known: Readonly<Record<Field, FileColumns>>,
  mapped: ReadonlyMap<string, string>,
): Columns<Field> {
  const plainHeadings = headings.map(plain);
  const taken = new Set([...mapped.values()].map(plain));
  const place = (heading: string) => (taken.has(heading) ? -1 : plainHeadings.indexOf(heading));
  const sources = new Map<Field, Sources>();
  for (const field of Object.keys(known) as Field[]) {
    const wanted = mapped.get(field);
    const found =
      wanted === undefined
        ? known[field].headings.map((source) =>
            [source]
              .flat()
              .map(place)
              .filter((index) => index >= 0),
          )
        : [[plainHeadings.indexOf(plain(wanted))].filter((index) => index >= 0)];
    const present = found.filter((places) => places.length > 0);
    if (present.length > 0) sources.set(field, known[field].oneColumn ? present.slice(0, 1) : present);
  }
  const used = new Set([...sources.values()].flat(2));
  return { sources, leftOut: headings.filter((_, index) => !used.has(index)) };
}

/** The row's text for each field that has one, trimmed; or the objections to cells that are no text. */
export function pick<Field extends string>(
  columns: Columns<Field>,
  cells: readonly unknown[],
): { texts: { [F in Field]?: string } } | { objections: string[] } {
  const texts: { [F in Field]?: string } = {};
  for (const [field, sources] of columns.sources) {
    for (const places of sources) {
      let text = '';
      for (const place of places) {
        const part = cellText(cells[place]);
        if (typeof part !== 'string') return { objections: [`${field} ${part.objection}`] };
        if (part !== '') text = text === '' ? part : `${text} ${part}`;
      }
      if (text === '') continue;
      texts[field] = text;
      break;
    }
  }
  return { texts };
}

function cellText(cell: unknown): string | { objection: string } {
  if (typeof cell === 'string') return firstValue(cell);
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'number') {
    // JSON.parse has rounded a number such as 12345678901234567891.
    const isExact = Number.isSafeInteger(cell) || !Number.isInteger(cell);
    return isExact ? String(cell) : { objection: 'is a number too long to be exact; put it in quotes' };
  }
  if (Array.isArray(cell) && cell.every((item) => typeof item === 'string')) {
    return cell
      .map(firstValue)
      .filter((item) => item !== '')
      .join(',');
  }
  return { objection: 'is not a text' };
}

// Google joins several values of one cell by " ::: "; the first is taken.
function firstValue(text: string): string {
  const end = text.indexOf(' ::: ');
  return (end < 0 ? text : text.slice(0, end)).trim();
}
