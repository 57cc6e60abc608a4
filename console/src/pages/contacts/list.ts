import type { Work } from './bulk.ts';
import { type Chip, isInAddress } from './chips.ts';
import { LoadedPeople } from './loaded.ts';
import { keyOf, type Person } from './person.ts';
import { putAmong } from './put-among.ts';
import type { Filters, Total, View } from './view.ts';

/** A key that is held down asks once in this time. */
const restMs = 50;

/** Everything that a view finds, loaded or not. */
export interface Everything {
  view: View;
  total: Total;
}

/**
 * The list of contacts with what is typed and selected. It is kept in memory alone, so that somebody who comes back
 * from a contact finds the list as it was; the query and conditions that may be personal are nowhere else.
 */
export class PeopleList extends LoadedPeople {
  /** The text of the search box; the view follows it. */
  text = '';
  /** The conditions that no address holds. */
  chips: readonly Chip[] = [];
  /** Those who were picked one by one, by their keys; searches change nothing about it. */
  selected: ReadonlyMap<string, Person> = new Map();
  /** In place of `selected`. */
  everything: Everything | undefined;
  /** A change of many people that runs; one at a time. */
  work: Work | undefined;
  #searchedAt = 0;
  #search: ReturnType<typeof setTimeout> | undefined;
  #waiting: (() => void)[] = [];

  get hasSelection(): boolean {
    return this.everything !== undefined || this.selected.size > 0;
  }

  protected override get isHeld(): boolean {
    return this.hasSelection;
  }

  /** Whether a key waits for the rows. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  isSelected(person: Person): boolean {
    return this.everything?.view === this.view || this.selected.has(keyOf(person));
  }

  /** Asks for the first key at once, and then for the last of what comes right after. */
  search(text: string): void {
    this.text = text;
    this.#waiting = [];
    this.tell();
    clearTimeout(this.#search);
    const ask = () => {
      this.#search = undefined;
      this.#searchedAt = performance.now();
      if (this.view) this.show({ ...this.view, query: text.trim() });
      this.loaded();
    };
    const wait = this.#searchedAt + restMs - performance.now();
    if (wait <= 0) ask();
    else this.#search = setTimeout(ask, wait);
  }

  /** Shows what an address says, with the query and the conditions that are in none. */
  follow(filters: Filters): void {
    const isElsewhere = this.view !== undefined && filters.isBin !== this.view.isBin;
    if (isElsewhere) this.chips = [];
    const chips = filters.isBin ? [] : [...filters.chips, ...this.chips];
    this.show({ ...filters, chips, query: filters.isBin || isElsewhere ? '' : this.text.trim() });
  }

  show(view: View): void {
    clearTimeout(this.#search);
    this.#search = undefined;
    if (view.query !== this.text.trim()) this.text = view.query;
    if (this.view && isSame(view, this.view)) return;
    const isElsewhere = view.isBin !== this.view?.isBin || (view.isBin && view.chatbotId !== this.view.chatbotId);
    this.view = view;
    this.chips = view.chips.filter((chip) => !isInAddress(chip));
    if (isElsewhere) {
      this.rows = [];
      this.#pick(new Map());
    }
    this.reload();
  }

  /** Calls back as soon as the rows answer what was typed: at once, or after the answer. */
  whenLoaded(callback: () => void): void {
    this.#waiting.push(callback);
    this.loaded();
  }

  protected override loaded(): void {
    if (this.isStale || this.#search !== undefined) return;
    for (const callback of this.#waiting.splice(0)) callback();
  }

  select(people: ReadonlyMap<string, Person>): void {
    this.#pick(people);
    this.tell();
  }

  /** Selects everything that the view finds. */
  selectEverything(): void {
    const { view, total } = this;
    if (!view || !total) return;
    this.#pick(new Map(this.hasMore || this.isCut ? [] : this.rows.map((one) => [keyOf(one), one])));
    if (this.selected.size === 0) this.everything = { view, total };
    this.tell();
  }

  report(work: Work | undefined): void {
    this.work = work;
    this.tell();
  }

  /** Takes people out, and returns how to put them back where they were. */
  remove(keys: ReadonlySet<string>): (back?: ReadonlySet<string>) => void {
    const { rows: before, view } = this;
    this.replace(before.filter((one) => !keys.has(keyOf(one))));
    this.#pick(new Map([...this.selected].filter(([key]) => !keys.has(key))));
    this.tell();
    this.lookAhead(this.active);
    return (back = keys) => {
      if (this.view !== view) return;
      this.replace(putAmong(this.rows, before, back));
      this.tell();
    };
  }

  #pick(people: ReadonlyMap<string, Person>): void {
    this.selected = people;
    this.everything = undefined;
  }
}

function isSame(a: View, b: View): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
