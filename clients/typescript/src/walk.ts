import type { Input, ListShape } from './operation.ts';
import { backoffMs, pause } from './pause.ts';

/** The properties of a page that lead to the next one. */
export interface ListAnswer {
  pages?: { current_page: number; last_page: number };
  next_cursor?: string | null;
}

const atOnceMs = 1_000;

/**
 * Yields page after page, by cursor if the list and the server have one: each item that exists throughout comes exactly
 * once. It starts at the given `page` or cursor. With `wait` it ends only with its signal.
 */
export async function* walk<Page extends ListAnswer>(
  { items, cursor, size, sizeMax }: ListShape,
  isChatling: boolean,
  input: Input,
  ask: (input: Input) => Promise<Page>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Page> {
  const byCursor = cursor !== undefined && !isChatling && input['page'] === undefined;
  const beginning = byCursor ? { [cursor]: '*' } : {};
  const given: Input = { ...(isChatling ? {} : { [size]: sizeMax }), ...beginning, ...defined(input) };
  let at: Input = {};
  for (;;) {
    const askedAt = Date.now();
    const page = await ask({ ...given, ...at });
    yield page;
    const isEmpty = (page as unknown as Record<string, unknown[]>)[items]?.length === 0;
    if (page.next_cursor === undefined || cursor === undefined) {
      const { current_page: current = 1, last_page: last = 1 } = page.pages ?? {};
      if (isEmpty || current >= last) return;
      at = { page: current + 1 };
      continue;
    }
    // Events always have a next cursor: at the end it stays the same.
    const isFollowing = Number(input['wait'] ?? 0) > 0;
    const isEnd = page.next_cursor === null || (isEmpty && page.next_cursor === at[cursor]);
    if (isEnd && !isFollowing) return;
    at = { [cursor]: page.next_cursor };
    // The server answers at once if too many requests wait, or if it shuts down.
    if (isFollowing && isEmpty && Date.now() - askedAt < atOnceMs) await pause(atOnceMs + backoffMs(1), signal);
  }
}

function defined(input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
