import type { Person } from './person.ts';

/** The rows with those of `before` who return, each above the row that followed, as the rows may be others since. */
export function putAmong(rows: readonly Person[], before: readonly Person[], returned: ReadonlySet<string>): Person[] {
  const present = new Set(rows.map(({ id }) => id));
  const above = new Map<string | undefined, Person[]>();
  let group: Person[] = [];
  above.set(undefined, group);
  for (const person of before.toReversed()) {
    if (present.has(person.id)) above.set(person.id, (group = []));
    else if (returned.has(person.id)) group.push(person);
  }
  const aboveRow = (id?: string) => (above.get(id) ?? []).toReversed();
  return [...rows.flatMap((row) => [...aboveRow(row.id), row]), ...aboveRow()];
}
