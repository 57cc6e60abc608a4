import { codeOf, RosterError } from '../../api.ts';
import { Observed } from '../../observed.ts';
import { pause } from '../../patience.ts';
import type { Person } from './person.ts';
import { putAmong } from './put-among.ts';
import { askFor, type View } from './view.ts';

/** Browsers cannot scroll a taller list. */
export const rowsMax = 200_000;
/** The next page is asked for while there are still so many rows below: few until somebody scrolls, as most search on. */
const rowsAhead = { still: 20, scrolling: 300 };
/** A list that was left and is older than this is loaded again. */
const freshMs = 10_000;
/** A key that is held down asks once in this time. */
const restMs = 50;
/** Time after which an unreachable server is tried again. */
const awaySeconds = 3;

/**
 * The people of a list as far as they are loaded, with what is selected. It is kept in memory alone, so that somebody
 * who comes back from a contact finds the list as it was, and the query is nowhere else.
 */
export class PeopleList extends Observed {
  view: View | undefined;
  /** The text of the search box; the view follows it. */
  text = '';
  rows: readonly Person[] = [];
  selected: ReadonlySet<string> = new Set();
  /** Whether the rows are still those of the view before. */
  isStale = false;
  isLoading = false;
  error: Error | undefined;
  /** The row that has the keyboard. */
  active = 0;
  scrollTop = 0;
  #next: string | null = null;
  #searchedAt = 0;
  #loadedAt = 0;
  #search: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  get hasMore(): boolean {
    return this.#next !== null && this.rows.length < rowsMax;
  }

  /** Whether there are more than a browser can scroll. */
  get isCut(): boolean {
    return this.#next !== null && this.rows.length >= rowsMax;
  }

  /** Asks for the first key at once, and then for the last of what comes right after. */
  search(text: string): void {
    this.text = text;
    this.tell();
    clearTimeout(this.#search);
    const ask = () => {
      this.#searchedAt = performance.now();
      if (this.view) this.show({ ...this.view, query: text.trim() });
    };
    const wait = this.#searchedAt + restMs - performance.now();
    if (wait <= 0) ask();
    else this.#search = setTimeout(ask, wait);
  }

  show(view: View): void {
    clearTimeout(this.#search);
    if (view.query !== this.text.trim()) this.text = view.query;
    if (this.view && isSame(view, this.view)) return;
    const isElsewhere = view.chatbotId !== this.view?.chatbotId || view.isBin !== this.view.isBin;
    this.view = view;
    if (isElsewhere) this.rows = [];
    this.reload();
  }

  reload(): void {
    this.selected = new Set();
    this.active = 0;
    this.scrollTop = 0;
    this.isStale = true;
    this.#next = null;
    void this.#load('*');
  }

  /** Looks for news where the list is old, unless somebody is in the middle of something. The rows stay until then. */
  refresh(): void {
    const isFresh = performance.now() - this.#loadedAt < freshMs;
    const isBusy = this.scrollTop > 0 || this.selected.size > 0 || this.isLoading;
    if (isFresh || this.error || this.rows.length === 0) return;
    if (isBusy) return void this.#lookAgain();
    const id = this.rows[this.active]?.id;
    void this.#load('*').then(() => this.moveTo(this.rows.findIndex((one) => one.id === id)));
  }

  /** Something was changed elsewhere. */
  grewOld(): void {
    this.#loadedAt = -Infinity;
    if (this.isWatched) this.refresh();
  }

  /** Takes over what is new about the first rows; the list stays where it is. */
  async #lookAgain(): Promise<void> {
    const { view, isStale } = this;
    if (!view || isStale) return;
    const page = await askFor<Person>(view, '*', ['tags']).catch(() => undefined);
    if (!page || view !== this.view) return;
    this.#loadedAt = performance.now();
    const known = new Map(page.contacts.map((one) => [one.id, one]));
    this.change((one) => known.get(one.id) ?? one);
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

  select(ids: ReadonlySet<string>): void {
    this.selected = ids;
    this.tell();
  }

  moveTo(index: number): void {
    this.active = Math.max(0, Math.min(index, this.rows.length - 1));
    this.tell();
  }

  change(changed: (person: Person) => Person): void {
    this.rows = this.rows.map(changed);
    this.tell();
  }

  /** Takes people out, and returns how to put them back where they were. */
  remove(ids: ReadonlySet<string>): (back?: ReadonlySet<string>) => void {
    const { rows: before, view } = this;
    this.rows = before.filter(({ id }) => !ids.has(id));
    this.selected = new Set([...this.selected].filter((id) => !ids.has(id)));
    this.active = Math.max(0, Math.min(this.active, this.rows.length - 1));
    // Requests in flight may still bring them.
    if (this.isLoading && !this.isStale) {
      this.#asking.abort();
      this.isLoading = false;
    }
    this.tell();
    this.lookAhead(this.active);
    return (back = ids) => {
      if (this.view !== view) return;
      this.rows = putAmong(this.rows, before, back);
      this.tell();
    };
  }

  async #load(cursor: string): Promise<void> {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    const { view } = this;
    if (!view) return;
    this.isLoading = true;
    this.tell();
    try {
      const page = await askFor<Person>(view, cursor, ['tags'], signal);
      signal.throwIfAborted();
      this.rows = cursor === '*' ? page.contacts : [...this.rows, ...page.contacts];
      this.#next = page.next_cursor ?? null;
      this.isStale = false;
      this.error = undefined;
      if (cursor === '*') this.#loadedAt = performance.now();
    } catch (error) {
      if (signal.aborted) return;
      void this.#comeLater(signal, error);
      // The page says so itself, and the list waits.
      if (codeOf(error) === 'unreachable') return;
      this.error = error as Error;
    }
    this.isLoading = false;
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

function isSame(a: View, b: View): boolean {
  return (Object.keys(a) as (keyof View)[]).every((name) => a[name] === b[name]);
}
