import type { PeopleList } from './list.ts';

/** Where a range begins: the row that was chosen last. */
let anchor = 0;

/** Chooses or leaves the row; with `isRange` everybody from the row that was chosen before. */
export function toggle(list: PeopleList, index: number, isRange: boolean): void {
  const person = list.rows[index];
  if (!person) return;
  const selected = new Set(list.selected);
  if (isRange && selected.size > 0) {
    const [from, to] = index < anchor ? [index, anchor] : [anchor, index];
    for (const { id } of list.rows.slice(from, to + 1)) selected.add(id);
  } else if (!selected.delete(person.id)) {
    selected.add(person.id);
  }
  anchor = index;
  list.select(selected);
}

/** Everybody who is loaded, or nobody where they all are chosen. */
export function toggleAll(list: PeopleList): void {
  const isAll = list.selected.size === list.rows.length;
  list.select(new Set(isAll ? [] : list.rows.map(({ id }) => id)));
}
