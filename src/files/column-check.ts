import { AppError } from '../errors.ts';
import { shellWord } from '../values/shell-word.ts';
import type { FoundColumns } from './column-planner.ts';
import type { Format } from './formats.ts';
import { isAboutSomebody, plainHeading, shownHeading } from './headings.ts';
import { listHint } from './json.ts';

const headingsShown = 100;
const suggestionsMax = 3;

/** Throws `invalid` with suggestions. `list` is where the first object of JSON has a list of objects, or empty. */
export function requireColumns(
  { headings, columns, missing }: FoundColumns,
  needed: readonly (readonly string[])[],
  { format, list }: { format: Format; list: string },
): void {
  const [mapped] = format === 'csv' ? missing : [];
  const lacking = needed.find((group) => !group.some((field) => columns.sources.has(field)));
  if (mapped) reject(`The file has no column "${mapped.heading}" for ${mapped.field}`, []);
  if (!lacking) return;
  if (list !== '') throw new AppError('invalid', listHint(list));
  const isKnown = columns.sources.size > 0;
  const which = lacking.length === 1 ? lacking.join() : `any of ${lacking.join(', ')}`;
  reject(isKnown ? `The file has no column for ${which}` : 'No column of the file is known', lacking);

  function reject(what: string, fields: readonly string[]): void {
    throw new AppError('invalid', `${what}${adviceFor(fields, headings, format)}`);
  }
}

function adviceFor(fields: readonly string[], headings: readonly string[], format: Format): string {
  if (format === 'csv' && headings.some(isAboutSomebody)) {
    return ', and its first line looks like a person; put a line before it that names the columns.';
  }
  const shown = headings.slice(0, headingsShown).map((_, place) => shownHeading(headings, place));
  const rest = headings.length - shown.length;
  const has = `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
  const found = likelyOptions(fields, headings);
  // Too many headings contain "id".
  const ids = fields.includes('id') ? mapOptions('id', headings.filter(looksLikeId)) : [];
  const suggested = found.length > 0 ? found : ids;
  const field = fields.find((one) => one !== 'id');
  if (suggested.length === 0 && field === undefined) return `; it has: ${has}`;
  if (suggested.length === 0) {
    return `; name ${fields.length === 1 ? 'it' : 'one'} with --map ${field}=HEADING. It has: ${has}`;
  }
  return `; did you mean ${suggested.slice(0, suggestionsMax).join('? Or ')}? It has: ${has}`;
}

export function likelyOptions(fields: readonly string[], headings: readonly string[]): string[] {
  return fields.flatMap((field) => mapOptions(field, likelyHeadings(field, headings)));
}

export function likelyHeadings(field: string, headings: readonly string[]): string[] {
  const word = plainHeading(field).replace(/s$/, '');
  const found = field === 'id' ? [] : headings.filter((heading) => plainHeading(heading).includes(word));
  // For example Vorname and Nachname.
  const joined = field === 'name' && found.length === 2 ? [`{${found.join('} {')}}`] : [];
  return [...joined, ...found];
}

export function looksLikeId(heading: string): boolean {
  return /(?:^|[^a-z])(?:id|uuid|key|code|number|no|nr)$/i.test(heading) || /[a-z]I[dD]$/.test(heading);
}

export function mapOptions(field: string, headings: readonly string[]): string[] {
  return headings
    .filter((heading) => heading !== '' && !isAboutSomebody(heading) && !/\p{Cc}/u.test(heading))
    .map((heading) => `--map ${shellWord(`${field}=${heading}`)}`);
}
