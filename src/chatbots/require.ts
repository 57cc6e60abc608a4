import type { Actor } from '../actor.ts';
import { AppError, requireFound } from '../errors.ts';
import { shownById } from '../repeat.ts';
import type { UnitOfWork } from '../store.ts';
import { type Chatbot, chatbotView } from './chatbot.ts';
import type { ChatbotReads } from './store.ts';

export const shownAgain = shownById(
  ({ chatbots }) => chatbots,
  (chatbot) => chatbotView(chatbot),
);

/** Throws `not_found`, for a chatbot of another project too. */
export async function requireChatbot(chatbots: ChatbotReads, projectId: string, chatbotId: string) {
  return requireFound(await chatbots.find(projectId, chatbotId), 'chatbot');
}

export async function lockChatbot({ chatbots }: UnitOfWork, { projectId }: Actor, chatbotId: string) {
  return requireFound(await chatbots.findForUpdate(projectId, chatbotId), 'chatbot');
}

/** The one chatbot of this id; `projectId` says which if projects share it. Throws `not_found` or `ambiguous_match`. */
export async function locateChatbot(chatbots: ChatbotReads, chatbotId: string, projectId?: string): Promise<Chatbot> {
  const located = await chatbots.locate(chatbotId);
  const candidates = located.filter((one) => projectId === undefined || one.project_id === projectId);
  const [chatbot, other] = candidates;
  if (!chatbot) {
    const place = located.length > 0 ? 'This project has' : 'There is';
    throw new AppError('not_found', `${place} no chatbot with this id`, { about: 'chatbot' });
  }
  if (!other) return chatbot;
  throw new AppError('ambiguous_match', `${candidates.length} projects have a chatbot with this id`, {
    about: 'chatbot',
    existing: candidates.map(({ project_id }) => project_id),
  });
}
