import { countWindows } from './windows.ts';

/** What a worker asks the primary to count, all of one turn of its event loop together. */
export interface CountsAsked {
  batch: number;
  asks: [name: string, times: number, windowSeconds: number][];
}

/** In the order of what was asked: the count with all of `times` in it, and when the window ends (epoch, ms). */
export interface CountsGiven {
  batch: number;
  given: [count: number, endsAt: number][];
}

/** Counts for all workers. */
export function primaryCounts(): (asked: CountsAsked) => CountsGiven {
  const countWindow = countWindows();
  return ({ batch, asks }) => {
    const now = Date.now();
    const given = asks.map(([name, times, seconds]): CountsGiven['given'][number] => {
      const { count, endsAt } = countWindow(name, times, seconds, now);
      return [count, endsAt];
    });
    return { batch, given };
  };
}
