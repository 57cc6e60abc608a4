import type { Store } from '../../store.ts';

const msMax = 1_000;

/**
 * Merges the index for up to a second, where it is due: of whoever was deleted for good nothing is then left on the disk. What
 * takes longer is done by a service.
 */
export async function mergeIndexBriefly({ upkeep }: Store): Promise<void> {
  const end = performance.now() + msMax;
  for await (const _ of upkeep.mergeIndex()) if (performance.now() > end) return;
}
