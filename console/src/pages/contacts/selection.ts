import { Observed } from '../../observed.ts';
import type { Work } from './bulk.ts';
import { keyOf, type Person } from './person.ts';
import { noFilters, type Total, type View } from './view.ts';

/** People to do something with: all that a view finds, or some by their keys. */
export type Whom = View | ReadonlyMap<string, Person>;

/** The rows of a view that are loaded, and who is selected. */
export class Selection extends Observed {
  view: View = { ...noFilters, query: '' };
  rows: readonly Person[] = [];
  /** Missing while it is not known. */
  total: Total | undefined;
  /** The row that has the keyboard. */
  active = 0;
  /** Those who were picked one by one, by their keys; searches change nothing about it. */
  selected: ReadonlyMap<string, Person> = new Map();
  /** In place of `selected`: everything that the view finds, loaded or not. */
  everything: Total | undefined;
  /** A change of many people that runs; one at a time. */
  work: Work | undefined;
  /** Where a range begins: the row that was chosen last. */
  #anchor = 0;

  get hasSelection(): boolean {
    return this.everything !== undefined || this.selected.size > 0;
  }

  get areAllSelected(): boolean {
    return this.rows.length > 0 && this.rows.every((one) => this.isSelected(one));
  }

  get whom(): Whom {
    return this.everything ? this.view : this.selected;
  }

  get size(): Total {
    return this.everything ?? { value: this.selected.size, isExact: true };
  }

  isSelected(person: Person): boolean {
    return this.everything !== undefined || this.selected.has(keyOf(person));
  }

  select(people: ReadonlyMap<string, Person> = new Map(), everything?: Total): void {
    this.selected = people;
    this.everything = everything;
    this.tell();
  }

  selectEverything(): void {
    if (this.rows.length === this.total?.value) this.select(byKey(this.rows));
    else this.select(new Map(), this.total);
  }

  /** Chooses or leaves the row; with `isRange` everybody from the row that was chosen before. */
  toggle(index: number, isRange: boolean): void {
    const { rows, everything } = this;
    const person = rows[index];
    if (!person) return;
    // Without one of them it is no longer everything: those who are loaded stay.
    const selected = new Map(everything ? byKey(rows) : this.selected);
    if (isRange && selected.size > 0) {
      const [from, to] = index < this.#anchor ? [index, this.#anchor] : [this.#anchor, index];
      for (const [key, one] of byKey(rows.slice(from, to + 1))) selected.set(key, one);
    } else if (!selected.delete(keyOf(person))) {
      selected.set(keyOf(person), person);
    }
    this.#anchor = index;
    this.select(selected);
  }

  /** Adds everybody who is loaded, or leaves them where they all are chosen. */
  toggleAll(): void {
    const loaded = byKey(this.rows);
    if (!this.areAllSelected) this.select(new Map([...this.selected, ...loaded]));
    else this.select(new Map([...this.selected].filter(([key]) => !loaded.has(key))));
  }

  moveTo(index: number): void {
    this.active = Math.max(0, Math.min(index, this.rows.length - 1));
    this.tell();
  }

  change(changed: (person: Person) => Person): void {
    this.rows = this.rows.map(changed);
    this.tell();
  }

  report(work: Work | undefined): void {
    this.work = work;
    this.tell();
  }
}

export function byKey(people: readonly Person[]): Map<string, Person> {
  return new Map(people.map((one) => [keyOf(one), one]));
}
