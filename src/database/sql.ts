export type Value = string | number | null;

export interface Sql {
  readonly pieces: readonly string[];
  readonly values: readonly Value[];
}

interface Composed {
  parts: readonly (readonly string[] | undefined)[];
  pieces: readonly string[];
}

// Engines find a prepared statement by its pieces array, so a template with the same parts returns the same array.
const composed = new WeakMap<readonly string[], Composed[]>();
const composedMax = 16;

/** Binds values as parameters, and splices in only other `Sql`. */
export function sql(pieces: TemplateStringsArray, ...given: readonly (Value | Sql)[]): Sql {
  if (given.every(isValue)) return { pieces, values: given };
  const parts = given.map((part) => (isValue(part) ? undefined : part.pieces));
  const known = composed.get(pieces) ?? [];
  let one = known.find((other) => other.parts.every((part, index) => part === parts[index]));
  if (!one) {
    one = { parts, pieces: compose(pieces, parts) };
    composed.set(pieces, [one, ...known].slice(0, composedMax));
  }
  return { pieces: one.pieces, values: given.flatMap((part) => (isValue(part) ? [part] : part.values)) };
}

function compose(pieces: readonly string[], parts: Composed['parts']): string[] {
  const text = [pieces[0] ?? ''];
  parts.forEach((part, index) => {
    const next = pieces[index + 1] ?? '';
    if (!part) return text.push(next);
    text[text.length - 1] += part[0] ?? '';
    text.push(...part.slice(1));
    return (text[text.length - 1] += next);
  });
  return text;
}

/** Unescaped text: for the program's own names, never for input. */
export function raw(text: string): Sql {
  const known = raws.get(text) ?? { pieces: [text], values: [] };
  raws.set(text, known);
  return known;
}

const raws = new Map<string, Sql>();

function isValue(part: Value | Sql): part is Value {
  return part === null || typeof part !== 'object';
}

/** Inserts a row into a table of tenants. Its names are columns: the program's own, never input. */
export function insertInto(table: string, row: { project_id: string } & Readonly<Record<string, Value>>): Sql {
  const columns = Object.keys(row);
  const beginning = `insert into ${table} (${columns.join(', ')}) values (`;
  const pieces = insertions.get(beginning) ?? [beginning, ...columns.slice(1).map(() => ', '), ')'];
  insertions.set(beginning, pieces);
  return { pieces, values: Object.values(row) };
}

const insertions = new Map<string, readonly string[]>();

export function orUpdate(key: string, columns: readonly string[]): Sql {
  const assignments = columns.map((column) => `${column} = excluded.${column}`);
  return raw(`on conflict (${key}) do update set ${assignments.join(', ')}`);
}

/** `(…, …)` for `in`, padded to a power of two, so that a few prepared statements serve all sizes. */
export function inList(values: readonly Value[]): Sql {
  const padded = padToPowerOfTwo(values, null);
  const { length } = padded;
  const pieces = lists.get(length) ?? ['(', ...Array<string>(length - 1).fill(', '), ')'];
  lists.set(length, pieces);
  return { pieces, values: padded };
}

const lists = new Map<number, readonly string[]>();

/** `(values (…, …), …)` for pairs, padded like `inList`. At least one pair. */
export function inPairs(pairs: readonly (readonly [Value, Value])[]): Sql {
  const padded = padToPowerOfTwo(pairs, [null, null]);
  const between = padded.slice(1).flatMap(() => [', ', '), (']);
  return { pieces: ['(values (', ...between, ', ', '))'], values: padded.flat() };
}

function padToPowerOfTwo<T>(items: readonly T[], otherwise: T): T[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, items.length)));
  const last = items.at(-1) ?? otherwise;
  return Array.from({ length: size }, (_, index) => items[index] ?? last);
}

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql`1 = 1`);
}

export interface Insertion {
  into: string;
  /** Names of a row's values, in order. `terms.before` is among them, but no column. */
  columns: readonly string[];
  /** Names of the values with the terms of a contact before the write (null if new) and after it. */
  terms?: { before: string; after: string };
  /** Columns that look-ups use, for `analyze`. */
  foundBy: readonly string[];
  ending: Sql;
  /** A query that returns one number, which is added to each value of the column. */
  countedFrom?: { column: string; query: Sql };
}
