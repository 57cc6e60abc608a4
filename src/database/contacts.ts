import { type Contact, contactDetailNames, contactFields } from '../contacts/contact.ts';
import { type ContactDraft, contactKeys, type StoredContact } from '../contacts/import.ts';
import type { ContactStore } from '../contacts/store.ts';
import { emailKey } from '../values/email.ts';
import { type Connection, damagedRow, type Database } from './database.ts';
import { inList, raw, type Sql, sql, type Value } from './sql.ts';

const columns = raw(contactFields.join(', '));
const exportPageSize = 1_000;

// Put together once, as every request uses it. A damaged SQLite file may return another row than the one that was
// looked up, so the row's keys are compared once more.
const { pieces: contactById } = sql`select ${columns} from contacts
  where project_id = ${''} and chatbot_id = ${''} and id = ${''}
    and not (project_id <> ${''}) and not (chatbot_id <> ${''})`;

export function contactStore(database: Database): ContactStore {
  return {
    findContact: async (projectId, chatbotId, contactId) => {
      const values = [projectId, chatbotId, contactId, projectId, chatbotId];
      const contact = await database.of(projectId).first<Contact>({ pieces: contactById, values });
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
        // Otherwise two imports of the same new address would both create its contact.
        await connection.alone(`contacts of ${projectId}/${chatbotId}`);
        const found = await findDrafted(connection, projectId, chatbotId, drafts);
        const known = new Set([...found.values()].flat().map(({ id }) => id));
        const added: Value[][] = [];
        const changed: Value[][] = [];
        for (const contact of decide((key) => found.get(key) ?? [])) {
          // Without drafts nothing was looked up, so the row may exist: upsert.
          const isNew = drafts.length > 0 && !known.has(contact.id);
          (isNew ? added : changed).push(toRow(projectId, chatbotId, contact));
        }
        await Promise.all([
          connection.insertAll(contactInsertion, added),
          connection.insertAll(replacement, changed),
        ]);
      }),
  };
}

const timestampLength = 25;

/** Whether the row can be what was stored: no stored text has U+0000, which lost sectors read as. */
function isWhole(contact: Contact, contactId: string): boolean {
  if (contact.id !== contactId || contact.created_at?.length !== timestampLength) return false;
  for (const field of contactDetailNames) {
    const text = contact[field];
    if (text !== null && (typeof text !== 'string' || text.includes('\0'))) return false;
  }
  return true;
}

/** The contacts that the drafts may mean, by key: several may have one address. */
async function findDrafted(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  drafts: readonly ContactDraft[],
): Promise<Map<string, StoredContact[]>> {
  const found = new Map<string, StoredContact[]>();
  const keys = drafts.flatMap(contactKeys);
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

/** The contacts with one of these keys, in no order, by the key's index, so that an import does not slow down as it goes on. */
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

/** The first columns name the contact's owner, the last are for imports only. */
export const contactInsertion = {
  into: 'contacts',
  columns: ['project_id', 'chatbot_id', ...contactFields, 'email_key', 'import_digest', 'inserted_as'],
  foundBy: ['project_id', 'chatbot_id', 'id', 'email_key', 'import_digest'],
  ending: sql``,
};

const replaced = [...contactFields.slice(1), 'email_key', 'import_digest'];
const assignments = raw(replaced.map((column) => `${column} = excluded.${column}`).join(', '));

/** For contacts that are known: to detect the conflict row by row costs a quarter of an insertion. */
const replacement = {
  ...contactInsertion,
  ending: sql`on conflict (project_id, chatbot_id, id) do update set ${assignments}`,
};

/** The values of `contactInsertion`, in the order of its columns. */
function toRow(projectId: string, chatbotId: string, contact: StoredContact): Value[] {
  const row: Value[] = [projectId, chatbotId];
  for (const field of contactFields) row.push(contact[field]);
  row.push(
    contact.email === null ? null : emailKey(contact.email),
    contact.import_digest,
    contact.inserted_as,
  );
  return row;
}
