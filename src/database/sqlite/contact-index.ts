import type { SQLInputValue } from 'node:sqlite';

import { foldingVersion } from '../../contacts/words.ts';
import { contactIndexing, contactReplacement } from '../contact-rows.ts';
import type { Insertion } from '../database.ts';
import { chatbotTerm, type SearchedRow, termsOf, toSearchable } from '../search/terms.ts';
import type { Value } from '../sql.ts';
import { type Day, daysIndexed, daysStored } from './contact-days.ts';
import { comparePositions, dayOf, inOrder, late, type Place, secondOf } from './contact-places.ts';
import type { statementsOf } from './statements.ts';

/** Keeps the words of contacts, in the transaction that is open. Yields after each step. */
export interface ContactIndex {
  /** The rows with places in the index where their terms stood; null while their chatbot is being indexed. */
  place(insertion: Insertion, rows: readonly (readonly Value[])[]): Generator<void, Value[][]>;
  /** Takes contacts out before they are deleted. */
  remove(projectId: string, chatbotId: string, contactIds: readonly string[]): Generator<void, void>;
}

export type Owner = readonly [projectId: string, chatbotId: string];

interface Entry {
  owner: Owner;
  id: string;
  createdAt: string;
  day: number;
  terms: string;
  place: Place | null;
}

/** A batch of an import. */
const manyRows = 1_000;
/** Counts large batches, whose many index segments slow searches down. */
const mergeDue = 'update search_state set merges_due = merges_due + 1';
/** A purge adds this number, which no number of batches reaches, so that the job merges the whole index. */
export const wholeMerge = 1_000_000_000;
export const wholeMergeDue = `update search_state set merges_due = merges_due + ${wholeMerge}`;

export function contactIndexOn(prepare: ReturnType<typeof statementsOf>): ContactIndex {
  const asking = askingWith(prepare);
  return {
    place: function* (insertion, rows) {
      const entries = entriesOf(insertion, rows);
      if (entries.length > 0 && isOurs(asking)) {
        if (insertion === contactIndexing) yield* add(asking, entries, daysIndexed);
        else {
          const added = insertion === contactReplacement ? yield* newOf(asking, entries) : entries;
          yield* add(asking, added.filter(unlessBeingIndexed(asking)), daysStored);
        }
      }
      if (insertion === contactIndexing || rows.length >= manyRows) asking.run(mergeDue);
      return rows.map((row, index) => row.slice(0, -1).concat(entries[index]?.place ?? null));
    },
    remove: function* (projectId, chatbotId, contactIds) {
      if (!isOurs(asking)) return;
      for (const id of contactIds) {
        yield;
        const { place, terms } = storedTerms(asking, [projectId, chatbotId], id) ?? { place: null, terms: '' };
        if (place === null) continue;
        forget(asking, place, terms);
        asking.run('delete from indexed_contacts where search_key = ?', place);
      }
    },
  };
}

export type Asking = ReturnType<typeof askingWith>;

function askingWith(prepare: ReturnType<typeof statementsOf>) {
  const queries = new Map<string, Parameters<typeof prepare>[0]>();
  const prepared = (text: string) => {
    const query = queries.get(text) ?? { pieces: [text] };
    queries.set(text, query);
    return prepare(query);
  };
  return {
    run: (text: string, ...values: SQLInputValue[]) => void prepared(text).run(...values),
    all: <Row>(text: string, ...values: SQLInputValue[]) => prepared(text).all(...values) as Row[],
    first: (text: string, ...values: SQLInputValue[]) => prepared(text).get(...values),
  };
}

function entriesOf({ columns }: Insertion, rows: readonly (readonly Value[])[]): Entry[] {
  const createdAt = columns.indexOf('created_at');
  return rows.map((row) => ({
    owner: [String(row[0]), String(row[1])],
    id: String(row[2]),
    createdAt: String(row[createdAt]),
    day: dayOf(String(row[createdAt])) ?? 0,
    terms: String(row.at(-1)),
    place: null,
  }));
}

/** Skips an index of another folding version: deleting terms it lacks would corrupt it. A job rebuilds it. */
function isOurs({ first }: Asking): boolean {
  return first('select folding from search_state')?.['folding'] === foldingVersion;
}

/** Contacts that arrive while their chatbot is being indexed wait for their turn. */
function unlessBeingIndexed({ first }: Asking): (entry: Entry) => boolean {
  const text = `select id from contacts indexed by contacts_unindexed
    where project_id = ? and chatbot_id = ? and search_key is null limit 1`;
  const known = new Map<string, boolean>();
  return ({ owner }) => {
    const name = owner.join(' ');
    const isIndexed = known.get(name) ?? first(text, ...owner) === undefined;
    known.set(name, isIndexed);
    return isIndexed;
  };
}

/** Gives places to contacts that have none. */
function* add(
  asking: Asking,
  entries: readonly Entry[],
  daysOf: (asking: Asking, owner: Owner, days: readonly number[]) => Day[],
): Generator<void, void> {
  // Chatbots share the places of a day.
  const nextOf = new Map<number, NextPlaces>();
  for (const ofOwner of Map.groupBy(entries, ({ owner }) => owner.join(' ')).values()) {
    const [{ owner }] = ofOwner as [Entry];
    const ofDay = Map.groupBy(ofOwner, ({ day }) => day);
    for (const known of daysOf(asking, owner, [...ofDay.keys()])) place(ofDay.get(known.day) ?? [], known, nextOf);
  }
  // In the order of places: FTS5 writes out what it holds where one is smaller than the one before.
  for (const { place, id, createdAt, terms } of entries.toSorted((a, b) => Number(a.place) - Number(b.place))) {
    const second = secondOf(createdAt);
    asking.run('insert into indexed_contacts (search_key, contact_id, second) values (?, ?, ?)', place, id, second);
    learn(asking, Number(place), terms);
    yield;
  }
}

interface NextPlaces {
  inOrder: Place;
  late: Place;
}

function place(
  entries: readonly Entry[],
  { day, created_at: createdAt, id, ...last }: Day,
  nextOf: Map<number, NextPlaces>,
): void {
  const next = nextOf.get(day) ?? {
    inOrder: (last.last_in_order ?? inOrder(day).from - 1) + 1,
    late: (last.last_late ?? late(day).from - 1) + 1,
  };
  nextOf.set(day, next);
  const sorted = entries.toSorted((a, b) => comparePositions([a.createdAt, a.id], [b.createdAt, b.id]));
  for (const entry of sorted) {
    const isOlder = id !== null && comparePositions([entry.createdAt, entry.id], [createdAt ?? '', id]) < 0;
    entry.place = isOlder || next.inOrder > inOrder(day).to ? next.late++ : next.inOrder++;
  }
}

function* newOf(asking: Asking, entries: readonly Entry[]): Generator<void, Entry[]> {
  const found: Entry[] = [];
  for (const entry of entries) {
    if (isNew(asking, entry)) found.push(entry);
    yield;
  }
  return found;
}

/** Whether a contact that is stored again was not there; otherwise its words are exchanged, if it has a place. */
function isNew(asking: Asking, entry: Entry): boolean {
  const before = storedTerms(asking, entry.owner, entry.id);
  if (!before) return true;
  entry.place = before.place;
  if (before.place === null || before.terms === entry.terms) return false;
  forget(asking, before.place, before.terms);
  learn(asking, before.place, entry.terms);
  return false;
}

type StoredTerms = SearchedRow & { search_key: Place | null };

function storedTerms({ first }: Asking, owner: Owner, id: string): { place: Place | null; terms: string } | undefined {
  const text = `select name, email, company, job_title, external_id, tags, phone, search_key from contacts
    where project_id = ? and chatbot_id = ? and id = ?`;
  const row = first(text, ...owner, id) as StoredTerms | undefined;
  if (!row) return undefined;
  return { place: row.search_key, terms: termsOf(chatbotTerm(...owner), toSearchable(row)) };
}

function learn({ run }: Asking, place: Place, terms: string): void {
  run('insert into contact_words (rowid, words) values (?, ?)', place, terms);
}

/** The terms must be those that were learnt. */
function forget({ run }: Asking, place: Place, terms: string): void {
  run("insert into contact_words (contact_words, rowid, words) values ('delete', ?, ?)", place, terms);
}
