/** Drops case, accents, spaces, some signs, and a bracketed end such as a time zone. */
export function plainHeading(heading: string): string {
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\([^()]*\)\s*$/, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[\p{M}\s_/.,:*'’°-]/gu, '');
}

const digitsOfNumber = 7;

/** Whether a heading is personal data: then the file has no headings, and this is its first row. */
export function isAboutSomebody(heading: string): boolean {
  return heading.includes('@') || heading.replaceAll(/\D/g, '').length >= digitsOfNumber;
}

export function shownHeading(headings: readonly string[], place: number): string {
  const heading = headings[place] ?? '';
  return heading === '' || isAboutSomebody(heading) ? `column ${place + 1}` : heading;
}

export function whichHeading(headings: readonly string[], place: number): string {
  const shown = shownHeading(headings, place);
  const before = headings.slice(0, place).filter((heading) => heading !== '' && heading === headings[place]).length;
  if (before === 0) return shown;
  return `the ${['second', 'third'][before - 1] ?? `${before + 1}th`} ${shown}`;
}
