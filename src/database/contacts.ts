import type { StoredContact } from '../contacts/contact.ts';
import {
  type ContactReads,
  type ContactWrites,
  refKey,
  type RevisedContact,
  type SavedContact,
} from '../contacts/store.ts';
import { eachInTurn } from '../values/give-way.ts';
import { binWrites, copyToBin } from './bin.ts';
import { chatbotsAmong, contactsUnder, deleteFrom, findByKeys, keyOf } from './contact-keys.ts';
import { contactPages } from './contact-pages.ts';
import {
  contactInsertion,
  contactReplacement,
  type ContactRow,
  isWhole,
  shownColumns,
  toContact,
  toRow,
  wholeColumns,
} from './contact-rows.ts';
import { type Access, damagedRow, type Transaction } from './database.ts';
import { keptReads } from './kept-contacts.ts';
import { turnOf } from './look-up-turns.ts';
import { mergedReads, mergedWrites } from './merged-contacts.ts';
import { stayingUnder } from './merged-rows.ts';
import { type FoundRow, termsIn } from './search/terms.ts';
import { inList, sql } from './sql.ts';

// Assembled once: the hot path. The keys are compared again, as a damaged SQLite file may return another row.
const { pieces: contactById } = sql`select revision, ${shownColumns} from contacts
  where project_id = ${''} and chatbot_id = ${''} and id = ${''}
    and not (project_id <> ${''}) and not (chatbot_id <> ${''})`;

export function contactReads(access: Access, binDays: number): ContactReads {
  return {
    binDays: async () => binDays,
    find: async (projectId, chatbotId, contactId) => {
      const values = [projectId, chatbotId, contactId, projectId, chatbotId];
      const row = await access.first<RevisedContact>({ pieces: contactById, values });
      if (row && !isWhole(row, contactId)) throw damagedRow();
      return row;
    },
    findWhole: async (projectId, chatbotId, contactId) => {
      const row = await access.first<ContactRow>(
        sql`select ${wholeColumns} from contacts
          where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = ${contactId}`,
      );
      if (row && !isWhole(row, contactId)) throw damagedRow();
      return row && toContact(row);
    },
    among: (projectId, chatbotId, contactIds) => contactsUnder(access, projectId, [chatbotId], 'id', contactIds),
    lookup: async (projectId, chatbotId, kind, value, caller = {}) => {
      const key = keyOf[kind](value);
      if (key === '') return [];
      const chatbots = await chatbotsAmong(access, projectId, chatbotId);
      const turn = turnOf(projectId, caller);
      const found = await contactsUnder(access, projectId, chatbots, kind, [key], turn);
      const owners = new Set(found.map((one) => one.chatbot_id));
      const others = chatbots.filter((id) => !owners.has(id));
      const staying = kind === 'phone' ? [] : await stayingUnder(access, projectId, others, kind, [key]);
      return [...new Set([...found, ...staying.map(({ contact }) => contact)])].toSorted(newestFirst);
    },
    resolve: async (projectId, chatbotId, ids) => {
      const chatbots = await chatbotsAmong(access, projectId, chatbotId);
      const live = await contactsUnder(access, projectId, chatbots, 'id', ids);
      const [known, places] = [new Set(live.map(({ id }) => id)), new Set(live.map(refKey))];
      const missing = chatbots.length > 1 ? ids : ids.filter((id) => !known.has(id));
      const staying = await stayingUnder(access, projectId, chatbots, 'id', missing);
      const others = staying.filter(({ id, contact }) => !places.has(refKey({ ...contact, id })));
      return [...live.map((contact) => ({ id: contact.id, contact })), ...others];
    },
    ...mergedReads(access),
    ...keptReads(access),
    ...contactPages(access),
    search: async (projectId, search, isWhole) => {
      const rows = await access.search(projectId, search, isWhole);
      return isWhole ? rows.map((row) => toContact(row as FoundRow & ContactRow) as FoundRow & StoredContact) : rows;
    },
    count: async (projectId, chatbotIds) => {
      const row = await access.first<{ total: number }>(
        sql`select cast(coalesce(sum(contacts_added - contacts_removed), 0) as integer) as total from chatbots
          where project_id = ${projectId} ${chatbotIds ? sql`and id in ${inList(chatbotIds)}` : sql``}`,
      );
      return row?.total ?? 0;
    },
  };
}

export function contactWrites(connection: Transaction, binDays: number): Omit<ContactWrites, 'room'> {
  const bin = binWrites(connection, binDays);
  const toRows = (projectId: string, chatbotId: string, contacts: readonly SavedContact[]) => {
    const termsOf = termsIn(projectId, chatbotId);
    return eachInTurn(contacts, ({ before, after }) => {
      const former = before && connection.indexesBeside ? termsOf(before) : null;
      return [...toRow(projectId, chatbotId, after), termsOf(after), former];
    });
  };
  const save: ContactWrites['save'] = async (projectId, chatbotId, contacts) => {
    const [added, replaced] = [contacts.filter(({ before }) => !before), contacts.filter(({ before }) => before)];
    const [first, other] = [await toRows(projectId, chatbotId, added), await toRows(projectId, chatbotId, replaced)];
    await Promise.all([
      first.length > 0 && connection.insertAll(contactInsertion, first),
      other.length > 0 && connection.insertAll(contactReplacement, other),
    ]);
  };
  return {
    ...mergedWrites(connection, save),
    ...bin,
    findForWriting: (projectId, chatbotId, keys) => findByKeys(connection, projectId, chatbotId, keys),
    save,
    remove: async (projectId, chatbotId, contacts, at) => {
      await connection.unindex(projectId, chatbotId, contacts);
      const contactIds = contacts.map(({ id }) => id);
      if (binDays > 0) {
        await copyToBin(connection, projectId, chatbotId, contactIds, at);
      } else await bin.purgeDeleted(projectId, chatbotId, contactIds);
      await deleteFrom(connection, sql`contacts`, projectId, chatbotId, contactIds);
      return binDays > 0 ? 'deleted' : 'purged';
    },
    purge: async (projectId, chatbotId, contactIds) => {
      const live = await contactsUnder(connection, projectId, [chatbotId], 'id', contactIds);
      await connection.unindex(projectId, chatbotId, live);
      await deleteFrom(connection, sql`contacts`, projectId, chatbotId, contactIds);
      const others = await bin.purgeDeleted(projectId, chatbotId, contactIds);
      return [...new Set([...live.map(({ id }) => id), ...others])];
    },
  };
}

function newestFirst(a: StoredContact, b: StoredContact): number {
  if (a.created_at === b.created_at) return a.id < b.id ? 1 : -1;
  return a.created_at < b.created_at ? 1 : -1;
}
