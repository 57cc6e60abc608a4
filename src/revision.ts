const key = Symbol('revision');

export interface Revised<Output> {
  readonly output: Output;
  readonly [key]: number;
}

export function revised<Output>(output: Output, { revision }: { readonly revision: number }): Revised<Output> {
  return { output, [key]: revision };
}

export function unrevised<Output>(given: Output | Revised<Output>): { output: Output; revision?: number } {
  const isRevised = typeof given === 'object' && given !== null && key in given;
  return isRevised ? { output: given.output, revision: given[key] } : { output: given };
}

/** A number that no earlier state of the thing has had, not even before a purge. */
export function nextRevision(before = 0): number {
  return Math.max(before + 1, Date.now());
}
