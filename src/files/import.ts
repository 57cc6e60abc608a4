import { AppError } from '../errors.ts';
import {
  type ConflictPolicy,
  decide,
  type Matching,
  type Outcome,
  type Row,
  type Stored,
} from '../imports.ts';
import { type Columns, matchColumns, pick, type Synonyms } from './columns.ts';
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
  /** Field → heading, where the operator decides. */
  mapping: ReadonlyMap<string, string>;
  /** Whether every heading of `mapping` must be in every row's headings, as in CSV. */
  strictMapping: boolean;
  rejects?: RejectsFile | undefined;
  onColumns?: (columns: Columns<string>, headings: readonly string[]) => void;
  onRefused?: (line: number, reason: string) => void;
  onBatch?: (account: Account) => void;
}

const batchSize = 1_000;
const columnPlansMax = 1_000;

/**
 * Reads the rows in batches, stores each batch in a transaction of its own, and accounts for every row.
 * What is thrown leaves the batches before it stored; `account` (also when thrown) says how far it came.
 */
export async function importPeople<Field extends string, Draft extends object, Person>(
  rows: AsyncIterable<SourceRow>,
  noun: Noun<Field, Draft, Person>,
  options: ImportOptions,
  account: Account = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, rejects_file: null },
): Promise<Account> {
  using memory = openImportMemory<Person>(options.dryRun);
  const columnsOf = columnPlanner(noun.synonyms, options);
  let batch: { row: SourceRow; draft: Row<Draft> }[] = [];

  const refuse = (row: SourceRow, reason: string) => {
    account.rejected++;
    options.rejects?.write(row, reason);
    account.rejects_file = options.rejects?.path ?? null;
    options.onRefused?.(row.line, reason);
  };
  const flush = async () => {
    let outcomes: Outcome[] = [];
    const drafts = batch.map(({ draft }) => draft);
    await noun.store(
      drafts.map(({ draft }) => draft),
      (stored) => {
        const decision = decide(drafts, noun.matching, options.policy, stored, memory);
        outcomes = decision.outcomes;
        return options.dryRun ? [] : decision.writes;
      },
    );
    memory.endBatch();
    outcomes.forEach((outcome, index) => {
      const row = batch[index]?.row;
      if (typeof outcome === 'string') account[outcome]++;
      else if (row) refuse(row, outcome.refused);
    });
    batch = [];
    options.onBatch?.(account);
  };

  for await (const row of rows) {
    account.read++;
    const columns = columnsOf(row.headings);
    const draft = row.problem === undefined ? toDraft(row, columns, noun) : { objections: [row.problem] };
    if ('objections' in draft) {
      refuse(row, draft.objections.join('; '));
      continue;
    }
    batch.push({ row, draft: { line: row.line, draft } });
    if (batch.length === batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  return account;
}

function toDraft<Field extends string, Draft extends object, Person>(
  row: SourceRow,
  columns: Columns<Field>,
  noun: Noun<Field, Draft, Person>,
): Draft | { objections: string[] } {
  const picked = pick(columns, row.cells);
  return 'notText' in picked ? { objections: [`${picked.notText} is not a text`] } : noun.check(picked.texts);
}

// CSV has one list of headings; JSON objects may each have their own.
function columnPlanner<Field extends string>(
  synonyms: Synonyms<Field>,
  { mapping, strictMapping, onColumns }: ImportOptions,
): (headings: readonly string[]) => Columns<Field> {
  const plans = new Map<string, Columns<Field>>();
  let last: { headings: readonly string[]; columns: Columns<Field> } | undefined;
  return (headings) => {
    if (last?.headings === headings) return last.columns;
    const signature = JSON.stringify(headings);
    const columns = plans.get(signature) ?? matchColumns(headings, synonyms, mapping);
    const missing = [...mapping].find(([field]) => !columns.sources.has(field as Field));
    if (strictMapping && missing) {
      throw new AppError(
        'invalid',
        `The file has no column "${missing[1]}" for ${missing[0]}; it has: ${headings.join(', ')}.`,
      );
    }
    if (plans.size === 0 && headings.length > 0) onColumns?.(columns, headings);
    if (plans.size < columnPlansMax) plans.set(signature, columns);
    last = { headings, columns };
    return columns;
  };
}
