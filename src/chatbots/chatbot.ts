import { AppError } from '../errors.ts';
import { type ProjectStore, requireId, requireName, requireProject } from '../projects/project.ts';
import { newChatbotId } from '../values/identifier.ts';
import { formatTimestamp, type Timestamp } from '../values/timestamp.ts';

/** A chatbot of a project; it owns contacts. Its id is unique in the project, not beyond it. */
export interface Chatbot {
  id: string;
  name: string;
  project_id: string;
  created_at: Timestamp;
}

export interface ChatbotStore {
  /** False when the project has a chatbot of this id; the store is then unchanged. */
  insertChatbot(chatbot: Chatbot): Promise<boolean>;
  /** The chatbots of one project, oldest first. */
  listChatbots(projectId: string): Promise<Chatbot[]>;
  /** The chatbots of this id in all projects: for the operator at the command line only. */
  locateChatbots(chatbotId: string): Promise<Chatbot[]>;
}

/** Creates a chatbot in an existing project; throws `not_found`, `conflict` or `invalid`. */
export async function createChatbot(
  store: ChatbotStore & ProjectStore,
  projectId: string,
  input: { name: string; id?: string | undefined },
  now = new Date(),
): Promise<Chatbot> {
  const chatbot = {
    id: requireId(input.id ?? newChatbotId(), 'chatbot'),
    name: requireName(input.name),
    project_id: (await requireProject(store, projectId)).id,
    created_at: formatTimestamp(now),
  };
  if (!(await store.insertChatbot(chatbot))) {
    throw new AppError(
      'conflict',
      'The project has a chatbot with this id already; choose another --id, or see "roster chatbots list --project ID".',
    );
  }
  return chatbot;
}

/**
 * The one chatbot that the operator means. Projects may have taken over equal ids from elsewhere:
 * then `projectId` must say which; throws `not_found` or `conflict`.
 */
export async function requireChatbot(
  store: ChatbotStore,
  chatbotId: string,
  projectId?: string,
): Promise<Chatbot> {
  const located = await store.locateChatbots(chatbotId);
  const candidates = located.filter((bot) => projectId === undefined || bot.project_id === projectId);
  const [chatbot, other] = candidates;
  if (!chatbot && located.length > 0) {
    throw new AppError(
      'not_found',
      'This project has no chatbot with this id; see "roster chatbots list --project ID".',
    );
  }
  if (!chatbot) {
    throw new AppError(
      'not_found',
      'There is no chatbot with this id; see "roster chatbots list --project ID".',
    );
  }
  if (other) {
    throw new AppError(
      'conflict',
      `${candidates.length} projects have a chatbot with this id; say which with --project ID.`,
    );
  }
  return chatbot;
}
