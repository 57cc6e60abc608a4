/** What the client knows of an operation; openapi.json has the rest. */
export interface Operation {
  readonly method: string;
  /** The path, with `{name}` for each path parameter. */
  readonly path: string;
  /** Whether a retry is safe: `keyed` with an Idempotency-Key. */
  readonly repeats: 'always' | 'keyed' | 'never';
  /** Whether it needs no API key. */
  readonly isOpen?: boolean;
  readonly list?: ListShape;
}

export interface ListShape {
  /** The property of the answer that holds the items. */
  readonly items: string;
  /** The cursor parameter; lists without one are walked by page number. */
  readonly cursor?: string;
  /** The page size parameter, and its maximum. */
  readonly size: string;
  readonly sizeMax: number;
}

/** Path parameters, query and body in one object. */
export type Input = Readonly<Record<string, unknown>>;
