import type { Store } from '../../store.ts';

const msMax = 1_000;

/**
 * Merges the index for up to a second if it is due, which removes the words of purged contacts from the disk. A service
 * does the rest.
 */
export async function mergeIndexBriefly({ upkeep }: Store): Promise<void> {
  const end = performance.now() + msMax;
  for await (const _ of upkeep.mergeIndex()) if (performance.now() > end) return;
}
