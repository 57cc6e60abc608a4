import type { Chatbot } from '../chatbots/chatbot.ts';
import type { ChatbotReads, ChatbotWrites } from '../chatbots/store.ts';
import type { Access, Transaction } from './database.ts';
import { sql } from './sql.ts';

export function chatbotReads(access: Access): ChatbotReads {
  return {
    find: (projectId, chatbotId) =>
      access.of(projectId).first<Chatbot>(
        sql`select id, name, project_id, created_at from chatbots
          where project_id = ${projectId} and id = ${chatbotId}`,
      ),
    list: (projectId) =>
      access.of(projectId).all<Chatbot>(
        sql`select id, name, project_id, created_at from chatbots
          where project_id = ${projectId} order by created_at, id`,
      ),
    locate: (chatbotId) =>
      access.all<Chatbot>(
        sql`select id, name, project_id, created_at from chatbots where id = ${chatbotId} order by project_id`,
      ),
  };
}

export function chatbotWrites(connection: Transaction): ChatbotWrites {
  return {
    insert: async ({ id, name, project_id, created_at }) =>
      (await connection.run(
        sql`insert into chatbots (project_id, id, name, created_at)
          values (${project_id}, ${id}, ${name}, ${created_at}) on conflict do nothing`,
      )) === 1,
  };
}
