import { keyHash } from '../../../../src/contacts/change/keys.ts';
import type { StoredContact } from '../../../../src/contacts/contact.ts';
import type { ContactDraft } from '../../../../src/contacts/draft.ts';
import { rowKeys } from '../../../../src/contacts/import-keys.ts';
import type { GivenRow, ImportedRows, Remembered, RowsToImport } from '../../../../src/contacts/import-rows.ts';
import type { ConflictPolicy, Outcome, Row } from '../../../../src/imports.ts';

export type RowsBody = Omit<RowsToImport, 'chatbotId'>;

interface Sending {
  policy: ConflictPolicy;
  dryRun: boolean;
  post: (body: RowsBody) => Promise<ImportedRows>;
  onWarned?: (line: number, warning: string) => void;
  /** What went wrong with a request. */
  onFailed: (error: unknown) => void;
  rowsMax?: number;
}

/** The server takes 1 MiB; the rest is for the names around the rows. */
const bytesMax = 950_000;
const peopleMax = 4_000;
const digestsMax = 1_000;

/**
 * Sends rows in requests that the server takes, and tells each what earlier ones said of the same people. Where one
 * fails, the outcomes are those of the requests before it: their rows are stored.
 */
export function rowSender({ policy, dryRun, post, onWarned, onFailed, rowsMax = 1_000 }: Sending) {
  const memory = openMemory();
  let created = 0;
  return async (rows: readonly Row<ContactDraft>[]): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    while (outcomes.length < rows.length) {
      const batch = pack(rows, outcomes.length, memory, rowsMax);
      const body = { on_conflict: policy, dry_run: dryRun, ...batch, created };
      const answer = await post(body).catch((error: unknown) => {
        onFailed(error);
      });
      if (!answer) break;
      if (answer.outcomes.length !== batch.rows.length) throw new Error('the answer is about other rows');
      memory.learn(answer);
      if (dryRun) created += answer.outcomes.filter((outcome) => outcome === 'created').length;
      for (const { line, warning } of answer.warnings) onWarned?.(line, warning);
      outcomes.push(...answer.outcomes);
    }
    return outcomes;
  };
}

type Batch = Required<Pick<RowsBody, 'rows' | 'remembered' | 'planned'>>;

/** The rows from this place on that fit into one request, at least one, with what concerns them. */
function pack(rows: readonly Row<ContactDraft>[], from: number, memory: Memory, rowsMax: number): Batch {
  const batch = { rows: [] as GivenRow[], remembered: [] as Remembered[], planned: [] as StoredContact[] };
  const done = new Set<string>();
  let bytes = 0;
  for (const row of rows.slice(from, from + rowsMax)) {
    const given = asGiven(row);
    const fresh = memory.about(row).filter(({ told }) => !done.has(told.id));
    bytes += sizeOf([given, fresh]);
    if (batch.rows.length > 0 && (bytes > bytesMax || done.size + fresh.length > peopleMax)) break;
    batch.rows.push(given);
    for (const { told, person } of fresh) {
      done.add(told.id);
      batch.remembered.push(told);
      if (person) batch.planned.push(person);
    }
  }
  return batch;
}

/** `values` is always there: a row without details may mean somebody by it. */
function asGiven({ line, digest, draft: { texts, tags, attributes = {}, earlier } }: Row<ContactDraft>): GivenRow {
  const named = Object.entries(attributes).map(([name, value]) => [`attributes.${name}`, value] as const);
  const values = { ...Object.fromEntries(named), ...(tags && { tags }) };
  return { line, digest, texts, values, ...(earlier && { earlier }) };
}

const encoder = new TextEncoder();

function sizeOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

type Memory = ReturnType<typeof openMemory>;

/** The answers about people, found by the hashes of their keys. */
function openMemory() {
  const known = new Map<string, { told: Remembered; person?: StoredContact | undefined }>();
  // Nearly every key is that of one person, who needs no list.
  const idsByKey = new Map<string, string | string[]>();
  const idsOf = (key: string) => [idsByKey.get(key) ?? []].flat();
  const learnKey = (key: string, id: string) => {
    const ids = idsOf(key);
    if (!ids.includes(id)) idsByKey.set(key, ids.length === 0 ? id : [...ids, id]);
  };
  return {
    about: (row: Row<ContactDraft>) => {
      const ids = new Set([...rowKeys(row)].flatMap((key) => idsOf(keyHash(key))));
      return [...ids].flatMap((id) => known.get(id) ?? []);
    },
    learn: ({ met, planned }: ImportedRows) => {
      for (const { id, line, digests, keys } of met) {
        const before = known.get(id);
        const all = [...(before?.told.digests ?? []), ...digests];
        known.set(id, { told: { id, line, digests: all.slice(-digestsMax) }, person: before?.person });
        for (const key of keys) learnKey(key, id);
      }
      for (const person of planned) {
        const { told } = known.get(person.id) ?? {};
        if (told) known.set(person.id, { told, person });
      }
    },
  };
}
