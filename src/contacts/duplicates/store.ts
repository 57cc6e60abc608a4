/** What a contact has in common with others, as digests; 0 where it has none. Company and domain include the name. */
export const keyFields = ['email', 'phone', 'company', 'domain'] as const;
export type KeyField = (typeof keyFields)[number];
export type DuplicateKeys = { id: string } & Readonly<Record<KeyField | 'name', number>>;

export const bands = ['certain', 'likely'] as const;
export type Band = (typeof bands)[number];

/** Two contacts who may be one person; `one_id` is the smaller. The band is its place in `bands`. */
export interface DuplicatePair {
  one_id: string;
  other_id: string;
  band: number;
  /** A bit for each reason; see `reasonsIn`. */
  reasons: number;
}

/** How far the events of a project are counted in. */
export interface DuplicateProgress {
  /** The sequence of the last event that counts. */
  counted: number;
  /** While all contacts are looked through: what `counted` will be. */
  until: number | null;
  /** The last contact that was looked at meanwhile. */
  chatbot_id: string;
  contact_id: string;
}

export interface DuplicateReads {
  progress(projectId: string): Promise<DuplicateProgress | undefined>;
  /** Contacts of a project after a place, by chatbot and id. */
  contactsAfter(
    projectId: string,
    after: Pick<DuplicateProgress, 'chatbot_id' | 'contact_id'>,
    limit: number,
  ): Promise<{ chatbot_id: string; id: string }[]>;
  /** Pairs after this one, by band and ids. */
  pairsAfter(
    projectId: string,
    chatbotId: string,
    after: Pick<DuplicatePair, 'band' | 'one_id' | 'other_id'>,
    limit: number,
  ): Promise<DuplicatePair[]>;
  /** The pairs whose smaller or whose greater id is one of these. */
  pairsOf(
    projectId: string,
    chatbotId: string,
    side: 'one_id' | 'other_id',
    ids: readonly string[],
  ): Promise<DuplicatePair[]>;
}

export interface DuplicateWrites {
  keysOf(projectId: string, chatbotId: string, ids: readonly string[]): Promise<DuplicateKeys[]>;
  /** Contacts that have one of these digests; of those that share one, at least the first `most`. */
  sharing(
    projectId: string,
    chatbotId: string,
    field: KeyField,
    values: readonly number[],
    most: number,
  ): Promise<DuplicateKeys[]>;
  saveKeys(projectId: string, chatbotId: string, keys: readonly DuplicateKeys[]): Promise<void>;
  /** Stores all pairs that these contacts have, but those that were dismissed, in place of the former ones. */
  savePairs(
    projectId: string,
    chatbotId: string,
    ids: readonly string[],
    pairs: readonly DuplicatePair[],
  ): Promise<void>;
  saveProgress(projectId: string, progress: DuplicateProgress): Promise<void>;
  /** Forgets the pairs among these contacts, and keeps them from being stored again. */
  dismiss(projectId: string, chatbotId: string, ids: readonly string[]): Promise<void>;
}
