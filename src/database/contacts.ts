import { type Contact, contactDetailNames, contactFields } from '../contacts/contact.ts';
import type { StoredContact } from '../contacts/matching.ts';
import type { ContactReads, ContactWrites } from '../contacts/store.ts';
import { emailKey } from '../values/email.ts';
import { type Access, type Connection, damagedRow, type Transaction } from './database.ts';
import { inList, raw, type Sql, sql, type Value } from './sql.ts';

const columns = raw(contactFields.join(', '));
const exportPageSize = 1_000;

// Assembled once: the hot path. The keys are compared again, as a damaged SQLite file may return another row.
const { pieces: contactById } = sql`select ${columns} from contacts
  where project_id = ${''} and chatbot_id = ${''} and id = ${''}
    and not (project_id <> ${''}) and not (chatbot_id <> ${''})`;

export function contactReads(access: Access): ContactReads {
  return {
    find: async (projectId, chatbotId, contactId) => {
      const values = [projectId, chatbotId, contactId, projectId, chatbotId];
      const contact = await access.of(projectId).first<Contact>({ pieces: contactById, values });
      if (contact && !isWhole(contact, contactId)) throw damagedRow();
      return contact;
    },
    listAll: async function* (projectId, chatbotId) {
      for (let lastId = ''; ;) {
        const page = await access.of(projectId).all<Contact>(
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
  };
}

export function contactWrites(connection: Transaction): ContactWrites {
  return {
    findForImport: async (projectId, chatbotId, keys) => {
      // Two imports must not both create the contact of one new address.
      await connection.alone(`contacts of ${projectId}/${chatbotId}`);
      return findByKeys(connection, projectId, chatbotId, keys);
    },
    save: async (projectId, chatbotId, { added, replaced }) => {
      const rowsOf = (contacts: readonly StoredContact[]) =>
        contacts.map((contact) => toRow(projectId, chatbotId, contact));
      await Promise.all([
        connection.insertAll(contactInsertion, rowsOf(added)),
        connection.insertAll(replacement, rowsOf(replaced)),
      ]);
    },
  };
}

const timestampLength = 25;

/** Lost sectors read as U+0000, which no stored text holds. */
function isWhole(contact: Contact, contactId: string): boolean {
  if (contact.id !== contactId || contact.created_at?.length !== timestampLength) return false;
  return contactDetailNames.every((field) => {
    const text = contact[field];
    return text === null || (typeof text === 'string' && !text.includes('\0'));
  });
}

async function findByKeys(
  connection: Connection,
  projectId: string,
  chatbotId: string,
  keys: readonly string[],
): Promise<Map<string, StoredContact[]>> {
  const found = new Map<string, StoredContact[]>();
  for (const kind of ['id', 'email', 'digest'] as const) {
    const values = keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1));
    if (values.length === 0) continue;
    const contacts = await connection.all<StoredContact>(contactsByKey(connection, projectId, chatbotId, kind, values));
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

export function contactsByKey(
  connection: Pick<Connection, 'usingIndex'>,
  projectId: string,
  chatbotId: string,
  kind: KeyKind,
  values: string[],
): Sql {
  const index = kind === 'id' ? sql`` : connection.usingIndex(`contacts_by_${kind}`);
  return sql`select ${columns}, import_digest, inserted_as from contacts ${index}
    where project_id = ${projectId} and chatbot_id = ${chatbotId} and ${keyColumn[kind]} in ${inList(values)}`;
}

const keyColumn = { id: sql`id`, email: sql`email_key`, digest: sql`import_digest` };
const keyValue = {
  id: (contact: StoredContact) => contact.id,
  email: (contact: StoredContact) => emailKey(contact.email ?? ''),
  digest: (contact: StoredContact) => contact.import_digest,
};

export const contactInsertion = {
  into: 'contacts',
  columns: ['project_id', 'chatbot_id', ...contactFields, 'email_key', 'import_digest', 'inserted_as'],
  foundBy: ['project_id', 'chatbot_id', 'id', 'email_key', 'import_digest'],
  ending: sql``,
};

const replaced = [...contactFields.slice(1), 'email_key', 'import_digest'];
const assignments = raw(replaced.map((column) => `${column} = excluded.${column}`).join(', '));

/** For known contacts only: detecting conflicts row by row costs a quarter of an insertion. */
const replacement = {
  ...contactInsertion,
  ending: sql`on conflict (project_id, chatbot_id, id) do update set ${assignments}`,
};

function toRow(projectId: string, chatbotId: string, contact: StoredContact): Value[] {
  return [
    projectId,
    chatbotId,
    ...contactFields.map((field) => contact[field]),
    contact.email === null ? null : emailKey(contact.email),
    contact.import_digest,
    contact.inserted_as,
  ];
}
