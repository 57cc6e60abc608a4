/** `lines` are the first ten thousand. */
export interface TalliedMessage {
  message: string;
  count: number;
  lines: readonly number[];
}

const kindsMax = 100;
const linesMax = 10_000;

const linesShown = 5;

export function linesIn(lines: readonly number[]): string {
  const shown = lines.slice(0, linesShown).join(', ');
  return `line${lines.length === 1 ? '' : 's'} ${shown}${lines.length > linesShown ? ', …' : ''}`;
}

export function openTally() {
  const found = new Map<string, TalliedMessage & { lines: number[] }>();
  return {
    add: (line: number, text: string) => {
      const message = found.has(text) || found.size < kindsMax ? text : 'something else';
      const told = found.get(message) ?? { message, count: 0, lines: [] };
      told.count++;
      if (told.lines.length < linesMax) told.lines.push(line);
      found.set(message, told);
    },
    told: (): TalliedMessage[] => [...found.values()].toSorted((a, b) => b.count - a.count),
  };
}
