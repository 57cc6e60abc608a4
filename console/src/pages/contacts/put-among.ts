import { keyOf, type Person } from './person.ts';

/** The rows with those of `before` who return, each above the row that followed, as the rows may be others since. */
export function putAmong(rows: readonly Person[], before: readonly Person[], returned: ReadonlySet<string>): Person[] {
  const present = new Set(rows.map(keyOf));
  const above = new Map<string | undefined, Person[]>();
  let group: Person[] = [];
  above.set(undefined, group);
  for (const person of before.toReversed()) {
    const key = keyOf(person);
    if (present.has(key)) above.set(key, (group = []));
    else if (returned.has(key)) group.push(person);
  }
  const aboveRow = (key?: string) => (above.get(key) ?? []).toReversed();
  return [...rows.flatMap((row) => [...aboveRow(keyOf(row)), row]), ...aboveRow()];
}
