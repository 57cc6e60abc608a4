/** Characters that move the cursor, colour, hide or reverse text, except the line feed. */
const unprintable = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--\n]/gv;

/** The same characters, except joiners that an emoji or a script without capitals needs. */
const unshown =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--\n](?<!(?<=[\p{Lo}\p{M}\p{Emoji_Modifier}\p{Extended_Pictographic}])[\u200C\u200D](?=[\p{Lo}\p{Extended_Pictographic}]))/gv;

export function printable(text: string): string {
  return text.replaceAll(unshown, '?');
}

export function printableJson(json: string): string {
  return json.replaceAll(unprintable, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
