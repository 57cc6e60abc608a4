import { useLayoutEffect, useState } from 'preact/hooks';

/** Tells its listeners of each change. */
export class Observed {
  readonly #listeners = new Set<() => void>();

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  protected tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The same, shown anew with each change. */
export function useObserved<One extends Observed>(one: One): One {
  const [, showAgain] = useState(0);
  useLayoutEffect(() => one.listen(() => showAgain((count) => count + 1)), [one]);
  return one;
}
