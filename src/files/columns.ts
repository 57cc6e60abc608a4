import type { FileColumns } from '../values/field.ts';
import { isOwnColumn } from './source-row.ts';

export interface KnownColumns<Field extends string> {
  columns: Readonly<Record<Field, FileColumns>>;
  earlier?: { readonly [F in Field]?: FileColumns };
  /** A file needs a column for at least one field of each group. */
  needed: readonly (readonly Field[])[];
}

/** The first source with text counts: places whose texts a space joins, or a template, which begins with a text. */
export type Sources = readonly (readonly (number | string)[])[];

export interface Columns<Field extends string> {
  sources: ReadonlyMap<Field, Sources>;
  leftOut: readonly number[];
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

export function shownHeading(headings: readonly string[], place: number): string {
  const heading = headings[place] ?? '';
  return heading === '' || isAboutSomebody(heading) ? `column ${place + 1}` : heading;
}

/**
 * Finds the fields among the headings. A field in `mapped` has the heading there only, for itself; in a text that is
 * no heading, braces name headings: `{First} {Last}`.
 */
export function matchColumns<Field extends string>(
  headings: readonly string[],
  known: Readonly<Record<Field, FileColumns>>,
  mapped: ReadonlyMap<string, string>,
): Columns<Field> {
  const plainHeadings = headings.map(plain);
  const decided = new Map([...mapped].map(([field, text]) => [field, placesIn(text, plainHeadings)]));
  const taken = new Set([...decided.values()].flat());
  const place = (heading: string) => {
    const found = plainHeadings.indexOf(heading);
    return taken.has(found) ? -1 : found;
  };
  const sources = new Map<Field, Sources>();
  for (const field of Object.keys(known) as Field[]) {
    const wanted = decided.get(field);
    const found = wanted ? [wanted] : known[field].headings.split(' ').map((source) => joinedPlaces(source, place));
    const present = found.filter((parts) => parts.some(isPlace));
    if (present.length > 0) sources.set(field, known[field].oneColumn ? present.slice(0, 1) : present);
  }
  const used = new Set([...sources.values()].flat(2));
  return {
    sources,
    leftOut: [...headings.keys()].filter((place) => !used.has(place) && !isOwnColumn(headings[place] ?? '')),
  };
}

export function isPlace(part: number | string): part is number {
  return typeof part === 'number' && part >= 0;
}

export function headingsIn(text: string, headings: readonly string[]): string[] {
  const pieces = piecesOf(text, headings.map(plain));
  return pieces.length === 1 ? pieces : pieces.filter((_, index) => index % 2 === 1);
}

function placesIn(text: string, plainHeadings: readonly string[]): (number | string)[] {
  const pieces = piecesOf(text, plainHeadings);
  const isHeading = (index: number) => pieces.length === 1 || index % 2 === 1;
  return pieces.map((piece, index) => (isHeading(index) ? plainHeadings.indexOf(plain(piece)) : piece));
}

/** The text alone where it is a heading, else texts and headings in turn. */
function piecesOf(text: string, plainHeadings: readonly string[]): string[] {
  return plainHeadings.includes(plain(text)) ? [text] : text.split(/\{([^{}]*)\}/);
}

function joinedPlaces(source: string, place: (heading: string) => number): number[] {
  const parts = source.split('+').map((part) => {
    const places = part.replace('?', '').split('/').map(place);
    return { isEnough: !part.endsWith('?'), found: places.find(isPlace) };
  });
  if (!parts.some(({ isEnough, found }) => isEnough && found !== undefined)) return [];
  return parts.flatMap(({ found }) => found ?? []);
}

/** Returns the trimmed text of each field that has one, and why a cell is no text. */
export function pick<Field extends string>(
  columns: Columns<Field>,
  cells: readonly unknown[],
): { texts: { [F in Field]?: string }; objections?: string[] } {
  const texts: { [F in Field]?: string } = {};
  let objections: string[] | undefined;
  for (const [field, sources] of columns.sources) {
    for (const parts of sources) {
      const text = joinedText(parts, cells);
      if (typeof text === 'string') {
        if (text === '') continue;
        texts[field] = text;
      } else {
        objections ??= [];
        objections.push(`${field} ${text.error}`);
      }
      break;
    }
  }
  return objections === undefined ? { texts } : { texts, objections };
}

type CellText = string | { error: string };

function joinedText(parts: readonly (number | string)[], cells: readonly unknown[]): CellText {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'number') return cellText(cells[first]);
  const isTemplate = typeof first === 'string';
  let text = '';
  let isEmpty = true;
  for (const part of parts) {
    const one = typeof part === 'string' ? part : cellText(cells[part]);
    if (typeof one !== 'string') return one;
    if (typeof part === 'number' && one !== '') isEmpty = false;
    text += isTemplate || text === '' || one === '' ? one : ` ${one}`;
  }
  if (isEmpty) return '';
  return isTemplate ? text.replaceAll(/\s+/g, ' ').trim() : text;
}

function cellText(cell: unknown): CellText {
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
