import { useMemo } from 'preact/hooks';

import { codeOf, requests } from './api.ts';
import { Observed, useObserved } from './observed.ts';
import { returns } from './reach.ts';
import { makesOld } from './topics.ts';
import { asError } from './use-action.ts';

/** Names an answer of the server. The first word is its topic. */
export type QueryKey = readonly [topic: string, ...rest: readonly string[]];

export interface Loaded<Data> {
  data: Data | undefined;
  /** Missing while the server is away: the page says so once, and asks again by itself. */
  error: Error | undefined;
  isLoading: boolean;
  /** Asks again; what is shown stays until the answer comes. */
  reload: () => void;
  /** Keeps a known outcome without a request. */
  set: (data: Data) => void;
}

type Load<Data> = (signal: AbortSignal) => Promise<Data>;

/** Whoever comes back to a screen so soon sees what it showed, without another request. */
const freshMs = 2_000;
/** A tab that was hidden for so long looks for news when it is shown. */
const hiddenMs = 30_000;
/** After such a time what could not be reached is asked for again. */
const awayMs = 3_000;
/** Changes that come close together make each answer old once. */
const togetherMs = 50;
const keptMax = 100;

class Query<Data> extends Observed {
  data: Data | undefined;
  error: Error | undefined;
  isLoading = true;
  isOld = true;
  load: Load<Data>;
  #answeredAt = -Infinity;
  #asking: AbortController | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(load: Load<Data>) {
    super();
    this.load = load;
  }

  override listen(listener: () => void): () => void {
    const leave = super.listen(listener);
    if (this.isOld || performance.now() - this.#answeredAt > freshMs) void this.ask();
    return () => {
      leave();
      if (!this.isWatched) this.stop();
    };
  }

  /** Asks; where an answer is on its way, asks again after it. */
  readonly reload = (): void => {
    this.isOld = true;
    void this.ask();
  };

  readonly set = (data: Data): void => {
    this.stop();
    this.#settle({ data });
    this.isOld = false;
  };

  stop(): void {
    this.#asking?.abort();
    this.#asking = undefined;
    clearTimeout(this.#again);
  }

  async ask(): Promise<void> {
    if (this.#asking) return;
    clearTimeout(this.#again);
    const { signal } = (this.#asking = new AbortController());
    this.isOld = false;
    this.isLoading = true;
    this.tell();
    const settled = await this.load(signal).then(
      (data) => ({ data }),
      (error: unknown) => ({ error: asError(error) }),
    );
    if (signal.aborted) return;
    this.#asking = undefined;
    // A failure makes it old too, but is no reason to ask at once.
    const isOldAlready = this.isOld;
    this.#settle(settled);
    if (isOldAlready && this.isWatched) void this.ask();
  }

  #settle(settled: { data: Data } | { error: Error }): void {
    if ('data' in settled) {
      this.data = settled.data;
      this.error = undefined;
      this.#answeredAt = performance.now();
    } else {
      const code = codeOf(settled.error);
      this.isOld = true;
      this.error = code === 'unreachable' ? undefined : settled.error;
      const isAway = code === 'unreachable' || code === 'unavailable';
      if (isAway && this.isWatched) this.#again = setTimeout(this.reload, awayMs);
    }
    this.isLoading = 'error' in settled && this.error === undefined;
    this.tell();
  }
}

const queries = new Map<string, Query<unknown>>();

function queryOf<Data>(key: QueryKey, load: Load<Data>): Query<Data> {
  const name = JSON.stringify(key);
  const known = queries.get(name) as Query<Data> | undefined;
  if (known) return known;
  for (const [other, { isWatched }] of queries) {
    if (queries.size < keptMax) break;
    if (!isWatched) queries.delete(other);
  }
  const query = new Query(load);
  queries.set(name, query as Query<unknown>);
  return query;
}

/** What the server said last, which all screens share. It is asked for where it is old, and after each change. */
export function useQuery<Data>(key: QueryKey, load: Load<Data>): Loaded<Data> {
  const query = useObserved(useMemo(() => queryOf(key, load), [JSON.stringify(key)]));
  query.load = load;
  return query;
}

/** Asks for what a screen is about to show. */
export function prefetch<Data>(key: QueryKey, load: Load<Data>): void {
  void queryOf(key, load).ask();
}

/** Forgets all answers: the next person must not see them. Requests go on, as the next page may already wait for one. */
export function forgetAnswers(): void {
  queries.clear();
}

/** Tells where somebody changed something in another tab, or the server was away. */
export const oldElsewhere = new Observed<[isOld: (topic: string) => boolean]>();

/** Makes old what is about these topics, here and in other tabs. */
export function invalidate(...topics: readonly string[]): void {
  if (topics.length === 0) return;
  makeOld(topics);
  for (const topic of topics) untold.add(topic);
  telling ??= setTimeout(() => {
    tabs.postMessage([...untold]);
    untold.clear();
    telling = undefined;
  }, togetherMs);
}

let asking: ReturnType<typeof setTimeout> | undefined;

function makeOld(topics: readonly string[]): void {
  for (const [name, query] of queries) {
    const [topic] = JSON.parse(name) as QueryKey;
    if (topics.includes(topic) || topics.includes('*')) query.isOld = true;
  }
  asking ??= setTimeout(() => {
    asking = undefined;
    for (const query of queries.values()) if (query.isOld && query.isWatched) void query.ask();
  }, togetherMs);
}

function makeOldHere(topics: readonly string[]): void {
  makeOld(topics);
  oldElsewhere.tell((topic) => topics.includes(topic) || topics.includes('*'));
}

/** Carries topics alone. */
const tabs = new BroadcastChannel('roster');
const untold = new Set<string>();
let telling: ReturnType<typeof setTimeout> | undefined;

tabs.addEventListener('message', ({ data }: MessageEvent<string[]>) => makeOldHere(data));
requests.listen((request) => invalidate(...makesOld(request)));
returns.listen(() => makeOldHere(['*']));

let hiddenAt = 0;
document.addEventListener('visibilitychange', () => {
  if (document.hidden) hiddenAt = performance.now();
  else if (performance.now() - hiddenAt > hiddenMs) makeOldHere(['*']);
});
