import type { Batch, ConflictPolicy, Imported, Row } from '../imports.ts';
import { type Account, type AccountOptions, importBatches } from './account.ts';
import { openImportMemory } from './import-memory.ts';
import type { Reader, Reading } from './reading.ts';

export interface Importer<Field extends string, Draft, Person> extends Reader<Field, Draft> {
  keysOf(row: Row<Draft>): readonly string[];
  store(batch: Batch<Draft, Person>): Promise<Imported<Person>>;
}

interface ImportOptions extends AccountOptions {
  policy: ConflictPolicy;
  dryRun: boolean;
  onWarned?: (line: number, warning: string) => void;
}

export async function importPeople<Draft extends object, Person>(
  { batches }: Pick<Reading<Draft>, 'batches'>,
  { keysOf, store }: Pick<Importer<string, Draft, Person>, 'keysOf' | 'store'>,
  options: ImportOptions,
  account: Account,
): Promise<void> {
  const { policy, dryRun: isDry } = options;
  using memory = openImportMemory<Person>();
  const storeRows = async (rows: readonly Row<Draft>[]) => {
    const planned = isDry ? memory.plannedAt(rows.flatMap(keysOf)) : [];
    const created = isDry ? account.created : 0;
    const imported = await store({ rows, mode: 'complete', policy, isDry, earlier: memory, planned, created });
    memory.learn(imported);
    for (const { line, warning } of imported.warnings) options.onWarned?.(line, warning);
    return imported.outcomes;
  };
  await importBatches(batches, storeRows, options, account);
}
