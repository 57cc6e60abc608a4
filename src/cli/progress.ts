import { isLively } from './output.ts';

const redrawEveryMs = 100;
const width = 24;

export interface Progress {
  update(rows: number, done: number): void;
  /** Leaves the line empty for what is printed next. */
  end(): void;
}

/**
 * A bar with rate and time left on a terminal's stderr; nothing anywhere else, nor with NO_COLOR. `total` is what
 * `done` of its updates comes to in the end, in bytes or whatever the work is measured in; it may be unknown.
 */
export function progress(total: number | undefined, stream = process.stderr): Progress {
  if (!isLively(stream)) return { update: () => undefined, end: () => undefined };
  const startedAt = Date.now();
  let drawnAt = 0;
  return {
    update: (rows, done) => {
      const time = Date.now();
      if (time - drawnAt < redrawEveryMs) return;
      drawnAt = time;
      stream.write(`\r\u001B[K${progressLine(rows, done, total, (time - startedAt) / 1000)}`);
    },
    end: () => void stream.write('\r\u001B[K'),
  };
}

/** What the bar says: share done, rows, rows a second, time left as far as it can be known. */
export function progressLine(rows: number, done: number, total: number | undefined, seconds: number): string {
  const rate = `${rows} rows, ${Math.round(rows / Math.max(seconds, 0.001))}/s`;
  if (total === undefined || total === 0) return rate;
  const share = Math.min(1, done / total);
  const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : 0;
  const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
  return `[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${rate}, ${left} s left`;
}
