import { codeOf, RosterError } from '../../api.ts';
import { Observed } from '../../observed.ts';
import { pause } from '../../patience.ts';
import type { SearchContactsInput } from '../../types.ts';
import { keyOf, type Person } from './person.ts';
import { askFor, askTotal, type Total, type View } from './view.ts';

/** Browsers cannot scroll a taller list. */
export const rowsMax = 200_000;
/** The next page is asked for while there are still so many rows below: few until somebody scrolls, as most search on. */
const rowsAhead = { still: 20, scrolling: 300 };
/** A list that was left and is older than this is loaded again. */
const freshMs = 10_000;
/** Time after which an unreachable server is tried again. */
const awaySeconds = 3;

export type Include = NonNullable<SearchContactsInput['include']>;

/** The people of a view as far as they are loaded. */
export abstract class LoadedPeople extends Observed {
  view: View | undefined;
  rows: readonly Person[] = [];
  /** Missing while it is not known. */
  total: Total | undefined;
  /** Whether the rows are still those of the view before. */
  isStale = true;
  isLoading = false;
  error: Error | undefined;
  /** The row that has the keyboard. */
  active = 0;
  scrollTop = 0;
  include: Include = ['tags'];
  #next: string | null = null;
  #loadedAt = 0;
  #asking = new AbortController();
  #counting = new AbortController();

  /** Whether somebody is in the middle of something that new rows would disturb. */
  protected abstract get isHeld(): boolean;
  protected abstract loaded(): void;

  get hasMore(): boolean {
    return this.#next !== null && this.rows.length < rowsMax;
  }

  /** Whether there are more than a browser can scroll. */
  get isCut(): boolean {
    return this.#next !== null && this.rows.length >= rowsMax;
  }

  reload(): void {
    this.#counting.abort();
    this.active = 0;
    this.scrollTop = 0;
    this.isStale = true;
    this.#next = null;
    void this.#load('*');
  }

  /** Looks for news where the list is old. The rows stay until then. */
  refresh(): void {
    const isFresh = performance.now() - this.#loadedAt < freshMs;
    if (isFresh || this.error || this.rows.length === 0) return;
    if (this.scrollTop > 0 || this.isHeld || this.isLoading) void this.#lookAgain();
    else this.reloadInPlace();
  }

  /** Loads the first rows anew, and stays with the one that has the keyboard. */
  reloadInPlace(): void {
    const active = this.rows[this.active];
    const key = active && keyOf(active);
    void this.#load('*').then(() => this.moveTo(this.rows.findIndex((one) => keyOf(one) === key)));
  }

  /** Loads more of each person, for columns that were not shown. */
  ask(include: Include): void {
    const isMore = include.some((one) => !this.include.includes(one));
    this.include = include;
    if (isMore && this.rows.length > 0) this.reloadInPlace();
  }

  /** Something was changed elsewhere. */
  grewOld(): void {
    this.#loadedAt = -Infinity;
    if (this.isWatched) this.refresh();
  }

  /** Loads the next page where the reader comes near the end. */
  lookAhead(lastSeen: number): void {
    if (this.isLoading || this.error !== undefined || this.#next === null || !this.hasMore) return;
    const ahead = this.scrollTop === 0 ? rowsAhead.still : rowsAhead.scrolling;
    if (lastSeen + ahead >= this.rows.length) void this.#load(this.#next);
  }

  retry(): void {
    void this.#load(this.#next ?? '*');
  }

  moveTo(index: number): void {
    this.active = Math.max(0, Math.min(index, this.rows.length - 1));
    this.tell();
  }

  change(changed: (person: Person) => Person): void {
    this.rows = this.rows.map(changed);
    this.tell();
  }

  /** Puts other rows in the place of those that are loaded; what is on its way may be about the former ones. */
  protected replace(rows: readonly Person[]): void {
    const more = rows.length - this.rows.length;
    this.rows = rows;
    if (this.total?.isExact === true) this.total = { ...this.total, value: this.total.value + more };
    this.active = Math.max(0, Math.min(this.active, rows.length - 1));
    if (!this.isLoading || this.isStale) return;
    this.#asking.abort();
    this.isLoading = false;
  }

  /** Takes over what is new about the first rows; the list stays where it is. */
  async #lookAgain(): Promise<void> {
    const { view, isStale } = this;
    if (!view || isStale) return;
    const page = await askFor<Person>(view, '*', this.include).catch(() => undefined);
    if (!page || view !== this.view) return;
    this.#loadedAt = performance.now();
    const known = new Map(page.contacts.map((one) => [keyOf(one), one]));
    this.change((one) => known.get(keyOf(one)) ?? one);
  }

  async #load(cursor: string): Promise<void> {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    const { view } = this;
    if (!view) return;
    this.isLoading = true;
    this.tell();
    try {
      const page = await askFor<Person>(view, cursor, this.include, signal);
      signal.throwIfAborted();
      this.rows = cursor === '*' ? page.contacts : [...this.rows, ...page.contacts];
      this.#next = page.next_cursor ?? null;
      this.isStale = false;
      this.error = undefined;
      if (cursor === '*') this.#loadedAt = performance.now();
      if (this.#next === null) this.total = { value: this.rows.length, isExact: true };
      else if (cursor === '*') void this.#loadTotal(view);
    } catch (error) {
      if (signal.aborted) return;
      void this.#comeLater(signal, error);
      // The page says so itself, and the list waits.
      if (codeOf(error) === 'unreachable') return;
      this.error = error as Error;
    }
    this.isLoading = false;
    this.tell();
    this.loaded();
  }

  /** The rows never wait for it; without it they go on. */
  async #loadTotal(view: View): Promise<void> {
    this.total = undefined;
    this.#counting = new AbortController();
    const total = await askTotal(view, this.#counting.signal).catch(() => undefined);
    if (this.view !== view || this.isStale || this.#next === null) return;
    this.total = total;
    this.tell();
  }

  /** Retries when the server says so, or shortly while it is unreachable. */
  async #comeLater(signal: AbortSignal, error: unknown): Promise<void> {
    const asked = error instanceof RosterError ? error.retryAfter : undefined;
    const seconds = asked ?? (codeOf(error) === 'unreachable' ? awaySeconds : undefined);
    if (seconds === undefined) return;
    await pause(seconds * 1000, signal).then(
      () => this.retry(),
      () => undefined,
    );
  }
}
