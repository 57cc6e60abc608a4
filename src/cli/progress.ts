import { isLively } from './output.ts';

const redrawEveryMs = 100;
const barWidth = 24;

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
      const line = progressLine(rows, done, total, (time - startedAt) / 1000, stream.columns || undefined);
      stream.write(`\r\u001B[K${line}`);
    },
    end: () => void (isSeen && stream.write('\r\u001B[K')),
  };
}

/** Share, rows, rows a second and, if the total is known, time left: what fits beside a last column that stays free. */
export function progressLine(
  rows: number,
  done: number,
  total: number | undefined,
  seconds: number,
  columns = Infinity,
): string {
  const rate = `${rows} rows, ${Math.round(rows / Math.max(seconds, 0.001))}/s`;
  if (total === undefined || total === 0) return rate.slice(0, columns - 1);
  const share = Math.min(1, done / total);
  const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : 0;
  const bar = `[${'#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.')}] `;
  const percent = `${String(Math.floor(share * 100)).padStart(3)} %`;
  const lines = [
    `${bar}${percent}  ${rate}, ${left} s left`,
    `${percent}  ${rate}, ${left} s left`,
    `${percent}  ${rows} rows`,
  ];
  return lines.find((line) => line.length < columns) ?? percent.slice(0, columns - 1);
}
