import { CsvError, parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readRecords } from '../../src/files/csv-records.ts';

async function* inPieces(text: string, size: number) {
  for (let i = 0; i < text.length; i += size) yield text.slice(i, i + size);
}

const records = async (text: string, delimiter = ',', size = text.length || 1) =>
  (await Array.fromAsync(readRecords(inPieces(text, size), delimiter))).flat();

const cells = async (text: string, delimiter = ',', size?: number) =>
  (await records(text, delimiter, size)).map((record) => record.cells);

/** Null where the last quote is never closed. */
function byCsvParse(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') return null;
    throw error;
  }
}

describe('the records of a CSV text', () => {
  it('are those that csv-parse reads, however the text is cut into pieces', async () => {
    const fragment = fc.constantFrom(
      '"',
      '""',
      ',',
      ';',
      '\n',
      '\r',
      '\r\n',
      'a',
      ' ',
      'é',
      '😀',
      ',"',
      '",',
      '"\n',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fragment, { maxLength: 25 }),
        fc.constantFrom(',', ';'),
        fc.integer({ min: 1, max: 9 }),
        async (fragments, delimiter, size) => {
          const text = fragments.join('');
          const read = cells(text, delimiter, size);
          const expected = byCsvParse(text, delimiter);
          if (expected) expect(await read).toEqual(expected);
          else await expect(read).rejects.toThrow('never closed');
        },
      ),
      { seed: 20_261_121, numRuns: 2_000 },
    );
  });

  it('know the line on which they begin, also after line ends inside quotes', async () => {
    for (const [text, lines] of [
      ['a\nb\n\nc', [1, 2, 4]],
      ['a\r\n\r\nb\rc', [1, 3, 4]],
      ['"a\r\nb"\r\nc\r\n"d\n\re",f\ng', [1, 3, 4, 7]],
    ] as const) {
      for (const size of [1, 2, 100]) {
        expect((await records(text, ',', size)).map(({ line }) => line)).toEqual(lines);
      }
    }
  });

  it('may have a quote that is none of RFC 4180, which is then text', async () => {
    expect(await cells('a "b" c,"d" e,"f""g"h,""x,""\n"",')).toEqual([
      ['a "b" c', '"d" e', '"f"g"h', '""x', ''],
      ['', ''],
    ]);
  });

  it('are refused where a quote stays open, with the line of the row', async () => {
    await expect(cells('a,b\nc,d\ne,"f\n\n\n')).rejects.toThrow('on or after line 3 is never closed');
  });

  it('have at most 1 MiB each, counted in bytes', async () => {
    const row = `${'é'.repeat(2 ** 19 - 1)},b`;
    expect(await cells(`x\n${row}\n`, ',', 65_536)).toHaveLength(2);
    await expect(cells(`x\n${row}c\n`, ',', 65_536)).rejects.toThrow('line 2 is longer than 1 MiB');
    await expect(cells(`x\n"${row}"\n`, ',', 65_536)).rejects.toThrow('line 2 is longer than 1 MiB');
  });
});
