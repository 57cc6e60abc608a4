/** What an engine can bind. */
export type Value = string | number | null;

/** SQL text in pieces with the values that stand between them; each engine puts its own placeholders. */
export interface Sql {
  readonly pieces: readonly string[];
  readonly values: readonly Value[];
}

/** A statement or a part of one. Values are bound, never spliced in; a part is taken in as it is. */
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

/** A text of the program's own, such as the name of a table; never one that came from outside. */
export function raw(text: string): Sql {
  return { pieces: [text], values: [] };
}

function isValue(part: Value | Sql): part is Value {
  return part === null || typeof part !== 'object';
}

/**
 * `(…, …)` for `in`. Its length is rounded up to a power of two by repeating the last value, so that
 * batches of every size share a handful of prepared statements.
 */
export function inList(values: readonly Value[]): Sql {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)));
  const last = values.at(-1) ?? null;
  const padded = Array.from({ length: size }, (_, index) => values[index] ?? last);
  return { pieces: ['(', ...Array<string>(size - 1).fill(', '), ')'], values: padded };
}

/** `and`s the conditions together; none is always true. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql`1 = 1`);
}
