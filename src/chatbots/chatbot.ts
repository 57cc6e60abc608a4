import { AppError } from '../errors.ts';
import { storablePattern } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';
import type { Timestamp } from '../values/timestamp.ts';
import type { ChatbotReads } from './store.ts';

/** A chatbot of a project; it owns contacts. Its id is unique in the project, not beyond it. */
export interface Chatbot {
  id: string;
  name: string;
  project_id: string;
  created_at: Timestamp;
}

/** The chatbot that the document names, and that a demonstration has. */
export const exampleChatbotId = '8839210412';

export const chatbotIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: idLengthMax,
  pattern: storablePattern,
  description: 'Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere.',
  examples: [exampleChatbotId],
} as const;

/**
 * The one chatbot that the operator means. Projects may have taken over equal ids from elsewhere: then `projectId`
 * says which. Throws `not_found` or `conflict`.
 */
export async function locateChatbot(chatbots: ChatbotReads, chatbotId: string, projectId?: string): Promise<Chatbot> {
  const located = await chatbots.locate(chatbotId);
  const candidates = located.filter((one) => projectId === undefined || one.project_id === projectId);
  const [chatbot, other] = candidates;
  if (!chatbot) {
    const place = located.length > 0 ? 'This project has' : 'There is';
    throw new AppError('not_found', `${place} no chatbot with this id`, { about: 'chatbot' });
  }
  if (!other) return chatbot;
  throw new AppError('conflict', `${candidates.length} projects have a chatbot with this id`, {
    about: 'project',
  });
}
