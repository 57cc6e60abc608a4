import type { ImportWalk, ImportWalkReads, ImportWalkWrites } from '../contacts/import-walk.ts';
import type { Access, Transaction } from './database.ts';
import { insertInto, orUpdate, sql } from './sql.ts';

export function importWalkReads(access: Access): ImportWalkReads {
  return {
    find: (projectId, chatbotId) =>
      access.first<ImportWalk>(
        sql`select source, phase, place from import_walks where project_id = ${projectId} and chatbot_id = ${chatbotId}`,
      ),
  };
}

export function importWalkWrites(connection: Transaction): ImportWalkWrites {
  return {
    save: async (projectId, chatbotId, { source, phase, place }) => {
      await connection.run(
        sql`${insertInto('import_walks', { project_id: projectId, chatbot_id: chatbotId, source, phase, place })}
          ${orUpdate('project_id, chatbot_id', ['source', 'phase', 'place'])}`,
      );
    },
  };
}
