import type { ImportMemory, Row, Stored } from '../imports.ts';
import type { StoredContact } from './contact.ts';
import type { ContactDraft } from './draft.ts';
import { keyHash, personKeys, rowKeys } from './import-keys.ts';

/** Somebody of whom rows of this import spoke: the last accepted row's line, 0 for none, and the digests of all. */
export interface Remembered {
  id: string;
  line: number;
  digests: readonly string[];
}

/** `keys` are hashes of the keys by which later rows could mean them. */
export interface Met extends Remembered {
  keys: readonly string[];
}

export interface ToldMemory extends ImportMemory<StoredContact> {
  /** The people of these rows, and the state to remember of them. */
  met(rows: readonly Row<ContactDraft>[], stored: Stored<StoredContact>): Met[];
  /** The people decided in this batch, as they would be stored. */
  decided(): StoredContact[];
}

interface Entry {
  line: number;
  digests: Set<string>;
}

/**
 * The caller's memory of earlier batches of an import, as far as it concerns this one: a request knows nothing
 * of the one before. `planned` are people that a dry run would have stored.
 */
export function toldMemory(remembered: readonly Remembered[], planned: readonly StoredContact[]): ToldMemory {
  const entries = new Map(
    remembered.map(({ id, line, digests }): [string, Entry] => [`id:${id}`, { line, digests: new Set(digests) }]),
  );
  const people = new Map<string, StoredContact>();
  // Among people who share a key, the one inserted first counts.
  for (const person of planned.toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1))) {
    for (const key of personKeys(person)) people.set(key, person);
  }
  const decided = new Map<string, StoredContact>();
  const identities: string[] = [];
  return {
    lineOf: (key) => entries.get(key)?.line || undefined,
    remember: (key, line) => entries.set(key, { line, digests: entries.get(key)?.digests ?? new Set() }),
    seen: (key, digest, isNew) => {
      identities.push(key);
      const entry = isNew ? undefined : entries.get(key);
      if (entry?.digests.has(digest) === true) return true;
      if (entry) entry.digests.add(digest);
      else entries.set(key, { line: 0, digests: new Set([digest]) });
      return false;
    },
    planned: {
      get: (key) => people.get(key),
      set: (key, person) => {
        people.set(key, person);
        decided.set(person.id, person);
      },
    },
    met: (rows, stored) => {
      const keys = new Map<string, Set<string>>();
      for (const [index, { draft }] of rows.entries()) {
        const identity = identities[index] ?? '';
        const own = rowKeys(draft);
        const person = people.get(identity) ?? [...own].flatMap(stored).find(({ id }) => `id:${id}` === identity);
        // Somebody new who was refused is nobody to later rows.
        if (!person) continue;
        keys.set(identity, new Set([...(keys.get(identity) ?? personKeys(person)), ...own]));
      }
      return [...keys].map(([identity, all]) => {
        const { line = 0, digests = [] } = entries.get(identity) ?? {};
        return { id: identity.slice('id:'.length), line, digests: [...digests], keys: [...all].map(keyHash) };
      });
    },
    decided: () => [...decided.values()],
  };
}

function rank({ id, inserted_as: insertedAs }: StoredContact): string {
  return insertedAs ?? id;
}
