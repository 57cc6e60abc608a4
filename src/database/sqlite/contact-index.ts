import type { SQLInputValue } from 'node:sqlite';

import type { StoredContact } from '../../contacts/contact.ts';
import { foldingVersion } from '../../contacts/words.ts';
import { unindexed } from '../contact-rows.ts';
import type { Insertion } from '../database.ts';
import { chatbotNumber, chatbotTerm, termsOf } from '../search/terms.ts';
import type { Value } from '../sql.ts';
import type { statementsOf } from './statements.ts';

type Row = readonly Value[];

/** Keeps the words of contacts, in the transaction that is open. Yields after each step. */
export interface ContactIndex {
  /** Exchanges the terms of contacts, and returns their rows with the columns `search_key` and `place`. */
  exchange(insertion: Insertion, rows: readonly Row[]): Generator<void, { columns: string[]; rows: Row[] }>;
  /** Takes out contacts, as they are stored, before they are deleted. */
  remove(projectId: string, chatbotId: string, contacts: readonly StoredContact[]): Generator<void, void>;
}

/** A batch of an import. */
const manyRows = 1_000;
/** Counts large batches, whose many index segments slow searches down. */
const mergeDue = 'update search_state set merges_due = merges_due + 1';
/** A purge adds this number, which no number of batches reaches, so that the job merges the whole index. */
export const wholeMerge = 1_000_000_000;
export const wholeMergeDue = `update search_state set merges_due = merges_due + ${wholeMerge}`;

export function contactIndexOn(prepare: ReturnType<typeof statementsOf>): ContactIndex {
  const { run, first, stored, placed, add, exchange, forget } = statementsWith(prepare);
  return {
    exchange: function* ({ columns, terms }, rows) {
      const placeOf = (name = '') => columns.indexOf(name);
      const [before, after] = [placeOf(terms?.before), placeOf(terms?.after)];
      const [project, chatbot, id, created] = [
        placeOf('project_id'),
        placeOf('chatbot_id'),
        placeOf('id'),
        placeOf('created_at'),
      ];
      const isAdded = (row: Row) => row[before] === null;
      const added = rows.filter(isAdded).length;
      const { last, isOurs } = stateAfter(first, added);
      let next = last - added;
      const told: Row[] = [];
      for (const row of rows) {
        const entry = { id: row[id] ?? '', createdAt: row[created] ?? '', terms: String(row[after]) };
        const known = isAdded(row) ? undefined : stored(row[project], row[chatbot], row[id]);
        if (known?.place === 0) known.place = placed(row[project], row[chatbot], row[id]);
        const place = known?.place ?? ++next;
        if (isOurs && known?.search_key == null) add(place, entry);
        else if (isOurs && known) exchange(place, entry, known.created_at, String(row[before]));
        told.push([...row.with(after, isOurs ? place : null).toSpliced(before, 1), place]);
        yield;
      }
      if (rows.length >= manyRows || rows.some((row) => row[before] === unindexed)) run(mergeDue);
      return { columns: [...columns.toSpliced(before, 1), 'place'], rows: told };
    },
    remove: function* (projectId, chatbotId, contacts) {
      if (!stateAfter(first, 0).isOurs) return;
      const chatbot = chatbotTerm(projectId, chatbotId);
      for (const contact of contacts) {
        yield;
        const place = stored(projectId, chatbotId, contact.id)?.search_key ?? null;
        if (place === null) continue;
        forget(place, termsOf(chatbot, contact));
        run('delete from indexed_contacts where entry = ?', place);
      }
    },
  };
}

/** Takes places for added contacts. Only an index of this folding version may be told: deleting terms it lacks would corrupt it. */
function stateAfter(first: ReturnType<typeof statementsWith>['first'], added: number) {
  const state =
    added === 0
      ? first('select last_place, folding from search_state')
      : first('update search_state set last_place = last_place + ? returning last_place, folding', added);
  return { last: Number(state?.['last_place']), isOurs: state?.['folding'] === foldingVersion };
}

interface Entry {
  id: Value;
  createdAt: Value;
  terms: string;
}

interface Stored {
  place: number;
  /** The place, once the contact is in the index. */
  search_key: number | null;
  created_at: string;
}

function statementsWith(prepare: ReturnType<typeof statementsOf>) {
  const queries = new Map<string, Parameters<typeof prepare>[0]>();
  const prepared = (text: string) => {
    const query = queries.get(text) ?? { pieces: [text] };
    queries.set(text, query);
    return prepare(query);
  };
  const run = (text: string, ...values: SQLInputValue[]) => void prepared(text).run(...values);
  const first = (text: string, ...values: SQLInputValue[]) => prepared(text).get(...values);
  const learn = (place: number, terms: string) =>
    run('insert into contact_words (rowid, words) values (?, ?)', place, terms);
  // The terms must be those that were learnt.
  const forget = (place: number, terms: string) =>
    run("insert into contact_words (contact_words, rowid, words) values ('delete', ?, ?)", place, terms);
  return {
    run,
    first,
    forget,
    stored: (projectId: Value = null, chatbotId: Value = null, id: Value = null) =>
      first(
        'select place, search_key, created_at from contacts where project_id = ? and chatbot_id = ? and id = ?',
        projectId,
        chatbotId,
        id,
      ) as Stored | undefined,
    /** Gives a place to a contact that was stored without one, by another program. */
    placed: (projectId: Value = null, chatbotId: Value = null, id: Value = null): number => {
      const { last } = stateAfter(first, 1);
      run(
        'update contacts set place = ? where project_id = ? and chatbot_id = ? and id = ?',
        last,
        projectId,
        chatbotId,
        id,
      );
      return last;
    },
    add: (place: number, { id, createdAt, terms }: Entry) => {
      const text = 'insert into indexed_contacts (entry, chatbot, contact_id, created) values (?, ?, ?, ?)';
      run(text, place, chatbotNumber(terms), id, createdAt);
      learn(place, terms);
    },
    exchange: (place: number, { createdAt, terms }: Entry, wasCreatedAt: string, former: string) => {
      if (createdAt !== wasCreatedAt) run('update indexed_contacts set created = ? where entry = ?', createdAt, place);
      if (former === terms) return;
      forget(place, former);
      learn(place, terms);
    },
  };
}
