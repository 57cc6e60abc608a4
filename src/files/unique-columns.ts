import { idLengthMax } from '../values/text.ts';
import { looksLikeId } from './column-check.ts';
import type { SourceRow } from './source-row.ts';

const columnsMax = 100;
const valuesMaxDefault = 200_000;

export interface UniqueColumns {
  rows: number;
  headings: readonly string[];
}

export function uniqueColumns(valuesMax = valuesMaxDefault) {
  let columns: Map<string, Set<string>> | undefined;
  let rows = 0;
  let values = 0;
  return {
    isOpen: () => columns?.size !== 0,
    stop: () => {
      columns = new Map();
    },
    see: ({ headings, cells }: SourceRow, leftOut: readonly number[]) => {
      if (values >= valuesMax) return;
      rows++;
      columns ??= new Map(leftOut.slice(0, columnsMax).map((place) => [headings[place] ?? '', new Set()]));
      for (const [heading, seen] of columns) {
        const text = idText(cells[headings.indexOf(heading)]);
        if (text === undefined || seen.has(text)) columns.delete(heading);
        else seen.add(text);
      }
      values += columns.size;
    },
    found: (): UniqueColumns => {
      const headings = rows > 1 ? [...(columns?.keys() ?? [])] : [];
      return { rows, headings: headings.toSorted((a, b) => Number(looksLikeId(b)) - Number(looksLikeId(a))) };
    },
  };
}

function idText(cell: unknown): string | undefined {
  const text = Number.isSafeInteger(cell) ? String(cell) : cell;
  return typeof text === 'string' && /^\s*\S+\s*$/.test(text) && text.length <= idLengthMax ? text.trim() : undefined;
}
