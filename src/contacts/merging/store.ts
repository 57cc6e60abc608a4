import type { Timestamp } from '../../values/timestamp.ts';
import type { StoredContact } from '../contact.ts';
import type { OwnedContact } from '../store.ts';

/** A contact that was put into another one. Once nobody can undo that, only its id and keys are left. */
export interface MergedContact extends OwnedContact {
  email_key: string | null;
  /** Its external id, while that leads to the one that stays. */
  alias: string | null;
  merge_id: string;
  /** Whom it was put into, which may have been put into another since. */
  first_into: string;
  /** The one that stays. */
  merged_into: string;
  merged_at: Timestamp;
}

/** A merge. Its texts are JSON, and hold no value but `former`. */
export interface StoredMerge {
  id: string;
  /** The one that stays. */
  contact_id: string;
  merged_at: Timestamp;
  request: string;
  result: string;
  /** The values that the merge replaced; null once nobody can undo it. */
  former: string | null;
}

export interface MergeReads {
  /**
   * Those of these contacts that were put into another one; by `target`, those that were put into these. Without a chatbot, of
   * all.
   */
  mergedAmong(
    projectId: string,
    chatbotId: string | undefined,
    contactIds: readonly string[],
    by?: 'id' | 'target',
  ): Promise<MergedContact[]>;
  findMerge(projectId: string, chatbotId: string, mergeId: string): Promise<StoredMerge | undefined>;
}

export interface MergeWrites {
  /** The merged contacts that had one of these keys, and all others that lead where they do or to `targets`. */
  findAliases(
    projectId: string,
    chatbotId: string,
    keys: readonly string[],
    targets: readonly string[],
  ): Promise<MergedContact[]>;
  /** These external ids lead to nobody any more. */
  endAliases(projectId: string, chatbotId: string, externalIds: readonly string[]): Promise<void>;
  /** Puts sources aside, and what leads to them leads to the one that stays, which is saved afterwards. */
  merge(projectId: string, chatbotId: string, merge: StoredMerge, sources: readonly StoredContact[]): Promise<void>;
  /** Takes sources back, with what led to them. Their ids and external ids must be free. */
  unmerge(projectId: string, chatbotId: string, merge: StoredMerge, sources: readonly StoredContact[]): Promise<void>;
  /** Keeps only ids and keys of what was merged before this time, `limit` merges at most. Returns how many. */
  forgetMerged(projectId: string, chatbotId: string, before: Timestamp, limit: number): Promise<number>;
}
