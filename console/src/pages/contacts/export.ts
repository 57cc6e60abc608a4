import type { StoredContact } from '../../../../src/contacts/contact.ts';
import type { Person } from './person.ts';
import type { Whom } from './selection.ts';
import { peopleOf } from './walk.ts';

export type Format = 'csv' | 'ndjson';

export interface Wanted {
  whom: Whom;
  format: Format;
  /** Whether a first column says of which chatbot somebody is. */
  hasChatbots: boolean;
}

export interface Progress {
  written: number;
  /** For how many seconds the server asks to wait. */
  waiting?: number | undefined;
}

/**
 * Walks through the list and makes the file of it that `roster contacts export` would write, in the order of the list. Parts are
 * Blobs, which the browser may keep on the disk. Throws the reason of the signal.
 */
export async function exportList(
  { whom, format, hasChatbots }: Wanted,
  signal: AbortSignal,
  report: (progress: Progress) => void,
) {
  const people: Blob[] = [];
  // The columns are known only after the last person.
  const names = new Set<string>();
  const counts = new Map<string, number>();
  let written = 0;
  const onWait = (waiting: number | undefined) => report({ written, waiting });
  for await (const page of peopleOf(whom, { signal, onWait })) {
    for (const { attributes = {}, chatbot_id: chatbotId } of page) {
      for (const name of Object.keys(attributes)) names.add(name);
      counts.set(chatbotId, (counts.get(chatbotId) ?? 0) + 1);
    }
    people.push(new Blob([JSON.stringify(page)]));
    written += page.length;
    report({ written });
  }
  const { exportContacts } = await import('../../../../src/contacts/export.ts');
  const { exportPeople } = await import('../../../../src/files/writing.ts');
  const reads = { listAll: () => readAgain(people, signal), attributeNames: async () => [...names].toSorted() };
  const { pages, fields } = await exportContacts(reads, { projectId: '', chatbotId: '' }, format === 'csv');
  const columns = hasChatbots ? ['chatbot_id', ...fields] : fields;
  // Cells are those of all that is known; the lines of the house's own export leave the chatbot out.
  const rows = hasChatbots && format === 'ndjson' ? readAgain(people, signal) : pages;
  const parts: Blob[] = [];
  for await (const text of exportPeople(rows, columns, format)) parts.push(new Blob([text]));
  return { file: new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' }), counts };
}

async function* readAgain(parts: readonly Blob[], signal: AbortSignal): AsyncGenerator<(StoredContact & Person)[]> {
  for (const part of parts) {
    signal.throwIfAborted();
    yield JSON.parse(await part.text()) as (StoredContact & Person)[];
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
