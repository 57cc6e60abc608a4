import { setImmediate } from 'node:timers/promises';

import {
  type ConflictPolicy,
  decide,
  type Matching,
  type Outcome,
  type Row,
  type Stored,
} from '../imports.ts';
import { columnPlanner } from './column-planner.ts';
import { type Columns, pick, type Synonyms } from './columns.ts';
import type { Source } from './formats.ts';
import { openImportMemory } from './import-memory.ts';
import type { RejectsFile } from './rejects.ts';
import type { SourceRow } from './source-row.ts';

/** What an import did, row by row: `read` is the sum of the other four. */
export interface Account {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  rejects_file: string | null;
}

/** What a noun brings to its import. */
export interface Noun<Field extends string, Draft, Person> {
  synonyms: Synonyms<Field>;
  check(texts: { [F in Field]?: string }): Draft | { objections: string[] };
  matching: Matching<Draft, Person>;
  /** One transaction; see ContactStore.importContacts. */
  store(drafts: readonly Draft[], choose: (stored: Stored<Person>) => Person[]): Promise<void>;
}

export interface ImportOptions {
  policy: ConflictPolicy;
  /** Says what would happen, and stores nothing. */
  dryRun: boolean;
  /** Field -> heading, where the operator decides. */
  mapping: ReadonlyMap<string, string>;
  rejects?: RejectsFile | undefined;
  onColumns?: (columns: Columns<string>, headings: readonly string[]) => void;
  onRefused?: (line: number, reason: string) => void;
  onBatch?: (account: Account) => void;
}

const batchSize = 1_000;
const rowsBetweenPauses = 50;

/** A row that is read, with its draft or the reason why it has none. */
type Entry<Draft> = { row: SourceRow; draft: Draft } | { row: SourceRow; objections: string[] };

/** An account of nothing yet, for importPeople to count in. */
export function openAccount(): Account {
  return { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, rejects_file: null };
}

/**
 * Reads the rows in batches, stores each batch in a transaction of its own, and accounts for every row.
 * What is thrown leaves the batches before it stored; `account` says how far it came, then too.
 */
export async function importPeople<Field extends string, Draft extends object, Person>(
  source: Source,
  noun: Noun<Field, Draft, Person>,
  options: ImportOptions,
  account: Account = openAccount(),
): Promise<Account> {
  using memory = openImportMemory<Person>(options.dryRun);
  const columnsOf = columnPlanner(source, noun.synonyms, options);
  if (source.headings) columnsOf(source.headings);
  const store = async (batch: readonly Entry<Draft>[]) => {
    const outcomes = await storeBatch(batch, noun, options, memory);
    count(batch, outcomes, options, account);
    options.onBatch?.(account);
  };
  await inBatches(source.rows, (row) => toEntry(row, columnsOf(row.headings), noun), store);
  return account;
}

/** Reads the next batch while one is being stored, and never has more than these two. */
async function inBatches<From, To>(
  rows: AsyncIterable<From>,
  convert: (row: From) => To,
  store: (batch: readonly To[]) => Promise<void>,
): Promise<void> {
  let batch: To[] = [];
  let storing: Promise<void> = Promise.resolve();
  const endBatch = async () => {
    await storing;
    storing = store(batch);
    // Its failure is met at the next await; until then it must not count as unhandled.
    storing.catch(() => undefined);
    batch = [];
  };
  try {
    for await (const row of rows) {
      batch.push(convert(row));
      // A chunk of the file holds thousands of rows: without a pause nobody would hear what a database answers.
      if (batch.length % rowsBetweenPauses === 0) await setImmediate();
      if (batch.length === batchSize) await endBatch();
    }
    if (batch.length > 0) await endBatch();
  } finally {
    // Also where reading fails: what is under way is accounted for.
    await storing;
  }
}

function toEntry<Field extends string, Draft extends object, Person>(
  row: SourceRow,
  columns: Columns<Field>,
  noun: Noun<Field, Draft, Person>,
): Entry<Draft> {
  if (row.problem !== undefined) return { row, objections: [row.problem] };
  const picked = pick(columns, row.cells);
  const checked = 'objections' in picked ? picked : noun.check(picked.texts);
  return 'objections' in checked ? { row, objections: checked.objections } : { row, draft: checked };
}

/** The outcomes of the entries that have a draft, in their order. */
async function storeBatch<Field extends string, Draft extends object, Person>(
  batch: readonly Entry<Draft>[],
  noun: Noun<Field, Draft, Person>,
  { policy, dryRun }: ImportOptions,
  memory: ReturnType<typeof openImportMemory<Person>>,
): Promise<Outcome[]> {
  const rows = batch.flatMap((entry): Row<Draft>[] =>
    'draft' in entry ? [{ line: entry.row.line, draft: entry.draft }] : [],
  );
  if (rows.length === 0) return [];
  let outcomes: Outcome[] = [];
  await noun.store(
    rows.map(({ draft }) => draft),
    (stored) => {
      const decision = decide(rows, noun.matching, policy, stored, memory);
      outcomes = decision.outcomes;
      return dryRun ? [] : decision.writes;
    },
  );
  memory.endBatch();
  return outcomes;
}

function count<Draft>(
  batch: readonly Entry<Draft>[],
  outcomes: readonly Outcome[],
  { rejects, onRefused }: ImportOptions,
  account: Account,
): void {
  const next = outcomes.values();
  for (const entry of batch) {
    account.read++;
    const outcome = 'draft' in entry ? next.next().value : { refused: entry.objections.join('; ') };
    if (outcome === undefined) throw new Error('the store decided about fewer rows than it was given');
    if (typeof outcome === 'string') {
      account[outcome]++;
      continue;
    }
    account.rejected++;
    rejects?.write(entry.row, outcome.refused);
    account.rejects_file = rejects?.path ?? null;
    onRefused?.(entry.row.line, outcome.refused);
  }
}
