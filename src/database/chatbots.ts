import type { Chatbot, ChatbotStore } from '../chatbots/chatbot.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

export function chatbotStore(database: Database): ChatbotStore {
  return {
    insertChatbot: async ({ id, name, project_id, created_at }) =>
      (await database.of(project_id).run(
        sql`insert into chatbots (project_id, id, name, created_at)
          values (${project_id}, ${id}, ${name}, ${created_at}) on conflict do nothing`,
      )) === 1,
    listChatbots: (projectId) =>
      database.of(projectId).all<Chatbot>(
        sql`select id, name, project_id, created_at from chatbots
          where project_id = ${projectId} order by created_at, id`,
      ),
    locateChatbots: (chatbotId) =>
      database.all<Chatbot>(
        sql`select id, name, project_id, created_at from chatbots where id = ${chatbotId} order by project_id`,
      ),
  };
}
