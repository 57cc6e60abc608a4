import type { ContactReads } from '../contacts/store.ts';
import { attributesIn, type ContactRow, toContact, wholeColumns } from './contact-rows.ts';
import type { Access, Connection } from './database.ts';
import { type Sql, sql } from './sql.ts';

const pageSize = 1_000;

export function contactExports(access: Access): Pick<ContactReads, 'listAll' | 'attributeNames'> {
  return {
    listAll: async function* (projectId, chatbotId) {
      const pages = pagesById(access, projectId, chatbotId, wholeColumns, sql``);
      for await (const rows of pages) yield rows.map(toContact);
    },
    attributeNames: async (projectId, chatbotId, max) => {
      const [columns, condition] = [sql`id, attributes`, sql`and attributes is not null`];
      const names = new Set<string>();
      for await (const rows of pagesById(access, projectId, chatbotId, columns, condition)) {
        for (const row of rows) for (const name of Object.keys(attributesIn(row))) names.add(name);
        if (names.size > max) break;
      }
      return [...names].toSorted();
    },
  };
}

async function* pagesById(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  columns: Sql,
  condition: Sql,
): AsyncGenerator<ContactRow[]> {
  for (let lastId = ''; ;) {
    const page = await connection.all<ContactRow>(
      sql`select ${columns} from contacts
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and id > ${lastId} ${condition}
        order by id limit ${pageSize}`,
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    lastId = last.id;
  }
}
