export type Value = string | number | null;

export interface Sql {
  readonly pieces: readonly string[];
  readonly values: readonly Value[];
}

/** Values are bound, never spliced in; parts are. */
export function sql(pieces: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  if (parts.every(isValue)) return { pieces, values: parts };
  const text = [pieces[0] ?? ''];
  const values: Value[] = [];
  const append = (piece: string) => {
    text[text.length - 1] += piece;
  };
  parts.forEach((part, index) => {
    if (!isValue(part)) {
      append(part.pieces[0] ?? '');
      text.push(...part.pieces.slice(1));
      values.push(...part.values);
      append(pieces[index + 1] ?? '');
    } else {
      values.push(part);
      text.push(pieces[index + 1] ?? '');
    }
  });
  return { pieces: text, values };
}

/** For the program's own names, never for input. */
export function raw(text: string): Sql {
  return { pieces: [text], values: [] };
}

function isValue(part: Value | Sql): part is Value {
  return part === null || typeof part !== 'object';
}

/** `(…, …)` for `in`, padded to a power of two, so that few prepared statements serve all sizes. */
export function inList(values: readonly Value[]): Sql {
  const padded = padToPowerOfTwo(values, null);
  return { pieces: ['(', ...Array<string>(padded.length - 1).fill(', '), ')'], values: padded };
}

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
