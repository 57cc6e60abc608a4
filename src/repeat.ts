import type { Actor } from './actor.ts';
import { type Revised, revised } from './revision.ts';
import type { Reads } from './store.ts';

interface Found<Thing> {
  find(projectId: string, id: string): Promise<Thing | undefined>;
}

/** The `repeat` of an operation whose answer has the id of the thing: shows it as it is now. */
export function shownById<Thing extends { readonly revision: number }, Output extends { id: string }>(
  among: (reads: Reads) => Found<Thing>,
  show: (thing: Thing) => Output,
) {
  return {
    mayBeGone: true,
    keep: ({ id }: Output) => ({ id }),
    render: async (reads: Reads, { projectId }: Actor, { id }: { id: string }): Promise<Revised<Output> | null> => {
      const thing = await among(reads).find(projectId, id);
      return thing ? revised(show(thing), thing) : null;
    },
  } as const;
}
