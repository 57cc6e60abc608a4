// OWASP, CSV injection: full-width forms start a formula too.
const formulaStart = /^'*[=+\-@\t\r＝＋－＠]/;
// Spreadsheets that separate cells by semicolons split a text there, and at tabs and line ends, whatever its quotes.
const startInside = /(?<=[;\t\r\n])['"]*[=+\-@＝＋－＠]/g;

// A number, or a telephone number: no formula has a number beside a number.
const harmless = /^[+-](?:[\d.]+|[\d.()-]*\d\)? +\(?\d[\d .()-]*)$/;

export function defused(cell: string): string {
  const safe = cell.replaceAll(startInside, "'$&");
  return formulaStart.test(cell) && !harmless.test(cell) ? `'${safe}` : safe;
}

/** Removes the apostrophe of `defused`. Other programs write one before a whole cell only, so one inside goes only if `isOurs`. */
export function armed(cell: string, isOurs: boolean): string {
  if (!cell.includes("'")) return cell;
  const text = cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
  if (!isOurs) return text;
  return text.replaceAll(startInside, (start) => (start.startsWith("'") ? start.slice(1) : start));
}
