import { AppError } from '../errors.ts';
import { type Columns, isAboutSomebody, plain } from './columns.ts';

const noHeadings = ', and its first line looks like a person; put a line before it that names the columns.';

/** Throws `invalid` unless every mapped heading is there, and a column for one of the `identifying` fields. */
export function requireUsable<Field extends string>(
  { sources }: Pick<Columns<Field>, 'sources'>,
  headings: readonly string[],
  mapping: ReadonlyMap<string, string>,
  identifying: readonly Field[],
): void {
  const refuse = (what: string, advice: string) => {
    const isSomebody = headings.some(isAboutSomebody);
    throw new AppError('invalid', `${what}${isSomebody ? noHeadings : advice}`);
  };
  const has = headings.join(', ');
  const missing = [...mapping].find(([field]) => !sources.has(field as Field));
  if (missing) refuse(`The file has no column "${missing[1]}" for ${missing[0]}`, `; it has: ${has}.`);
  if (sources.size === 0) {
    const advice = `; its first line must name them, or say which is which with --map FIELD=HEADING: ${has}.`;
    refuse('No column of the file is known', advice);
  }
  if (identifying.some((field) => sources.has(field))) return;
  const found = identifying.flatMap((field) => likely(field, headings));
  const advice = found.length > 0 ? `did you mean ${found.join(' or ')}? It has: ${has}.` : `it has: ${has}.`;
  refuse(`The file has no column for any of ${identifying.join(', ')}`, `; ${advice}`);
}

/** An option for each heading that contains the field's name; for ids that would be a guess. */
function likely(field: string, headings: readonly string[]): string[] {
  if (field === 'id') return [];
  return headings
    .filter((heading) => plain(heading).includes(field))
    .map((heading) => `--map ${field}="${heading}"`);
}
