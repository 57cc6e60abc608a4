/** A fixed window of counting, from the first count of a name on, and while its end is no further away than it is long. */
export interface Window {
  count: number;
  /** Epoch, ms. */
  endsAt: number;
}

/** Counts `times` for a name, and returns its window with them in it. */
export type CountWindow = (name: string, times: number, windowSeconds: number, now: number) => Window;

/** A window that has ended is forgotten when later ones begin, so memory holds the names of about one window. */
export function countWindows(): CountWindow {
  const windows = new Map<string, Window>();
  return (name, times, windowSeconds, now) => {
    const known = windows.get(name);
    if (known && isOpen(known, windowSeconds, now)) {
      known.count += times;
      return known;
    }
    const window = { count: times, endsAt: now + windowSeconds * 1000 };
    // Not in its old place, so that the first in the map are the first to end.
    windows.delete(name);
    windows.set(name, window);
    dropEnded(windows, windowSeconds, now);
    return window;
  };
}

/** Whether it has not ended, nor begins after now: a clock that is set back would else keep callers out for as long. */
export function isOpen({ endsAt }: Window, windowSeconds: number, now: number): boolean {
  return endsAt > now && endsAt - now <= windowSeconds * 1000;
}

/** Deletes from a map in the order in which its windows, of this length, end. */
export function dropEnded(windows: Map<string, Window>, windowSeconds: number, now: number): void {
  for (const [name, window] of windows) {
    if (isOpen(window, windowSeconds, now)) return;
    windows.delete(name);
  }
}
