export interface ImportWalk {
  /** Which list it walks through: a place in one says nothing about another. */
  source: string;
  /** `tail` once everybody who was there at the beginning is stored: only newcomers are left. */
  phase: 'whole' | 'tail';
  place: string;
}

export interface ImportWalkReads {
  find(projectId: string, chatbotId: string): Promise<ImportWalk | undefined>;
}

export interface ImportWalkWrites {
  save(projectId: string, chatbotId: string, walk: ImportWalk): Promise<void>;
}
