import { patiently } from '../../patience.ts';
import { cellsOf, columnsWith, csvLine } from './csv.ts';
import type { WholePerson } from './person.ts';
import { askFor, type Page, type View } from './view.ts';

export type Format = 'csv' | 'ndjson';

export interface Wanted {
  view: View;
  /** Only these of the list; missing means all of it. */
  only?: ReadonlySet<string> | undefined;
  format: Format;
}

export interface Progress {
  written: number;
  /** For how many seconds the server asks to wait. */
  waiting?: number | undefined;
}

/** Everything but the time of change, as the command line has it. */
const include = ['details', 'external_id', 'attributes', 'tags'] as const;
const peoplePerPart = 5_000;

/**
 * Walks through the list and makes the file of it that `roster contacts export` would write, in the order of the list. Parts are
 * Blobs, which the browser may keep on the disk. Throws the reason of the signal.
 */
export async function exportPeople(
  { view, only, format }: Wanted,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  const names = new Set<string>();
  let lines: string[] = [];
  let written = 0;
  const close = () => {
    parts.push(new Blob([lines.join('')]));
    lines = [];
  };
  for await (const people of pagesOf(view, only, signal, (waiting) => report({ written, waiting }))) {
    for (const person of people) {
      for (const name of Object.keys(person.attributes)) names.add(name);
      lines.push(`${JSON.stringify(person)}\n`);
    }
    written += people.length;
    report({ written });
    if (lines.length >= peoplePerPart) close();
  }
  close();
  return format === 'ndjson' ? new Blob(parts, { type: 'application/x-ndjson' }) : inCsv(parts, names, signal);
}

async function* pagesOf(
  view: View,
  only: ReadonlySet<string> | undefined,
  signal: AbortSignal,
  onWait: (seconds: number | undefined) => void,
): AsyncGenerator<WholePerson[]> {
  let left = only?.size ?? Infinity;
  for (let cursor: string | undefined = '*'; cursor !== undefined && left > 0;) {
    const from: string = cursor;
    const page: Page<WholePerson> = await patiently(() => askFor(view, from, include, signal), { signal, onWait });
    const people = only ? page.contacts.filter(({ id }) => only.has(id)) : page.contacts;
    left -= people.length;
    yield people;
    cursor = page.next_cursor ?? undefined;
  }
}

/** Which attributes there are is known only after the last person. */
async function inCsv(parts: readonly Blob[], names: ReadonlySet<string>, signal: AbortSignal): Promise<Blob> {
  const columns = columnsWith(names);
  const written: Blob[] = [new Blob([csvLine(columns)])];
  for (const part of parts) {
    signal.throwIfAborted();
    const lines = (await part.text()).split('\n').filter((line) => line !== '');
    const cells = lines.map((line) => csvLine(cellsOf(JSON.parse(line) as WholePerson, columns)));
    written.push(new Blob([cells.join('')]));
  }
  return new Blob(written, { type: 'text/csv' });
}

/** Hands a file to the browser, as if somebody had clicked a link to it. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
