import type { FileColumns } from '../values/field.ts';

export interface KnownColumns<Field extends string> {
  columns: Readonly<Record<Field, FileColumns>>;
  /** A file needs a column for at least one of these. */
  identifying: readonly Field[];
}

/** The first source with text counts; the texts of its columns are joined by a space. */
export type Sources = readonly (readonly number[])[];

export interface Columns<Field extends string> {
  sources: ReadonlyMap<Field, Sources>;
  leftOut: readonly string[];
}

/** Drops case, spaces, `_`, `-` and brackets at the end, which may hold a time zone. */
export function plain(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/\([^()]*\)\s*$/, '')
    .replaceAll(/[\s_-]/g, '');
}

const digitsOfNumber = 7;

/** Whether a heading holds personal data: the file has none, and this is its first row. */
export function isAboutSomebody(heading: string): boolean {
  return heading.includes('@') || heading.replaceAll(/\D/g, '').length >= digitsOfNumber;
}

/** Finds the fields among the headings; a field in `mapped` (field -> heading) has that heading only, for itself. */
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
        ? known[field].headings.split(' ').map((source) => source.split('+').map(place))
        : [[plainHeadings.indexOf(plain(wanted))]];
    const present = found.map((places) => places.filter((index) => index >= 0)).filter((places) => places.length > 0);
    if (present.length > 0) sources.set(field, known[field].oneColumn ? present.slice(0, 1) : present);
  }
  const used = new Set([...sources.values()].flat(2));
  return { sources, leftOut: headings.filter((_, index) => !used.has(index)) };
}

/** Returns the trimmed text of each field that has one, or why a cell is no text. */
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
        if (typeof part !== 'string') return { objections: [`${field} ${part.error}`] };
        if (part !== '') text = text === '' ? part : `${text} ${part}`;
      }
      if (text === '') continue;
      texts[field] = text;
      break;
    }
  }
  return { texts };
}

function cellText(cell: unknown): string | { error: string } {
  if (typeof cell === 'string') return firstValue(cell);
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'number') {
    // JSON.parse rounds longer integers.
    const isExact = Number.isSafeInteger(cell) || !Number.isInteger(cell);
    return isExact ? String(cell) : { error: 'is a number too long to be exact; put it in quotes' };
  }
  if (Array.isArray(cell) && cell.every((item) => typeof item === 'string')) {
    return cell
      .map(firstValue)
      .filter((item) => item !== '')
      .join(',');
  }
  return { error: 'is not a text' };
}

/** Google joins several values of a cell by " ::: ". */
function firstValue(text: string): string {
  const end = text.indexOf(' ::: ');
  return (end < 0 ? text : text.slice(0, end)).trim();
}
