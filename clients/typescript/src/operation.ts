/** What the client knows of an operation; openapi.json has the rest. */
export interface Operation {
  readonly method: string;
  /** With `{name}` for what stands in the path. */
  readonly path: string;
  /** Whether a repeat changes nothing more; `keyed` with an Idempotency-Key alone. */
  readonly repeats: 'always' | 'keyed' | 'never';
  /** Needs no key. */
  readonly isOpen?: boolean;
  readonly list?: ListShape;
}

export interface ListShape {
  /** The member of the answer that has the items. */
  readonly items: string;
  /** The parameter that a walk by cursors moves; without it a walk goes from page to page. */
  readonly cursor?: string;
  /** The parameter that says how many items an answer has, and the most that it may be. */
  readonly size: string;
  readonly sizeMax: number;
}

/** Path parameters, query and body in one object. */
export type Input = Readonly<Record<string, unknown>>;
