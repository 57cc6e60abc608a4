import { cellText } from './output.ts';

const gap = '  ';
const cutWidthMin = 8;

/** On a terminal, the cells of the columns in `cut` lose their ends until a row fits. */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  cut: readonly (keyof Row & string)[] = [],
): string {
  const lines = [headingOf(columns), ...rows.map((row) => cellsOf(row, columns))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => widthOf(line[index] ?? ''))));
  const mayCut = columns.map((column) => cut.includes(column));
  if (process.stdout.isTTY) shrink(widths, mayCut, process.stdout.columns || 80);
  const shortened = lines.map((line) => line.map((cell, index) => shortTo(widths[index] ?? 0, cell)));
  return shortened.map((line) => lineOf(line, widths)).join('\n');
}

export function growingTable<Row extends object>(widths: Readonly<Record<keyof Row & string, number>>) {
  const columns = Object.keys(widths) as (keyof Row & string)[];
  const line = (cells: readonly string[]) => lineOf(cells, Object.values<number>(widths));
  return { heading: line(headingOf(columns)), row: (row: Row) => line(cellsOf(row, columns)) };
}

function headingOf(columns: readonly string[]): string[] {
  return columns.map((column) => column.toUpperCase());
}

function cellsOf<Row extends object>(row: Row, columns: readonly (keyof Row)[]): string[] {
  return columns.map((column) => cellText(row[column]));
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cell))))
    .join(gap)
    .trimEnd();
}

function shrink(widths: number[], mayCut: readonly boolean[], room: number): void {
  let excess = widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - room;
  for (; excess > 0; excess--) {
    const candidates = widths.map((width, index) => (mayCut[index] ? width : 0));
    const widest = Math.max(...candidates);
    if (widest <= cutWidthMin) return;
    widths[candidates.indexOf(widest)] = widest - 1;
  }
}

function shortTo(width: number, text: string): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const letter of text) {
    if (widthOf(kept + letter) >= width) break;
    kept += letter;
  }
  return `${kept}…`;
}

const noColumn = /[\p{Mn}\p{Me}\p{Cf}]/gu;
const twoColumns =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uFF01-\uFF60]/gu;

function widthOf(text: string): number {
  return Array.from(text.replaceAll(noColumn, '').replaceAll(twoColumns, '##')).length;
}
