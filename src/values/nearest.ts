/** The candidate that a mistyped word most likely means: one that it begins, or that at most a third of its letters tell apart. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const distances = candidates.map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }));
  const [best] = distances.toSorted((one, other) => one.distance - other.distance);
  if (best && best.distance <= Math.max(1, word.length / 3)) return best.candidate;
  return candidates.find((candidate) => word !== '' && candidate.startsWith(word));
}

/** How many letters must be added, taken away, replaced or swapped with the next (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const replaced = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      const isSwapped = i > 0 && j > 0 && one[i] === other[j - 1] && one[i - 1] === other[j];
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
