import type { Caller } from '../contacts/store.ts';
import { fairShares } from './shares.ts';

/** When a look-up may go on whose contacts are many. */
export interface Turn {
  take<T>(work: () => Promise<T>): Promise<T>;
  throwIfGivenUp(): void;
}

export const atOnce: Turn = { take: (work) => work(), throwIfGivenUp: () => {} };

// All that share a value are in memory until the answer: hundreds of such look-ups at once would end the process.
const inShare = fairShares({ atOnce: 2, ofProject: 1, waiting: 32 });

export function turnOf(projectId: string, caller: Caller): Turn {
  const throwIfGivenUp = () => caller.signal?.throwIfAborted();
  const take: Turn['take'] = (work) =>
    inShare(projectId, () => {
      throwIfGivenUp();
      return work();
    });
  return { take, throwIfGivenUp };
}
