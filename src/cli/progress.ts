import { isLively } from './output.ts';

const redrawEveryMs = 100;
const width = 24;

/** A bar on a terminal's stderr, and nothing elsewhere; `end` clears it. `total` is what `done` reaches, in bytes or rows. */
export function progress(total: number | undefined, stream = process.stderr) {
  const isSeen = isLively(stream);
  const startedAt = Date.now();
  let drawnAt = 0;
  return {
    update: (rows: number, done: number) => {
      const time = Date.now();
      if (!isSeen || time - drawnAt < redrawEveryMs) return;
      drawnAt = time;
      stream.write(`\r\u001B[K${progressLine(rows, done, total, (time - startedAt) / 1000)}`);
    },
    end: () => void (isSeen && stream.write('\r\u001B[K')),
  };
}

/** Share done, rows, rows a second and, where the total is known, time left. */
export function progressLine(rows: number, done: number, total: number | undefined, seconds: number): string {
  const rate = `${rows} rows, ${Math.round(rows / Math.max(seconds, 0.001))}/s`;
  if (total === undefined || total === 0) return rate;
  const share = Math.min(1, done / total);
  const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : 0;
  const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
  return `[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${rate}, ${left} s left`;
}
