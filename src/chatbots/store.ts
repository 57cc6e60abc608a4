import type { Position } from '../values/cursor.ts';
import type { Chatbot, CountedChatbot } from './chatbot.ts';

export interface ChatbotReads {
  find(projectId: string, chatbotId: string): Promise<CountedChatbot | undefined>;
  /** Those of the ids that are chatbots of the project, in any order. */
  existing(projectId: string, chatbotIds: readonly string[]): Promise<string[]>;
  /** Oldest first. */
  list(projectId: string): Promise<CountedChatbot[]>;
  /** `limit` chatbots after the first `offset`, newest first, and how many there are. */
  page(
    projectId: string,
    range: { limit: number; offset: number },
  ): Promise<{ total: number; chatbots: CountedChatbot[] }>;
  /** The first chatbots after a position, newest first; missing is the beginning. */
  after(projectId: string, position: Position | undefined, limit: number): Promise<CountedChatbot[]>;
  count(projectId: string): Promise<number>;
  /** The chatbots of this id in all projects: for the operator. */
  locate(chatbotId: string): Promise<Chatbot[]>;
}

export interface ChatbotWrites {
  /** Private unless it says otherwise. False when the project has a chatbot of this id; nothing is then stored. */
  insert(chatbot: Omit<Chatbot, 'visibility' | 'revision'> & Partial<Chatbot>): Promise<boolean>;
  findForUpdate(projectId: string, chatbotId: string): Promise<Chatbot | undefined>;
  /** Deletes a chatbot without contacts, also in the bin: the database refuses any other. */
  delete(projectId: string, chatbotId: string): Promise<void>;
  /** Stores name, visibility and revision. */
  update(chatbot: Chatbot): Promise<void>;
}
