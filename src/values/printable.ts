/** Moves the cursor, colours, hides, or turns text around; a line feed does not count. */
const unprintable = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--\n]/gv;

/** The same, but for joiners where a script without capitals or an emoji needs them. */
const unshown =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--\n](?<!(?<=[\p{Lo}\p{M}\p{Emoji_Modifier}\p{Extended_Pictographic}])[\u200C\u200D](?=[\p{Lo}\p{Extended_Pictographic}]))/gv;

/** The text as a terminal may have it. */
export function printable(text: string): string {
  return text.replaceAll(unshown, '?');
}

/** JSON of the same value, in which a terminal finds nothing to obey. */
export function printableJson(json: string): string {
  return json.replaceAll(unprintable, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
