import type { StoredContact } from '../contacts/contact.ts';
import type { ImportMemory } from '../imports.ts';
import type { Store } from '../store.ts';
import type { Raw } from './reading.ts';
import type { Source } from './source.ts';

/** Remembers the contacts of one chatbot that a run has met, and those that a dry run would have stored; on disk. */
export type Memory = ImportMemory<StoredContact>;

export interface ImportContext {
  source: Source;
  store: Store;
  projectId: string;
  isDryRun: boolean;
  /** Reads everything again, and removes what the source no longer has. */
  isReconciling: boolean;
  report: ImportReport;
  openMemory: () => Memory;
  /** `where` is the id of the chatbot of a contact. Values of `raw` may be personal. */
  onRejected: (raw: Raw, reason: string, where: { chatbot_id?: string }) => void;
  /** A sentence for the operator, without personal data. */
  onNote: (sentence: string) => void;
  onProgress: (chatbotId: string, read: number, left: number) => void;
}

/** For each noun `created`, `updated`, `unchanged` and `rejected` add up to `read`, without duplicates. */
export type ImportReport = ReturnType<typeof emptyReport>;

export function emptyReport(projectId: string, isDryRun: boolean) {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };
  return {
    project: projectId,
    dry_run: isDryRun,
    chatbots: { ...counts, not_at_source: 0 },
    contacts: { ...counts, deleted: 0, values_left_out: 0, times_mended: 0, times_unknown: 0 },
    members: { ...counts, removed: 0 },
    look_known: [] as string[],
    requests: 0,
    waited_seconds: 0,
    rejects_file: null as string | null,
  };
}
