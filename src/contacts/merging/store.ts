import type { Abortable } from '../../values/abortable.ts';
import type { Timestamp } from '../../values/timestamp.ts';
import type { OwnedContact, StoredContact } from '../contact.ts';

/** A contact that was merged into another one. Once the merge can no longer be undone, only its id and keys are left. */
export interface MergedContact extends OwnedContact {
  email_key: string | null;
  /** Its external id, while that leads to the one that stays. */
  alias: string | null;
  merge_id: string;
  /** The contact into which it was merged first; that one may have been merged since. */
  first_into: string;
  merged_into: string;
  merged_at: Timestamp;
}

export type Alias = { id: string } & Pick<MergedContact, 'email_key' | 'alias' | 'import_digest' | 'merged_into'>;

/** A merge. Its texts are JSON, and hold no value but `former`. */
export interface StoredMerge {
  id: string;
  /** The one that stays. */
  contact_id: string;
  merged_at: Timestamp;
  request: string;
  result: string;
  /** The values that the merge replaced; null once it can no longer be undone. */
  former: string | null;
}

export function sourcesIn(request: string): string[] {
  const [from] = JSON.parse(request) as [string[]];
  return from;
}

export interface ReplacedValues extends Pick<StoredMerge, 'contact_id' | 'merged_at'> {
  chatbot_id: string;
  former: string;
}

export interface MergeReads {
  mergedAmong(projectId: string, chatbotId: string, contactIds: readonly string[]): Promise<MergedContact[]>;
  mergedInto(
    projectId: string,
    chatbotId: string,
    contactIds: readonly string[],
    caller?: Abortable,
  ): Promise<MergedContact[]>;
  findMerge(projectId: string, chatbotId: string, mergeId: string): Promise<StoredMerge | undefined>;
}

export interface MergeWrites {
  /** The aliases with one of these keys, and those of the contacts `among` into which others were merged. */
  findAliases(
    projectId: string,
    chatbotId: string,
    keys: readonly string[],
    among: readonly string[],
  ): Promise<{ aliases: readonly Alias[]; staying: readonly string[] }>;
  endAliases(projectId: string, chatbotId: string, externalIds: readonly string[]): Promise<void>;
  /** Moves sources aside, and lets all aliases of theirs lead to the contact that stays. The caller saves that one. */
  merge(projectId: string, chatbotId: string, merge: StoredMerge, sources: readonly StoredContact[]): Promise<void>;
  /** Brings sources back, with the aliases that led to them. Their ids and external ids must be free. */
  unmerge(projectId: string, chatbotId: string, merge: StoredMerge, sources: readonly StoredContact[]): Promise<void>;
  /** Leaves only ids and keys of what was merged before this time, for `limit` merges at most. Returns how many. */
  forgetMerged(projectId: string, chatbotId: string, before: Timestamp, limit: number): Promise<number>;
}
