export interface RateLimit {
  /** Requests that the key may send in this window. */
  limit: number;
  /** How many of them are left. */
  remaining: number;
  /** When the next window begins. */
  resetAt: Date;
}

/** The data of an answer, with its status and headers. */
export interface Answered<T> {
  data: T;
  status: number;
  headers: Headers;
  requestId: string | undefined;
  /** Pass that of one thing as `ifMatch` to change it only if nothing else has since. */
  etag: string | undefined;
  /** The path of the thing that was created. */
  location: string | undefined;
  /** Whether an earlier attempt or request made the change. */
  replayed: boolean;
  /** Undefined where the server has no limit. */
  rateLimit: RateLimit | undefined;
}

/** A promise of the data of an answer. */
export class Answer<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Answer';
  readonly #ask: () => Promise<Answered<T>>;
  #answered: Promise<Answered<T>> | undefined;

  /** Calls `ask` once, when the answer is first awaited. */
  constructor(ask: () => Promise<Answered<T>>) {
    this.#ask = ask;
  }

  /** The data with status, ETag, request id and rate limit. It sends no second request. */
  withResponse(): Promise<Answered<T>> {
    return (this.#answered ??= this.#ask());
  }

  // eslint-disable-next-line unicorn/no-thenable
  then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onData, onError);
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then(null).finally(onEnd);
  }
}

/** A promise of one page of a list, and a walk through all of it: `for await (const item of list)`. */
export class List<Page, Item> extends Answer<Page> implements AsyncIterable<Item> {
  readonly #pages: () => AsyncGenerator<Page>;
  readonly #itemsOf: (page: Page) => readonly Item[];

  constructor(
    ask: () => Promise<Answered<Page>>,
    pages: () => AsyncGenerator<Page>,
    itemsOf: (page: Page) => readonly Item[],
  ) {
    super(ask);
    this.#pages = pages;
    this.#itemsOf = itemsOf;
  }

  /** The same walk a page at a time. Use it to read more of a page than its items, such as its cursor. */
  pages(): AsyncGenerator<Page> {
    return this.#pages();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const page of this.#pages()) yield* this.#itemsOf(page);
  }
}
