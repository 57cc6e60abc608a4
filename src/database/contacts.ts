import {
  type Contact,
  type ContactDraft,
  contactKey,
  type ContactStore,
  type StoredContact,
} from '../contacts.ts';
import { emailKey } from '../text-checks.ts';
import type { Connection, Database } from './database.ts';
import { inList, type Sql, sql } from './sql.ts';

const columns = sql`id, name, email, job_title, phone, website, company, created_at`;
const exportPageSize = 1_000;

export function contactStore(database: Database): ContactStore {
  return {
    findContact: (projectId, chatbotId, contactId) =>
      database.first<Contact>(
        sql`select ${columns} from contacts
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = ${contactId}`,
      ),
    listContacts: async function* (projectId, chatbotId) {
      // Every id sorts after the empty text.
      for (let lastId = ''; ;) {
        const page = await database.all<Contact>(
          sql`select ${columns} from contacts
            where project_id = ${projectId} and chatbot_id = ${chatbotId} and id > ${lastId}
            order by id limit ${exportPageSize}`,
        );
        if (page.length > 0) yield page;
        const last = page.at(-1);
        if (!last || page.length < exportPageSize) return;
        lastId = last.id;
      }
    },
    importContacts: (projectId, chatbotId, drafts, decide) =>
      database.transaction(async (connection) => {
        const found = await findDrafted(connection, projectId, chatbotId, drafts);
        for (const contact of decide((key) => found.get(key) ?? [])) {
          await connection.run(upsert(projectId, chatbotId, contact));
        }
      }),
  };
}

/** Everybody whom the drafts may mean, by key: several contacts may have one address. */
async function findDrafted(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  drafts: readonly ContactDraft[],
): Promise<Map<string, StoredContact[]>> {
  const found = new Map<string, StoredContact[]>();
  const keys = drafts.map(contactKey);
  for (const kind of ['id', 'email', 'digest'] as const) {
    const values = keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1));
    if (values.length === 0) continue;
    const contacts = await connection.all<StoredContact>(
      contactsByKey(connection, projectId, chatbotId, kind, values),
    );
    for (const contact of contacts) {
      const key = `${kind}:${keyValue[kind](contact)}`;
      const others = found.get(key);
      if (others) others.push(contact);
      else found.set(key, [contact]);
    }
  }
  return found;
}

type KeyKind = keyof typeof keyColumn;

/** The contacts with one of these keys, in no order, by the index of the key: an import must not slow down as it goes on. */
export function contactsByKey(
  connection: Pick<Connection, 'usingIndex'>,
  projectId: string,
  chatbotId: string,
  kind: KeyKind,
  values: string[],
): Sql {
  const index = {
    id: sql``,
    email: connection.usingIndex('contacts_by_email'),
    digest: connection.usingIndex('contacts_by_digest'),
  };
  return sql`select ${columns}, import_digest, inserted_as from contacts ${index[kind]}
    where project_id = ${projectId} and chatbot_id = ${chatbotId} and ${keyColumn[kind]} in ${inList(values)}`;
}

const keyColumn = { id: sql`id`, email: sql`email_key`, digest: sql`import_digest` };
const keyValue = {
  id: (contact: StoredContact) => contact.id,
  email: (contact: StoredContact) => emailKey(contact.email ?? ''),
  digest: (contact: StoredContact) => contact.import_digest,
};

function upsert(projectId: string, chatbotId: string, contact: StoredContact): Sql {
  const { id, name, email, job_title, phone, website, company, created_at, import_digest, inserted_as } =
    contact;
  return sql`insert into contacts
    (project_id, chatbot_id, id, name, email, job_title, phone, website, company, created_at, email_key,
      import_digest, inserted_as)
    values (${projectId}, ${chatbotId}, ${id}, ${name}, ${email}, ${job_title}, ${phone}, ${website},
      ${company}, ${created_at}, ${email === null ? null : emailKey(email)}, ${import_digest}, ${inserted_as})
    on conflict (project_id, chatbot_id, id) do update set
      name = excluded.name,
      email = excluded.email,
      job_title = excluded.job_title,
      phone = excluded.phone,
      website = excluded.website,
      company = excluded.company,
      created_at = excluded.created_at,
      email_key = excluded.email_key`;
}
