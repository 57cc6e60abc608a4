import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { progressLine } from '../../src/cli/progress.ts';
import { contactFields } from '../../src/contacts/contact.ts';
import { detectDelimiter } from '../../src/files/csv.ts';
import { type Format, formats, openRows } from '../../src/files/formats.ts';
import { armed, defused } from '../../src/files/formulas.ts';
import { exportPeople } from '../../src/files/writing.ts';

/** The text in chunks of a few bytes, so that every boundary falls inside something. */
async function* inChunks(text: string | Uint8Array, size: number) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}
const rows = async (text: string | Uint8Array, format?: Format, chunk = 3, isOurs = false) => {
  const source = await openRows(inChunks(text, chunk), { format, isOwnExport: () => isOurs });
  return (await Array.fromAsync(source.rows)).flat();
};

describe('a file', () => {
  it.each([1, 2, 3, 7, 1_000])('is read the same in chunks of %i bytes', async (size) => {
    for (const [format, text] of [
      ['csv', '\uFEFFname;phone\r\n"Zoë; 😀\r\n""x""";1\r\n\r\nB;2'],
      ['ndjson', '{"name":"Zoë; 😀\\r\\n\\"x\\"","phone":"1"}\n\n{"name":"B","phone":"2"}'],
      ['json', '[{"name":"Zoë; 😀\\r\\n\\"x\\"","phone":"1"},\n {"name":"B","phone":"2"}]'],
    ] as const) {
      const read = await rows(text, format, size);
      expect(read.map(({ headings, cells, problem }) => ({ headings, cells, problem }))).toEqual([
        { headings: ['name', 'phone'], cells: ['Zoë; 😀\r\n"x"', '1'], problem: undefined },
        { headings: ['name', 'phone'], cells: ['B', '2'], problem: undefined },
      ]);
    }
  });

  it('numbers its rows by the line on which they begin', async () => {
    const lines = async (text: string, format: Format) => (await rows(text, format)).map(({ line }) => line);
    expect(await lines('name,x\nA,1\n"B\n\nb",2\nC,3\n', 'csv')).toEqual([2, 3, 6]);
    expect(await lines('name,"x\r\ny"\r\n"A\r\na",1\r\n\r\n"B\n\rb",2\rC,3', 'csv')).toEqual([3, 6, 9]);
    expect(await lines('{"a":1}\n\n{"a":2}\n', 'ndjson')).toEqual([1, 3]);
    expect(await lines('[{"a":1},\n\n{"a":2}]', 'json')).toEqual([1, 2]);
  });

  it.each([1, 2, 3, 5, 65_536])('has its encoding detected in chunks of %i bytes', async (size) => {
    const read = async (bytes: Buffer, given?: string) => {
      const source = await openRows(inChunks(bytes, size), { format: 'csv', encoding: given });
      const [row] = (await Array.fromAsync(source.rows)).flat();
      return [source.encoding(), row?.cells[0]];
    };
    const text = 'name\nZoë Groß “x”\n';
    const windows1252 = Buffer.from('name\nZo\xeb Gro\xdf \x93x\x94\n', 'latin1');
    expect(await read(Buffer.from(text))).toEqual(['utf-8', 'Zoë Groß “x”']);
    expect(await read(Buffer.from(`\uFEFF${text}`))).toEqual(['utf-8', 'Zoë Groß “x”']);
    expect(await read(Buffer.from('name\nAna'))).toEqual(['utf-8', 'Ana']);
    expect(await read(windows1252)).toEqual(['windows-1252', 'Zoë Groß “x”']);
    expect(await read(windows1252, 'iso-8859-2')).toEqual(['iso-8859-2', 'Zoë Groß \u0093x\u0094']);
    expect(await read(Buffer.from('name\nJos\xe9', 'latin1'))).toEqual(['windows-1252', 'José']);
    for (const mark of ['', '\uFEFF']) {
      const utf16 = Buffer.from(mark + text, 'utf16le');
      expect(await read(utf16)).toEqual(['utf-16le', 'Zoë Groß “x”']);
      expect(await read(utf16.swap16())).toEqual(['utf-16be', 'Zoë Groß “x”']);
    }
  });

  it('that is in two encodings, in one that cannot be guessed, or no text is refused with advice', async () => {
    await expect(rows(Buffer.from(`name\n${'\xc8\xe2\xe0\xed\n'.repeat(20)}`, 'latin1'), 'csv', 200)).rejects.toThrow(
      'name its encoding',
    );
    await expect(rows(Buffer.from('name\nJos\xc3\xa9\nJos\xe9\n', 'latin1'), 'csv')).rejects.toThrow(
      'name its encoding',
    );
    await expect(rows(Buffer.from('name\nJos\xc3\xa9\nJos\xc3', 'latin1'), 'csv')).rejects.toThrow('not UTF-8');
    await expect(rows(Buffer.from('\x89PNG\r\n\x1a\n\xff', 'latin1'), 'csv', 64)).rejects.toThrow('not UTF-8');
  });

  it('has its delimiter found outside quotes of the first line', () => {
    expect(detectDelimiter('a,b;c;d\n1,2,3,4,5')).toBe(';');
    expect(detectDelimiter('"a;b;c;d",e\n')).toBe(',');
    expect(detectDelimiter('a\tb')).toBe('\t');
    expect(detectDelimiter('a|b,c|d')).toBe('|');
    expect(detectDelimiter('name')).toBe(',');
  });

  it('may mix line ends, begin with empty lines, and say as Excel does what separates its columns', async () => {
    const names = async (text: string) => (await rows(text, 'csv')).map(({ cells, problem }) => problem ?? cells[0]);
    expect(await names('name,x\r\nA,1\nB,2\r\nC,3\rD,4')).toEqual(['A', 'B', 'C', 'D']);
    expect(await names('\n\r\nname;x\nA;1\n')).toEqual(['A']);
    expect(await names('name,x\nA,1,, \nB,2,3\nC')).toEqual([
      'A',
      'has 3 cells, and the first line names 2 columns',
      'has 1 cell, and the first line names 2 columns',
    ]);
    expect(await names('sep=;\r\nname;x,y\r\nA;1\r\n')).toEqual(['A']);
  });

  it('may have a quote that is none of RFC 4180, which is then text', async () => {
    const [row] = await rows('a,b,c,d\na "b" c,"d" e,"f""g"h,""\n', 'csv');
    expect(row?.cells).toEqual(['a "b" c', '"d" e', '"f"g"h', '']);
  });

  it('whose quote is never closed gives out all rows before it, and is refused with the line of the next', async () => {
    for (const size of [1, 65_536]) {
      const text = `name,x\n${'"A\r\n",1\n'.repeat(100)}B,"2\n\n\n`;
      const source = await openRows(inChunks(text, size), { format: 'csv' });
      let last = 0;
      const reading = (async () => {
        for await (const chunk of source.rows) last = chunk.at(-1)?.line ?? last;
      })();
      await expect(reading).rejects.toThrow('opened on or after line 202 is never closed');
      expect(last).toBe(200);
    }
  });

  it('that is a workbook is called by its name', async () => {
    await expect(rows(Buffer.from('PK\u0003\u0004 and so on'), 'csv')).rejects.toThrow(/workbook.*CSV UTF-8/);
    expect(await rows('PK,name\n1,A\n', 'csv')).toHaveLength(1);
  });

  describe('with limits', () => {
    const rowMax = 4_096;
    /** The beginning of a file is read at once. */
    const tooMuch = 80_000;
    const limited = async (text: string, format: Format) =>
      (await Array.fromAsync((await openRows(inChunks(text, 512), { format, rowMax })).rows)).flat();

    it('has rows of 1 MiB at most', async () => {
      const row = (length: number) => `name\n"${'x'.repeat(length)}"\n`;
      expect(await rows(row(1_040_000), 'csv', 65_536)).toHaveLength(1);
      await expect(rows(row(1_060_000), 'csv', 65_536)).rejects.toThrow('longer than 1 MiB');
    });

    it.each([
      ['csv', `name\n"${'x'.repeat(tooMuch)}`],
      ['csv', `name\nA\n${','.repeat(tooMuch)}`],
      ['csv', ','.repeat(tooMuch)],
      ['ndjson', 'x'.repeat(tooMuch)],
      ['json', `[{"name":"${'x'.repeat(tooMuch)}`],
      ['json', `[{"name":"A"},{"name":"${'x'.repeat(tooMuch)}`],
      ['json', '['.repeat(tooMuch)],
    ] as const)(
      'is refused with a longer line, row or entry, which is not kept in memory: %s',
      async (format, text) => {
        await expect(limited(text, format)).rejects.toThrow('longer than 0.00390625 MiB');
      },
    );

    it('may be of any length, and have empty lines without end', async () => {
      const entries = Array.from({ length: 2_000 }, (_, i) => ({ name: `Person number ${i}`, phone: '555 0100' }));
      expect(await limited(JSON.stringify(entries), 'json')).toHaveLength(2_000);
      expect(await limited(`name\n${'\n'.repeat(tooMuch)}A\n`, 'csv')).toHaveLength(1);
    });
  });
});

describe('an export in any format', () => {
  it('leaves numbers as they are, and defuses what a spreadsheet would compute or run', () => {
    for (const number of ['+1 555 0100', '+1 (555) 010-0100', '+1(555) 0100', '+15550100', '-3.5', '+49 30 555.01']) {
      expect(defused(number)).toBe(number);
    }
    for (const formula of [
      '=1+1',
      '@SUM(A1)',
      "+1|cmd|'/C calc'!A0",
      '-2+3',
      '+1-555-0100',
      '+1 555 0100+A1',
      '＋1 555 0100',
      "'+1 555 0100",
      '+A1 5',
      '+1/2',
      '-',
    ]) {
      expect(defused(formula)).toBe(`'${formula}`);
    }
    // A spreadsheet that separates cells by semicolons begins a cell after each.
    for (const [text, safe] of [
      ["Ana;=cmd|'/C calc'!A0;x", "Ana;'=cmd|'/C calc'!A0;x"],
      ['1\n@SUM(A1)\t＝1', "1\n'@SUM(A1)\t'＝1"],
      ['\t+1 555 0100', "'\t'+1 555 0100"],
      ['+1 555\n=1', "'+1 555\n'=1"],
      [";'=1", ";''=1"],
      ['a;"=1+1;b', 'a;\'"=1+1;b'],
      ['a;b = c; d', 'a;b = c; d'],
    ] as const) {
      expect([defused(text), armed(safe, true)]).toEqual([safe, text]);
    }
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(';', '=', '+', "'", '"', '\t', '\n', 'a') }),
        (text) => armed(defused(text), true) === text,
      ),
    );
  });

  it('is the only file that loses an apostrophe inside a text: in another one somebody may have written it', async () => {
    const text = `name,note\n'=1,"a;'=b\n'+c"\n`;
    expect((await rows(text, 'csv'))[0]?.cells).toEqual(['=1', "a;'=b\n'+c"]);
    expect((await rows(text, 'csv', 3, true))[0]?.cells).toEqual(['=1', 'a;=b\n+c']);
    expect((await rows(`roster_line,${text.replace('\n', '\n2,')}`, 'csv'))[0]?.cells[2]).toBe('a;=b\n+c');
  });

  it('is read back with every text unchanged', async () => {
    const text = fc.option(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((one) => one.trim() === one),
      { nil: null },
    );
    const person = fc.record(Object.fromEntries(contactFields.map((field) => [field, text])));
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...formats),
        async (people, format) => {
          const pages = (async function* () {
            yield people;
          })();
          const file = (await Array.fromAsync(exportPeople(pages, contactFields, format))).join('');
          const read = await rows(file, format, 17, true);
          expect(read.map(({ cells }) => cells.map((cell) => (cell === '' ? null : cell)))).toEqual(
            people.map((one) => contactFields.map((field) => one[field])),
          );
        },
      ),
      { seed: 20_261_121, numRuns: 300 },
    );
  });
});

describe('progress', () => {
  it('shows share, rate and time left, as far as they can be known', () => {
    expect(progressLine(1_000, 500, 2_000, 2)).toBe('[######..................]  25 %  1000 rows, 500/s, 6 s left');
    expect(progressLine(1_000, 500, undefined, 2)).toBe('1000 rows, 500/s');
    expect(progressLine(0, 0, 100, 0)).toBe('[........................]   0 %  0 rows, 0/s, 0 s left');
  });

  it.each([
    [61, '[######..................]  25 %  1000 rows, 500/s, 6 s left'],
    [60, ' 25 %  1000 rows, 500/s, 6 s left'],
    [33, ' 25 %  1000 rows'],
    [16, ' 25 %'],
    [3, ' 2'],
  ])('drops parts on a terminal of %i columns, and never fills its last one', (columns, line) => {
    expect(progressLine(1_000, 500, 2_000, 2, columns)).toBe(line);
    expect(progressLine(1_000_000, 0, undefined, 2, columns).length).toBeLessThan(columns);
  });
});
