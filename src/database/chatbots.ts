import type { Chatbot, CountedChatbot } from '../chatbots/chatbot.ts';
import type { ChatbotReads, ChatbotWrites } from '../chatbots/store.ts';
import type { LimitedProject } from '../projects/project.ts';
import { nextRevision } from '../revision.ts';
import type { Access, Transaction } from './database.ts';
import { inList, insertInto, raw, type Sql, sql } from './sql.ts';

const columns = raw(
  'id, name, project_id, visibility, created_at, revision, cast(contacts_added - contacts_removed as integer) as contact_count',
);

export function chatbotReads(access: Access): ChatbotReads {
  const count = async (projectId: string) => {
    const query = sql`select cast(count(*) as integer) as total from chatbots where project_id = ${projectId}`;
    return (await access.first<{ total: number }>(query))?.total ?? 0;
  };
  return {
    find: (projectId, chatbotId) => access.first<CountedChatbot>(byId(projectId, chatbotId)),
    existing: async (projectId, chatbotIds) => {
      const rows = await access.all<{ id: string }>(
        sql`select id from chatbots where project_id = ${projectId} and id in ${inList(chatbotIds)}`,
      );
      return rows.map(({ id }) => id);
    },
    list: (projectId) =>
      access.all<CountedChatbot>(
        sql`select ${columns} from chatbots where project_id = ${projectId} order by created_at, id`,
      ),
    page: async (projectId, { limit, offset }) => {
      const chatbots = await access.all<CountedChatbot>(
        sql`select ${columns} from chatbots where project_id = ${projectId}
          order by created_at desc, id desc limit ${limit} offset ${offset}`,
      );
      return { chatbots, total: await count(projectId) };
    },
    after: (projectId, position, limit) => {
      const beyond = position ? sql`and (created_at, id) < (${position[0]}, ${position[1]})` : sql``;
      return access.all<CountedChatbot>(
        sql`select ${columns} from chatbots where project_id = ${projectId} ${beyond}
          order by created_at desc, id desc limit ${limit}`,
      );
    },
    count,
    locate: (chatbotId) =>
      access.all<Chatbot>(sql`select ${columns} from chatbots where id = ${chatbotId} order by project_id`),
  };
}

function byId(projectId: string, chatbotId: string): Sql {
  return sql`select ${columns} from chatbots where project_id = ${projectId} and id = ${chatbotId}`;
}

export interface KnownChatbots {
  reads: Pick<ChatbotReads, 'find'>;
  /** Keeps others from writing the chatbot or its contacts until the transaction ends. */
  lock: (projectId: string, chatbotId: string) => Promise<void>;
  forget: () => void;
  /** How many contacts the project may have; undefined without the chatbot. */
  contactsMax: (projectId: string, chatbotId: string) => Promise<number | undefined>;
  /** Contacts that works which are done have added to each project. The chatbots count them at the end. */
  added: Map<string, number>;
}

type LimitedChatbot = CountedChatbot & Pick<LimitedProject, 'contacts_max'>;

/** Looks for a chatbot once, so that many works of a transaction do not ask for the same one. */
export function knownChatbots(connection: Transaction): KnownChatbots {
  const known = new Map<string, LimitedChatbot>();
  const ask = async (projectId: string, chatbotId: string, ending: Sql): Promise<LimitedChatbot | undefined> => {
    const chatbot = await connection.first<LimitedChatbot>(
      sql`select ${columns}, (select contacts_max from projects where id = ${projectId}) as contacts_max
        from chatbots where project_id = ${projectId} and id = ${chatbotId} ${ending}`,
    );
    if (chatbot) known.set(`${projectId}/${chatbotId}`, chatbot);
    return chatbot;
  };
  const find = async (...ids: [projectId: string, chatbotId: string]) => known.get(ids.join('/')) ?? ask(...ids, sql``);
  return {
    reads: { find },
    lock: async (...ids) => void (await ask(...ids, connection.forChange)),
    forget: () => known.clear(),
    contactsMax: async (...ids) => (await find(...ids))?.contacts_max,
    added: new Map(),
  };
}

export function chatbotWrites(connection: Transaction, forget = () => {}): ChatbotWrites {
  return {
    insert: async ({ id, name, project_id, visibility = 'private', created_at, revision = nextRevision() }) => {
      forget();
      const row = insertInto('chatbots', { project_id, id, name, visibility, created_at, revision });
      return (await connection.run(sql`${row} on conflict do nothing`)) === 1;
    },
    findForUpdate: (projectId, chatbotId) =>
      connection.first<Chatbot>(sql`${byId(projectId, chatbotId)} ${connection.forUpdate}`),
    delete: async (projectId, chatbotId) => {
      forget();
      await connection.run(sql`delete from chatbots where project_id = ${projectId} and id = ${chatbotId}`);
    },
    update: async ({ project_id, id, name, visibility, revision }) => {
      forget();
      await connection.run(
        sql`update chatbots set name = ${name}, visibility = ${visibility}, revision = ${revision}
          where project_id = ${project_id} and id = ${id}`,
      );
    },
  };
}
