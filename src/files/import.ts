import {
  type ConflictPolicy,
  decide,
  type Matching,
  type Outcome,
  type Row,
  type Stored,
  type Warning,
} from '../imports.ts';
import { type Account, type AccountOptions, importRows } from './account.ts';
import { openImportMemory } from './import-memory.ts';
import type { Reader, Reading } from './reading.ts';

export interface Noun<Field extends string, Draft, Person> extends Reader<Field, Draft> {
  matching: Matching<Draft, Person>;
  /** Stores, in one transaction, the people that `choose` returns. */
  store(drafts: readonly Draft[], choose: (stored: Stored<Person>, room?: number) => Person[]): Promise<void>;
}

export interface ImportOptions extends AccountOptions {
  policy: ConflictPolicy;
  dryRun: boolean;
  onWarned?: (line: number, warning: string) => void;
}

/** Stores each batch while the next one is read. After an error `account` says what is stored. */
export async function importPeople<Draft extends object, Person>(
  { batches }: Pick<Reading<Draft>, 'batches'>,
  { matching, store }: Pick<Noun<string, Draft, Person>, 'matching' | 'store'>,
  options: ImportOptions,
  account: Account,
): Promise<void> {
  const { policy, dryRun } = options;
  using memory = openImportMemory<Person>(dryRun);
  const storeRows = async (rows: readonly Row<Draft>[]) => {
    let outcomes: Outcome[] = [];
    let warnings: Warning[] = [];
    await store(
      rows.map(({ draft }) => draft),
      (stored, room = Infinity) => {
        const left = dryRun ? room - account.created : room;
        const decision = decide(rows, matching, policy, stored, memory, left);
        ({ outcomes, warnings } = decision);
        return dryRun ? [] : decision.writes;
      },
    );
    memory.endBatch();
    for (const { line, warning } of warnings) options.onWarned?.(line, warning);
    return outcomes;
  };
  await importRows(batches, storeRows, options, account);
}
