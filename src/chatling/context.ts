import type { StoredContact } from '../contacts/contact.ts';
import type { Earlier, Imported } from '../imports.ts';
import type { Store } from '../store.ts';
import type { Raw } from './reading.ts';
import type { ImportReport } from './report.ts';
import type { Source } from './source.ts';

/** Remembers the contacts of one chatbot that a run has met, and those that a dry run would have stored; on disk. */
export interface Memory extends Earlier, Disposable {
  learn(imported: Pick<Imported<StoredContact>, 'met' | 'planned'>): void;
  plannedAt(keys: readonly string[]): StoredContact[];
}

/** The context of every part of an import. */
export interface ImportContext {
  source: Source;
  store: Store;
  projectId: string;
  isDryRun: boolean;
  /** Whether to read everything again, and remove what the source no longer has. */
  isReconciling: boolean;
  report: ImportReport;
  openMemory: () => Memory;
  /** `where` is the id of the chatbot of a contact. Values of `raw` may be personal. */
  onRejected: (raw: Raw, reason: string, where: { chatbot_id?: string }) => void;
  /** A sentence for the operator, without personal data. */
  onNote: (sentence: string) => void;
  /** The contacts of this chatbot read so far, and those left, if known. */
  onProgress: (chatbotId: string, read: number, left: number | undefined) => void;
}
