/** How far an import has come through the contacts of a chatbot at their source. */
export interface ImportWalk {
  /** Which list it walks through: a place in one says nothing about another. */
  source: string;
  /** `tail` once everybody who was there at the beginning is stored: only newcomers are left. */
  phase: 'whole' | 'tail';
  /** Where it goes on, in the words of the source. */
  place: string;
}

export interface ImportWalkReads {
  find(projectId: string, chatbotId: string): Promise<ImportWalk | undefined>;
}

export interface ImportWalkWrites {
  save(projectId: string, chatbotId: string, walk: ImportWalk): Promise<void>;
}
