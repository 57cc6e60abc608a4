import { useLayoutEffect, useState } from 'preact/hooks';

/** Tells its listeners of each change, and what it is. */
export class Observed<About extends unknown[] = []> {
  readonly #listeners = new Set<(...about: About) => void>();

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Returns how to stop. */
  listen(listener: (...about: About) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(...about: About): void {
    for (const listener of this.#listeners) listener(...about);
  }
}

/** The same, shown anew with each change. */
export function useObserved<One extends Observed>(one: One): One {
  const [, showAgain] = useState(0);
  useLayoutEffect(() => one.listen(() => showAgain((count) => count + 1)), [one]);
  return one;
}
