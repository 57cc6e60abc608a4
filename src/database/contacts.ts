import {
  type Contact,
  type ContactDraft,
  contactKey,
  type ContactStore,
  type StoredContact,
} from '../contacts/contact.ts';
import { emailKey } from '../values/text.ts';
import { type Connection, damagedRow, type Database } from './database.ts';
import { inList, type Sql, sql, type Value } from './sql.ts';

const columns = sql`id, name, email, job_title, phone, website, company, created_at`;
const exportPageSize = 1_000;

export function contactStore(database: Database): ContactStore {
  return {
    findContact: async (projectId, chatbotId, contactId) => {
      // Of one piece, so that its text need not be put together for each request. In a damaged file SQLite may come
      // upon a row that is not the one it looked for, so the row is held against the question once more.
      const contact = await database.of(projectId).first<Contact>(
        sql`select id, name, email, job_title, phone, website, company, created_at from contacts
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = ${contactId}
            and not (project_id <> ${projectId}) and not (chatbot_id <> ${chatbotId})`,
      );
      if (contact && !isWhole(contact, contactId)) throw damagedRow();
      return contact;
    },
    listContacts: async function* (projectId, chatbotId) {
      // Every id sorts after the empty text.
      for (let lastId = ''; ;) {
        const page = await database.of(projectId).all<Contact>(
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
      database.of(projectId).transaction(async (connection) => {
        // Two imports that meet the same new address would else both create its contact.
        await connection.alone(`contacts of ${projectId}/${chatbotId}`);
        const found = await findDrafted(connection, projectId, chatbotId, drafts);
        const known = new Set([...found.values()].flat().map(({ id }) => id));
        const added: Value[][] = [];
        const changed: Value[][] = [];
        for (const contact of decide((key) => found.get(key) ?? [])) {
          // Whom nobody looked for may be there.
          const isNew = drafts.length > 0 && !known.has(contact.id);
          (isNew ? added : changed).push(toRow(projectId, chatbotId, contact));
        }
        await Promise.all([
          connection.insertAll(insertion, added),
          connection.insertAll(replacement, changed),
        ]);
      }),
  };
}

const timestampLength = 25;

/** Whether it can be what was stored under this id: nothing is stored with U+0000, which is what lost sectors read as. */
function isWhole(
  { id, name, email, job_title, phone, website, company, created_at }: Contact,
  contactId: string,
): boolean {
  return (
    id === contactId &&
    created_at?.length === timestampLength &&
    isText(name) &&
    isText(email) &&
    isText(job_title) &&
    isText(phone) &&
    isText(website) &&
    isText(company)
  );
}

function isText(value: string | null): boolean {
  return value === null || (typeof value === 'string' && !value.includes('\0'));
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

const insertion = {
  into: 'contacts',
  columns: [
    'project_id',
    'chatbot_id',
    'id',
    'name',
    'email',
    'job_title',
    'phone',
    'website',
    'company',
    'created_at',
    'email_key',
    'import_digest',
    'inserted_as',
  ],
  foundBy: ['project_id', 'chatbot_id', 'id', 'email_key', 'import_digest'],
  ending: sql``,
};

/** For contacts that are known: finding that out again, row by row, costs a quarter of an insertion. */
const replacement = {
  ...insertion,
  ending: sql`on conflict (project_id, chatbot_id, id) do update set
    name = excluded.name,
    email = excluded.email,
    job_title = excluded.job_title,
    phone = excluded.phone,
    website = excluded.website,
    company = excluded.company,
    created_at = excluded.created_at,
    email_key = excluded.email_key`,
};

/** The values of `insertion`, in the order of its columns. */
function toRow(projectId: string, chatbotId: string, contact: StoredContact): Value[] {
  const { id, name, email, job_title, phone, website, company, created_at, import_digest, inserted_as } =
    contact;
  const key = email === null ? null : emailKey(email);
  return [
    projectId,
    chatbotId,
    id,
    name,
    email,
    job_title,
    phone,
    website,
    company,
    created_at,
    key,
    import_digest,
    inserted_as,
  ];
}
