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

/**
 * Counts for all workers, in fixed windows from the first count of a name on. A window that has ended is
 * forgotten when later ones begin, so memory holds the names of about one window.
 */
export function primaryCounts(): (asked: CountsAsked) => CountsGiven {
  const windows = new Map<string, { count: number; endsAt: number }>();
  const count = (name: string, times: number, windowSeconds: number, now: number): [number, number] => {
    const window = windows.get(name);
    if (window && window.endsAt > now) return [(window.count += times), window.endsAt];
    const endsAt = now + windowSeconds * 1000;
    // Not in its old place, so that the first in the map are the first to end.
    windows.delete(name);
    windows.set(name, { count: times, endsAt });
    dropEnded(windows, now, ({ endsAt }) => endsAt);
    return [times, endsAt];
  };
  return ({ batch, asks }) => {
    const now = Date.now();
    return { batch, given: asks.map(([name, times, seconds]) => count(name, times, seconds, now)) };
  };
}

/** Deletes from a map in the order in which its entries end. */
export function dropEnded<T>(map: Map<string, T>, now: number, endsAt: (entry: T) => number): void {
  for (const [name, entry] of map) {
    if (endsAt(entry) > now) return;
    map.delete(name);
  }
}
