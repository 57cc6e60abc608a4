import type { ConsoleFigures } from './console.ts';
import { count, ms, table } from './table.ts';

function middleAndTail({ p50, p95 }: { p50: number; p95: number }): string {
  return `${ms(p50)}, ${ms(p95)}`;
}

/** What a person waits for, and how the list scrolls. */
export function consoleTable({ contacts, paint, firstRows, key, rowsMax, gaps, frames }: ConsoleFigures): string {
  return table(
    [`${count(contacts)} contacts, SQLite`, 'p50, p95'],
    [
      ['first paint', middleAndTail(paint)],
      ['the first rows', middleAndTail(firstRows)],
      ['from a key to the list', middleAndTail(key)],
      ['most rows in the document, scrolling 10,000', rowsMax],
      ['frames with a gap', `${gaps} of ${frames}`],
    ],
  );
}
