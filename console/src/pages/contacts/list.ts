import { codeOf, RosterError } from '../../api.ts';
import { pause } from '../../patience.ts';
import type { SearchContactsInput } from '../../types.ts';
import { isInAddress } from './chips.ts';
import { chosenColumns, includeOf, keepColumns } from './columns.tsx';
import { keyOf, type Person } from './person.ts';
import { putAmong } from './put-among.ts';
import { byKey, Selection } from './selection.ts';
import { addressOf, askFor, askTotal, type Filters, isSame, type Page, type View } from './view.ts';

/** The next page is asked for while there are still so many rows below: few until somebody scrolls, as most search on. */
const rowsAhead = { still: 20, scrolling: 300 };
/** A list that was left and is older than this is loaded again. */
const freshMs = 10_000;
/** A key that is held down asks once in this time. */
const restMs = 50;

export type Include = NonNullable<SearchContactsInput['include']>;

/**
 * The list of contacts, as far as it is loaded. It is kept in memory alone, so that somebody who comes back from a
 * contact finds the list as it was; the query and conditions that may be personal are nowhere else.
 */
export class PeopleList extends Selection {
  /** Whether the rows are still those of the view before. */
  isStale = true;
  isLoading = false;
  error: Error | undefined;
  scrollTop = 0;
  /** Ids of the chosen columns. */
  columns = chosenColumns();
  #next: string | null = null;
  #askedAt = -Infinity;
  #answeredAt = -Infinity;
  #asking = new AbortController();
  #counting = new AbortController();
  #waiting: (() => void)[] = [];

  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** Shows what an address says, with the query and the conditions that are in none. */
  follow(filters: Filters): void {
    const { view } = this;
    if (addressOf(filters) === addressOf(view)) this.show(view);
    else if (filters.isBin || view.isBin) this.show({ ...filters, query: '' });
    else {
      const hidden = view.chips.filter((chip) => !isInAddress(chip));
      this.show({ ...filters, chips: [...filters.chips, ...hidden], query: view.query });
    }
  }

  show(view: View): void {
    const before = this.view;
    this.view = view;
    this.tell();
    if (isSame(view, before) && (this.isLoading || !this.isStale)) return;
    const isElsewhere = view.isBin !== before.isBin || (view.isBin && view.chatbotId !== before.chatbotId);
    if (isElsewhere) this.rows = [];
    this.select(isElsewhere || this.everything ? new Map() : this.selected);
    this.reload();
  }

  reload(): void {
    this.#waiting = [];
    this.active = 0;
    this.scrollTop = 0;
    this.isStale = true;
    this.total = undefined;
    this.#next = null;
    void this.#load();
  }

  retry(): void {
    void this.#load(this.#next ?? '*');
  }

  /** Looks for news where the list is old: at its top for other rows, else only about those who are in it. */
  async refresh(): Promise<void> {
    if (this.isStale || this.error || performance.now() - this.#answeredAt < freshMs) return;
    const { rows, active } = this;
    const page = await askFor(this.view, '*', includeOf(this.columns)).catch(() => undefined);
    if (!page || this.isStale) return;
    // Somebody went on meanwhile.
    if (this.rows !== rows) return this.refresh();
    if (this.scrollTop > 0 || this.isLoading) {
      const known = byKey(page.contacts);
      this.#answeredAt = performance.now();
      this.change((one) => known.get(keyOf(one)) ?? one);
    } else {
      const key = rows[active] && keyOf(rows[active]);
      this.#take(page, true);
      this.moveTo(this.rows.findIndex((one) => keyOf(one) === key));
    }
  }

  /** Something was changed elsewhere, or the server is back. */
  grewOld(): void {
    this.#answeredAt = -Infinity;
    if (!this.isWatched) return;
    if (this.isStale || this.error) this.retry();
    else void this.refresh();
  }

  /** Shows other columns, which may need more of each person. */
  choose(columns: readonly string[]): void {
    this.columns = columns;
    keepColumns(columns);
    void this.#load();
  }

  /** Loads the next page where the reader comes near the end. */
  lookAhead(lastSeen: number): void {
    if (this.isLoading || this.error || this.#next === null) return;
    const ahead = this.scrollTop === 0 ? rowsAhead.still : rowsAhead.scrolling;
    if (lastSeen + ahead >= this.rows.length) void this.#load(this.#next);
  }

  /** Calls back as soon as the rows answer what was typed: at once, or after the answer. */
  whenLoaded(callback: () => void): void {
    this.#waiting.push(callback);
    this.#loaded();
  }

  /** Takes people out, and returns how to put them back where they were. */
  remove(keys: ReadonlySet<string>): (back?: ReadonlySet<string>) => void {
    const { rows: before, view } = this;
    this.#replace(before.filter((one) => !keys.has(keyOf(one))));
    this.select(new Map([...this.selected].filter(([key]) => !keys.has(key))));
    return (back = keys) => {
      if (isSame(view, this.view)) this.#replace(putAmong(this.rows, before, back));
    };
  }

  /** What is on its way may be about the former rows. */
  #replace(rows: readonly Person[]): void {
    const { total, rows: before } = this;
    if (total?.isExact === true) this.total = { ...total, value: total.value + rows.length - before.length };
    this.rows = rows;
    if (!this.isStale) {
      this.#asking.abort();
      this.isLoading = false;
    }
    this.moveTo(this.active);
  }

  async #load(cursor = '*'): Promise<void> {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    this.isLoading = true;
    this.tell();
    let retryAfter: number | undefined;
    try {
      if (cursor === '*') {
        this.#counting.abort();
        await pause(this.#askedAt + restMs - performance.now(), signal);
        this.#askedAt = performance.now();
      }
      const page = await askFor(this.view, cursor, includeOf(this.columns), signal);
      signal.throwIfAborted();
      this.#take(page, cursor === '*');
    } catch (error) {
      if (signal.aborted) return;
      // The page says itself that the server is away.
      if (codeOf(error) !== 'unreachable') this.error = error as Error;
      if (error instanceof RosterError) ({ retryAfter } = error);
    }
    this.isLoading = false;
    this.tell();
    this.#loaded();
    if (retryAfter === undefined) return;
    await pause(retryAfter * 1000, signal).then(
      () => this.retry(),
      () => undefined,
    );
  }

  #take({ contacts, next_cursor: next = null }: Page, isFirst: boolean): void {
    this.rows = isFirst ? contacts : [...this.rows, ...contacts];
    this.#next = next;
    this.isStale = false;
    this.error = undefined;
    if (isFirst) this.#answeredAt = performance.now();
    if (next === null) this.total = { value: this.rows.length, isExact: true };
    else if (isFirst) void this.#count();
  }

  /** The rows never wait for it; without it they go on. */
  async #count(): Promise<void> {
    const { signal } = (this.#counting = new AbortController());
    const total = await askTotal(this.view, signal).catch(() => undefined);
    if (signal.aborted || this.#next === null) return;
    this.total = total;
    this.tell();
  }

  #loaded(): void {
    if (this.isStale) return;
    for (const callback of this.#waiting.splice(0)) callback();
  }
}
