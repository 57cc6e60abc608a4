/** Digests of values that a contact may share with others; 0 for a value that it lacks. Company and domain include the name. */
export const keyFields = ['email', 'phone', 'company', 'domain'] as const;
export type KeyField = (typeof keyFields)[number];
export type DuplicateKeys = { id: string } & Readonly<Record<KeyField | 'name', number>>;

export const bands = ['certain', 'likely'] as const;

/** Two contacts who may be one person, the smaller id first. The band is its place in `bands`; reasons have a bit each. */
export interface DuplicatePair {
  one_id: string;
  other_id: string;
  band: number;
  reasons: number;
}

export type PairPlace = Omit<DuplicatePair, 'reasons'>;

export interface DuplicateProgress {
  /** The sequence of the last event that suggestions know, once all contacts are compared. */
  counted: number;
  /** The last contact that was compared; null when all are. */
  chatbot_id: string | null;
  contact_id: string | null;
}

type Owner = [projectId: string, chatbotId: string];

export interface DuplicateReads {
  progress(projectId: string): Promise<DuplicateProgress | undefined>;
  /** The first contacts of a project after a place, by chatbot and id. */
  contactsAfter(
    projectId: string,
    place: DuplicateProgress,
    limit: number,
  ): Promise<Record<'chatbot_id' | 'id', string>[]>;
  /** Some contacts that shared a value with one that is gone: their pairs may be others now. Saving their keys ends that. */
  staleAmong(projectId: string, limit: number): Promise<Record<'chatbot_id' | 'id', string>[]>;
  /** The first pairs of a chatbot after a band and ids, in this order. */
  pairsAfter(...owner: [...Owner, after: PairPlace, limit: number]): Promise<DuplicatePair[]>;
  pairsOf(...owner: [...Owner, side: 'one_id' | 'other_id', ids: readonly string[]]): Promise<DuplicatePair[]>;
}

export interface DuplicateWrites {
  /** The contacts with one of these ids or digests; where more than `most` share one, at least so many of them. */
  keys(
    ...owner: [...Owner, field: KeyField | 'contact_id', values: readonly (string | number)[], most: number]
  ): Promise<DuplicateKeys[]>;
  saveKeys(...owner: [...Owner, keys: readonly DuplicateKeys[]]): Promise<void>;
  /** Stores all pairs of these contacts in place of the former ones, without those that were dismissed. */
  savePairs(...owner: [...Owner, ids: readonly string[], pairs: readonly DuplicatePair[]]): Promise<void>;
  saveProgress(projectId: string, progress: DuplicateProgress): Promise<void>;
  /** Forgets the pairs among these contacts, and keeps them from being stored again. */
  dismiss(...owner: [...Owner, ids: readonly string[]]): Promise<void>;
}
