import type { FileColumns } from '../values/field.ts';
import { isAboutSomebody, plainHeading } from './headings.ts';
import { isOwnColumn } from './source-row.ts';

export interface KnownColumns<Field extends string> {
  columns: Readonly<Record<Field, FileColumns>>;
  earlier?: { readonly [F in Field]?: FileColumns };
  /** A file needs a column for at least one field of each group. */
  needed: readonly (readonly Field[])[];
  open?: OpenFields;
}

export interface OpenFields {
  /** Begins the name of each, in headings too. */
  prefix: string;
  max: number;
  nameOf(heading: string): string | undefined;
}

/** Places whose texts a space joins, or a template, which begins with a text. */
export type Parts = readonly (number | string)[];

/** The first with text counts. */
type Sources = readonly Parts[];

export interface TakenField {
  field: string;
  sources: Sources;
  as: FileColumns['as'] | 'any';
  several: RegExp | undefined;
  isDayFirst: boolean;
}

export interface Columns {
  /** In the order of the known fields; open fields come last. */
  sources: ReadonlyMap<string, Sources>;
  taken: readonly TakenField[];
  /** The columns that no known field takes, and those of them that are not kept. */
  spare: readonly number[];
  leftOut: readonly number[];
  /** Whether " ::: " stands between several values of a cell, as in exports of Google. */
  hasSeveral: boolean;
  /** The open field that keeps a further value: 2 is the first one after the value taken. */
  further: (field: string, number: number) => string | undefined;
}

/** `mapped`: headings or templates (`{First} {Last}`). `kept` collects open fields; `ignored` are plain headings. */
export function matchColumns<Field extends string>(
  headings: readonly string[],
  { columns: known, open }: Pick<KnownColumns<Field>, 'columns' | 'open'>,
  mapped: ReadonlyMap<string, string>,
  kept?: Set<string>,
  ignored: ReadonlySet<string> = new Set(),
): Columns {
  const isIgnored = (one: number) => ignored.has(plainHeading(headings[one] ?? ''));
  const plainHeadings = headings.map((heading, one) => (isIgnored(one) ? '' : plainHeading(heading)));
  const decided = new Map([...mapped].map(([field, text]) => [field, placesIn(text, plainHeadings)]));
  const taken = new Set([...decided.values()].flat());
  const place = (heading: string) => {
    const found = plainHeadings.indexOf(heading);
    return taken.has(found) ? -1 : found;
  };
  /** Later columns of the same heading count where the first is empty. */
  const withRepeats = (parts: readonly number[]): Sources => {
    const [first = -1] = parts;
    const isRepeat = (one: number) => one > first && plainHeadings[one] === plainHeadings[first] && !taken.has(one);
    return parts.length === 1 ? [parts, ...[...headings.keys()].filter(isRepeat).map((one) => [one])] : [parts];
  };
  const sources = new Map<string, Sources>();
  for (const field of Object.keys(known) as Field[]) {
    const wanted = decided.get(field);
    const candidates = known[field].headings.split(' ').filter((source) => isBeside(source, plainHeadings));
    const found = wanted ? [wanted] : candidates.flatMap((source) => withRepeats(joinedPlaces(source, place)));
    const present = found.filter((parts) => parts.some(isPlace));
    const fresh = present.filter((parts, index) => !present.slice(0, index).some((one) => isWithin(parts, one)));
    if (fresh.length > 0) sources.set(field, known[field].oneColumn ? fresh.slice(0, 1) : fresh);
  }
  const isOpen = (field: string) => open !== undefined && field.startsWith(open.prefix);
  for (const [field, parts] of decided) if (isOpen(field) && parts.some(isPlace)) sources.set(field, [parts]);
  const used = new Set([...sources.values()].flat(2));
  const spare = [...headings.keys()].filter((one) => !used.has(one) && !isOwnColumn(headings[one] ?? ''));
  const [unwanted, offered] = [spare.filter(isIgnored), spare.filter((one) => !isIgnored(one))];
  const opened = openFields(offered, headings, sources, open, kept);
  const isOwn = isOwnExport(headings, known);
  const takenBy = ([field, found]: [string, Sources]): TakenField => {
    if (isOpen(field)) return { field, sources: found, as: 'any', several: undefined, isDayFirst: false };
    const { as, several, dayFirst }: FileColumns = known[field as Field];
    const heading = plainHeadings[Number(found[0]?.[0])] ?? '';
    const isDayFirst = dayFirst?.split(' ').includes(heading) === true;
    return { field, sources: found, as, several: isOwn ? undefined : several, isDayFirst };
  };
  return {
    sources,
    taken: [...sources].map(takenBy),
    spare,
    leftOut: [...unwanted, ...opened.leftOut],
    hasSeveral: headings.some((heading) => / \d+ - /.test(heading)),
    further: opened.further,
  };
}

/** Our own export has every field under its own name, and one value in each cell. */
export function isOwnExport(headings: readonly string[], known: Readonly<Record<string, FileColumns>>): boolean {
  return Object.entries(known).every(([field, { as }]) => as !== undefined || headings.includes(field));
}

export function isPlace(part: number | string): part is number {
  return typeof part === 'number' && part >= 0;
}

export function headingsIn(text: string, headings: readonly string[]): string[] {
  const pieces = piecesOf(text, headings.map(plainHeading));
  return pieces.length === 1 ? pieces : pieces.filter((_, index) => index % 2 === 1);
}

function placesIn(text: string, plainHeadings: readonly string[]): (number | string)[] {
  const pieces = piecesOf(text, plainHeadings);
  const isHeading = (index: number) => pieces.length === 1 || index % 2 === 1;
  return pieces.map((piece, index) => (isHeading(index) ? plainHeadings.indexOf(plainHeading(piece)) : piece));
}

function piecesOf(text: string, plainHeadings: readonly string[]): string[] {
  return plainHeadings.includes(plainHeading(text)) ? [text] : text.split(/\{([^{}]*)\}/);
}

function isWithin(parts: Parts, others: Parts): boolean {
  return parts.every((part) => others.includes(part));
}

function isBeside(source: string, plainHeadings: readonly string[]): boolean {
  const conditions = source.match(/[&!][^&!]+/g) ?? [];
  return conditions.every((one) => plainHeadings.includes(one.slice(1)) === one.startsWith('&'));
}

function joinedPlaces(source: string, place: (heading: string) => number): number[] {
  const [joined = ''] = source.split(/[&!]/, 1);
  const parts = joined.split('+').map((part) => {
    const places = part.replace('?', '').split('/').map(place);
    return { isEnough: !part.endsWith('?'), found: places.find(isPlace) };
  });
  if (!parts.some(({ isEnough, found }) => isEnough && found !== undefined)) return [];
  return parts.flatMap(({ found }) => found ?? []);
}

function openFields(
  places: readonly number[],
  headings: readonly string[],
  sources: Map<string, Sources>,
  open: OpenFields | undefined,
  kept?: Set<string>,
): Pick<Columns, 'leftOut' | 'further'> {
  if (!open) return { leftOut: [...places], further: () => undefined };
  const { prefix, max } = open;
  const addTo = (name: string | undefined, place: number): boolean => {
    if (name === undefined || sources.has(`${prefix}${name}`)) return false;
    sources.set(`${prefix}${name}`, [[place]]);
    return true;
  };
  const rest = places.filter((place) => {
    const heading = headings[place] ?? '';
    return !heading.toLowerCase().startsWith(prefix) || !addTo(open.nameOf(heading.slice(prefix.length).trim()), place);
  });
  if (!kept) return { leftOut: rest, further: () => undefined };
  const explicit = [...sources.keys()].filter((field) => field.startsWith(prefix)).length;
  const hasRoomFor = (name: string) => kept.has(name) || explicit + kept.size < max;
  const leftOut = rest.filter((place) => {
    const heading = headings[place] ?? '';
    const name = isAboutSomebody(heading) ? undefined : open.nameOf(heading);
    if (name === undefined || !hasRoomFor(name)) return true;
    const isAdded = addTo(name, place);
    if (isAdded) kept.add(name);
    return !isAdded;
  });
  const ofColumns = new Set(sources.keys());
  const further = (field: string, number: number) => {
    if (number > max + 1) return undefined;
    let free = 1;
    // A column of the file may already have the name.
    for (let left = number - 1; left > 0;) if (!ofColumns.has(`${prefix}${field}_${++free}`)) left--;
    const name = `${field}_${free}`;
    if (!hasRoomFor(name)) return undefined;
    kept.add(name);
    return `${prefix}${name}`;
  };
  return { leftOut, further };
}
