const key = Symbol('revision');

/** An output about one thing, with the revision of the thing, which its ETag carries. */
export interface Revised<Output> {
  readonly output: Output;
  readonly [key]: number;
}

export function revised<Output>(output: Output, { revision }: { readonly revision: number }): Revised<Output> {
  return { output, [key]: revision };
}

/** The output alone, and the revision where it was given one. */
export function unrevised<Output>(given: Output | Revised<Output>): { output: Output; revision?: number } {
  const isRevised = typeof given === 'object' && given !== null && key in given;
  return isRevised ? { output: given.output, revision: given[key] } : { output: given };
}

/** Neither an earlier state of the thing nor one that was deleted for good has had this revision. */
export function nextRevision(before = 0): number {
  return Math.max(before + 1, Date.now());
}
