import type { SQLInputValue } from 'node:sqlite';

import type { StoredContact } from '../../contacts/contact.ts';
import { foldingVersion } from '../../contacts/words.ts';
import { unindexed } from '../contact-rows.ts';
import type { Insertion } from '../database.ts';
import { chatbotTerm, termsOf } from '../search/terms.ts';
import type { Value } from '../sql.ts';
import { type Day, daysIndexed, daysStored } from './contact-days.ts';
import { comparePositions, dayOf, inOrder, late, type Place, secondOf } from './contact-places.ts';
import type { statementsOf } from './statements.ts';

/** Keeps the words of contacts, in the transaction that is open. Yields after each step. */
export interface ContactIndex {
  /** The rows with places in the index where their terms stood; null while their chatbot is being indexed. */
  place(insertion: Insertion, rows: readonly (readonly Value[])[]): Generator<void, Value[][]>;
  /** Takes contacts out before they are deleted. */
  remove(projectId: string, chatbotId: string, contacts: readonly StoredContact[]): Generator<void, void>;
}

export type Owner = readonly [projectId: string, chatbotId: string];

interface Entry {
  owner: Owner;
  id: string;
  createdAt: string;
  day: number;
  terms: string;
  former: string | null;
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
        for (const entry of entries) {
          if (entry.former !== null) exchange(asking, entry, entry.former);
          yield;
        }
        yield* add(
          asking,
          entries.filter(({ former }) => former === unindexed),
          daysIndexed,
        );
        const added = entries.filter(({ former }) => former === null);
        yield* add(asking, added.filter(unlessBeingIndexed(asking)), daysStored);
      }
      if (rows.length >= manyRows || entries.some(({ former }) => former === unindexed)) asking.run(mergeDue);
      const { columns, terms } = insertion;
      return rows.map((row, index) =>
        row.flatMap((value, at) => {
          if (columns[at] === terms?.before) return [];
          return columns[at] === terms?.after ? (entries[index]?.place ?? null) : value;
        }),
      );
    },
    remove: function* (projectId, chatbotId, contacts) {
      if (!isOurs(asking)) return;
      const chatbot = chatbotTerm(projectId, chatbotId);
      for (const contact of contacts) {
        yield;
        const place = placeOf(asking, [projectId, chatbotId], contact.id);
        if (place === null) continue;
        forget(asking, place, termsOf(chatbot, contact));
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

function entriesOf({ columns, terms }: Insertion, rows: readonly (readonly Value[])[]): Entry[] {
  const reader = (name: string) => {
    const at = columns.indexOf(name);
    return (row: readonly Value[]) => row[at] ?? null;
  };
  const [project, chatbot, id, createdAt] = ['project_id', 'chatbot_id', 'id', 'created_at'].map(reader) as [
    Read,
    Read,
    Read,
    Read,
  ];
  const [before, after] = [reader(terms?.before ?? ''), reader(terms?.after ?? '')];
  return rows.map((row) => ({
    owner: [String(project(row)), String(chatbot(row))],
    id: String(id(row)),
    createdAt: String(createdAt(row)),
    day: dayOf(String(createdAt(row))) ?? 0,
    terms: String(after(row)),
    former: before(row) as string | null,
    place: null,
  }));
}

type Read = (row: readonly Value[]) => Value;

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

/** Exchanges the words of a contact that has a place. */
function exchange(asking: Asking, entry: Entry, former: string): void {
  entry.place = placeOf(asking, entry.owner, entry.id);
  if (entry.place === null || former === entry.terms) return;
  forget(asking, entry.place, former);
  learn(asking, entry.place, entry.terms);
}

function placeOf({ first }: Asking, owner: Owner, id: string): Place | null {
  const text = 'select search_key from contacts where project_id = ? and chatbot_id = ? and id = ?';
  return (first(text, ...owner, id)?.['search_key'] as Place | null | undefined) ?? null;
}

function learn({ run }: Asking, place: Place, terms: string): void {
  run('insert into contact_words (rowid, words) values (?, ?)', place, terms);
}

/** The terms must be those that were learnt. */
function forget({ run }: Asking, place: Place, terms: string): void {
  run("insert into contact_words (contact_words, rowid, words) values ('delete', ?, ?)", place, terms);
}
