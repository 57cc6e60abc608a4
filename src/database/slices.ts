import { giveWay } from '../values/give-way.ts';

/** Rows for one statement: more would block the event loop, or exceed PostgreSQL's time limit. */
export const sliceLength = 64;

export function slicesOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / sliceLength);
  return Array.from({ length: count }, (_, place) => all.slice(place * sliceLength, (place + 1) * sliceLength));
}

export async function inSlices<Item, Row>(
  all: readonly Item[],
  read: (some: readonly Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const some of slicesOf(all)) {
    await giveWay();
    for (const row of await read(some)) found.push(row);
  }
  return found;
}

export async function changedInSlices<Item>(
  all: readonly Item[],
  change: (some: readonly Item[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (const some of slicesOf(all)) changed += await change(some);
  return changed;
}
