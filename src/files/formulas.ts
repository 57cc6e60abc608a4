// OWASP, CSV injection: full-width forms start a formula too.
const formulaStart = /^'*[=+\-@\t\r＝＋－＠]/;

// A number, or a telephone number: no formula has a number beside a number.
const harmless = /^[+-](?:[\d.]+|[\d.()-]*\d\)? +\(?\d[\d .()-]*)$/;

/** Puts an apostrophe before a formula; `armed` removes it. */
export function defused(cell: string): string {
  return formulaStart.test(cell) && !harmless.test(cell) ? `'${cell}` : cell;
}

export function armed(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
}
