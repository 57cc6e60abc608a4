import type { SQLInputValue } from 'node:sqlite';

import type { StoredContact } from '../../contacts/contact.ts';
import { foldingVersion } from '../../contacts/words.ts';
import { unindexed } from '../contact-rows.ts';
import { projectNumber, termsIn } from '../search/terms.ts';
import type { Insertion, Value } from '../sql.ts';
import type { statementsOf } from './statements.ts';

type Row = readonly Value[];

interface ContactIndex {
  /** Exchanges the terms of contacts, and returns their rows with the columns `search_key` and `place`. */
  exchange(insertion: Insertion, rows: readonly Row[]): Generator<void, { columns: string[]; rows: Row[] }>;
  remove(projectId: string, chatbotId: string, contacts: readonly StoredContact[]): Generator<void, void>;
}

const manyRows = 1_000;
/** Counts large batches, whose many index segments slow searches down. */
const mergeDue = 'update search_state set merges_due = merges_due + 1';
/** A purge adds this number, which no number of batches reaches, so that the job merges the whole index. */
export const wholeMerge = 1_000_000_000;
export const wholeMergeDue = `update search_state set merges_due = merges_due + ${wholeMerge}`;

const state = 'select last_place, folding from search_state';
const placesTaken = 'update search_state set last_place = last_place + ? returning last_place, folding';
const stored = 'select place, search_key, created_at from contacts where project_id = ? and chatbot_id = ? and id = ?';
const addition =
  'insert into indexed_contacts (entry, project, of_chatbot, contact_id, created) values (?, ?, ?, ?, ?)';
const learning = 'insert into contact_words (rowid, words) values (?, ?)';
/** Takes the terms that were inserted; others would corrupt the index. */
const forgetting = "insert into contact_words (contact_words, rowid, words) values ('delete', ?, ?)";

/** A contact's row as it is stored; `search_key` is its place once it is in the index. */
interface Stored {
  place: number | null;
  search_key: number | null;
  created_at: string;
}

interface Entry {
  chatbotId: Value;
  id: Value;
  created: Value;
  terms: string;
  former: Value;
}

export function contactIndexOn(prepare: ReturnType<typeof statementsOf>): ContactIndex {
  const { run, first } = statementsByText(prepare);
  const find = (...key: Value[]) => first(stored, ...key) as Stored | undefined;
  const put = (place: number, { chatbotId, id, created, terms, former }: Entry, known: Stored | undefined) => {
    if (known?.search_key == null) run(addition, place, projectNumber(terms), chatbotId, id, created);
    else {
      if (known.created_at !== created) run('update indexed_contacts set created = ? where entry = ?', created, place);
      if (former === terms) return;
      run(forgetting, place, former);
    }
    run(learning, place, terms);
  };
  return {
    exchange: function* ({ columns, terms }, rows) {
      const names = ['project_id', 'chatbot_id', 'id', 'created_at', 'place', terms?.before ?? '', terms?.after ?? ''];
      const at = names.map((name) => columns.indexOf(name));
      const [before = 0, after = 0] = at.slice(-2);
      const added = rows.filter((row) => row[before] === null).length;
      const found = added === 0 ? first(state) : first(placesTaken, added);
      let last = Number(found?.['last_place']) - added;
      const told: Row[] = [];
      for (const row of rows) {
        const [projectId = '', chatbotId = '', id = '', created = '', given] = at.map((column) => row[column]);
        const former = row[before] ?? null;
        const known = former === null ? undefined : find(projectId, chatbotId, id);
        const place = known ? (given ?? known.place) : ++last;
        const isIndexed = typeof place === 'number' && isOurs(found);
        if (isIndexed) put(place, { chatbotId, id, created, terms: String(row[after]), former }, known);
        const kept = row.with(after, isIndexed ? place : null).toSpliced(before, 1);
        told.push(given === undefined ? [...kept, place] : kept);
        yield;
      }
      if (rows.length >= manyRows || rows.some((row) => row[before] === unindexed)) run(mergeDue);
      const kept = columns.toSpliced(before, 1);
      return { columns: kept.includes('place') ? kept : [...kept, 'place'], rows: told };
    },
    remove: function* (projectId, chatbotId, contacts) {
      if (!isOurs(first(state))) return;
      const termsOf = termsIn(projectId, chatbotId);
      for (const contact of contacts) {
        yield;
        const place = find(projectId, chatbotId, contact.id)?.search_key ?? null;
        if (place === null) continue;
        run(forgetting, place, termsOf(contact));
        run('delete from indexed_contacts where entry = ?', place);
      }
    },
  };
}

/** Only an index of this folding version may be told: deleting terms that it lacks would corrupt it. */
function isOurs(found: Record<string, unknown> | undefined): boolean {
  return found?.['folding'] === foldingVersion;
}

function statementsByText(prepare: ReturnType<typeof statementsOf>) {
  const queries = new Map<string, Parameters<typeof prepare>[0]>();
  const prepared = (text: string) => {
    const query = queries.get(text) ?? { pieces: [text] };
    queries.set(text, query);
    return prepare(query);
  };
  return {
    run: (text: string, ...values: SQLInputValue[]) => void prepared(text).run(...values),
    first: (text: string, ...values: SQLInputValue[]) => prepared(text).get(...values),
  };
}
