import type { Abortable } from '../values/abortable.ts';
import { fairShares } from './shares.ts';

export interface Turn {
  take<T>(work: () => Promise<T>): Promise<T>;
  throwIfGivenUp(): void;
}

export const atOnce: Turn = { take: (work) => work(), throwIfGivenUp: () => {} };

// A look-up holds all its contacts in memory: hundreds of large ones at once would exhaust it.
const inShare = fairShares({ atOnce: 2, ofProject: 1, waiting: 32 });

export function turnOf(projectId: string, caller: Abortable): Turn {
  const throwIfGivenUp = () => caller.signal?.throwIfAborted();
  const take: Turn['take'] = (work) =>
    inShare(
      projectId,
      () => {
        throwIfGivenUp();
        return work();
      },
      caller.signal,
    );
  return { take, throwIfGivenUp };
}
