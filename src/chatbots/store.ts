import type { Chatbot } from './chatbot.ts';

export interface ChatbotReads {
  find(projectId: string, chatbotId: string): Promise<Chatbot | undefined>;
  list(projectId: string): Promise<Chatbot[]>;
  /** The chatbots of this id in all projects: for the operator. */
  locate(chatbotId: string): Promise<Chatbot[]>;
}

export interface ChatbotWrites {
  /** False when the project has a chatbot of this id; nothing is then stored. */
  insert(chatbot: Chatbot): Promise<boolean>;
}
