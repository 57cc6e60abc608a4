/** How many rows of an import are stored together, or not at all: docs/import.md. */
const batchRows = 1_000;

/** A tenth of each batch is new in each version, the rest is there from the first one on. */
const isNewIn = (row: number) => row % 10 === 9;

const idOf = (row: number, version: number) => (isNewIn(row) ? `new-${version}-${row}` : `contact-${row}`);

function contactRow(row: number, version: number): string {
  const id = idOf(row, version);
  return JSON.stringify({ id, name: `Person ${row} of ${version}`, email: `${id}@example.com` });
}

/** What is imported again and again with a version in every row, so that a torn batch can be seen. */
export interface Versioned {
  batches: number;
  /** NDJSON. */
  rows(version: number): string;
  /** How far the import of a version has come in an export as NDJSON, in batches; a sentence where one is torn. */
  batchesOf(version: number, exported: string): number | string;
}

export function versionedContacts(batches: number): Versioned {
  const numbers = Array.from({ length: batches * batchRows }, (_, row) => row);
  return {
    batches,
    rows: (version) => numbers.map((row) => contactRow(row, version)).join('\n'),
    batchesOf: (version, exported) => {
      const lines = exported.split('\n').filter((line) => line !== '');
      const people = lines.map((line) => JSON.parse(line) as { id: string; name: string });
      const names = new Map(people.map(({ id, name }) => [id, name]));
      return wholeBatches(batches, version, (row) => {
        const name = names.get(idOf(row, version));
        if (name === undefined) return isNewIn(row) || version === 1 ? version - 1 : undefined;
        return name.startsWith(`Person ${row} of `) ? Number(name.split(' ').at(-1)) : undefined;
      });
    },
  };
}

/** Each batch has to be of one version, this or the one before, and no later one ahead of an earlier. */
function wholeBatches(
  batches: number,
  version: number,
  versionOf: (row: number) => number | undefined,
): number | string {
  let stored = 0;
  for (let batch = 0; batch < batches; batch++) {
    const rows = Array.from({ length: batchRows }, (_, index) => batch * batchRows + index);
    const versions = new Set(rows.map(versionOf));
    const [only] = versions;
    if (versions.size !== 1 || only === undefined)
      return `batch ${batch} of version ${version} is torn: rows of ${[...versions].join(', ')}`;
    if (only !== version && only !== version - 1) return `batch ${batch} is of version ${only}, not ${version}`;
    if (only === version && stored < batch) return `batch ${batch} of version ${version} came before ${stored}`;
    if (only === version) stored++;
  }
  return stored;
}
