import type { PeopleList } from './list.ts';
import { keyOf } from './person.ts';

/** Where a range begins: the row that was chosen last. */
let anchor = 0;

/** Chooses or leaves the row; with `isRange` everybody from the row that was chosen before. */
export function toggle(list: PeopleList, index: number, isRange: boolean): void {
  const person = list.rows[index];
  if (!person) return;
  // Without one of them it is no longer everything: those who are loaded stay.
  const loaded = list.everything ? list.rows.map((one) => [keyOf(one), one] as const) : [];
  const selected = new Map([...list.selected, ...loaded]);
  if (isRange && selected.size > 0) {
    const [from, to] = index < anchor ? [index, anchor] : [anchor, index];
    for (const one of list.rows.slice(from, to + 1)) selected.set(keyOf(one), one);
  } else if (!selected.delete(keyOf(person))) {
    selected.set(keyOf(person), person);
  }
  anchor = index;
  list.select(selected);
}

export function areAllSelected(list: PeopleList): boolean {
  return list.rows.length > 0 && list.rows.every((one) => list.isSelected(one));
}

/** Adds everybody who is loaded, or leaves them where they all are chosen. */
export function toggleAll(list: PeopleList): void {
  const isAll = areAllSelected(list);
  const selected = new Map(list.selected);
  for (const one of list.rows) {
    if (isAll) selected.delete(keyOf(one));
    else selected.set(keyOf(one), one);
  }
  list.select(selected);
}
