import type { StoredContact } from '../../../../src/contacts/contact.ts';
import { patiently } from '../../patience.ts';
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

/**
 * Walks through the list and makes the file of it that `roster contacts export` would write, in the order of the list. Parts are
 * Blobs, which the browser may keep on the disk. Throws the reason of the signal.
 */
export async function exportList(
  { view, only, format }: Wanted,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<Blob> {
  const people: Blob[] = [];
  // The columns are known only after the last person.
  const names = new Set<string>();
  let written = 0;
  for await (const page of pagesOf(view, only, signal, (waiting) => report({ written, waiting }))) {
    for (const { attributes } of page) for (const name of Object.keys(attributes)) names.add(name);
    people.push(new Blob([JSON.stringify(page)]));
    written += page.length;
    report({ written });
  }
  const { exportContacts } = await import('../../../../src/contacts/export.ts');
  const { exportPeople } = await import('../../../../src/files/writing.ts');
  const reads = { listAll: () => readAgain(people, signal), attributeNames: async () => [...names].toSorted() };
  const { pages, fields } = await exportContacts(reads, { projectId: '', chatbotId: view.chatbotId }, format === 'csv');
  const parts: Blob[] = [];
  for await (const text of exportPeople(pages, fields, format)) parts.push(new Blob([text]));
  return new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' });
}

async function* readAgain(parts: readonly Blob[], signal: AbortSignal): AsyncGenerator<StoredContact[]> {
  for (const part of parts) {
    signal.throwIfAborted();
    yield JSON.parse(await part.text()) as StoredContact[];
  }
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

/** Hands a file to the browser, as if somebody had clicked a link to it. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
