export const idLengthMax = 64;

/** Whether the text is an id: 1 to 64 code points that both engines can store. */
export function isId(text: string): boolean {
  return text !== '' && isStorable(text) && hasAtMost(text, idLengthMax);
}

const maybeUnstorable = /[\0\uD800-\uDFFF]/;

/** PostgreSQL stores neither U+0000 nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !maybeUnstorable.test(text) || (!text.includes('\0') && text.isWellFormed());
}

/** Counts code points. */
export function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= max * 2 && Array.from(text).length <= max);
}
