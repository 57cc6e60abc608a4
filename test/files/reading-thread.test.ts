import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { AppError } from '../../src/errors.ts';
import { readers } from '../../src/files/readers.ts';
import { threadInput } from '../../src/files/reading-thread.ts';
import { openReading, type ReadingOptions } from '../../src/files/reading.ts';
import { temporaryFolder } from '../support/engines.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

function fileOf(text: string): string {
  const file = join(folder.path, 'file');
  writeFileSync(file, text);
  return file;
}

const options: ReadingOptions = { format: undefined, mapping: new Map(), givesBack: true };
const contacts = { name: 'contacts', ...readers.contacts } as const;

const csv = `Name,E-mail,Company,Created,x
A,a@example.com,"Two\r\nlines",2024-06-08 13:38:33,1
"B",bad,'=1+1,yesterday,
,,,,
C,c@example.com
${Array.from({ length: 2_500 }, (_, i) => `P ${i},p${i}@example.com,,,\n`).join('')}`;
const ndjson = `{"id":1,"name":"A","x":{"y":[1]}}\nnot json\n{"email":"bad"}\n{"roles":"Owner"}\n`;
const members = 'email,status,roles\na@example.com,active,"admin,owner"\nb@example.com,,nobody\n,,\n';

describe('a file that is read in a thread', () => {
  it.each([
    ['CSV', contacts, csv],
    ['NDJSON', contacts, ndjson],
    ['members', { name: 'members', ...readers.members } as const, members],
  ])('gives the drafts, objections and rows that it gives without: %s', async (_, reader, text) => {
    const file = fileOf(text);
    const told: unknown[] = [];
    const withColumns: ReadingOptions = { ...options, onColumns: (...columns) => told.push(columns) };
    const input = threadInput(file, statSync(file).size);
    const there = await input.read<string, object>(reader, withColumns);
    const batches = await Array.fromAsync(there.batches);
    const bytes = (async function* () {
      yield Buffer.from(text);
    })();
    const here = await openReading<string, object>(bytes, reader, withColumns);
    const expected = await Array.fromAsync(here.batches);
    // The cells have been checked by then; only the originals are wanted further on.
    expect(batches).toEqual(
      expected.map((batch) =>
        batch.map((entry) => ({ ...entry, row: { ...entry.row, cells: [], problem: undefined } })),
      ),
    );
    expect(there.format).toBe(here.format);
    expect(told).toHaveLength(2);
    expect(told[0]).toEqual(told[1]);
    expect(input.bytesRead()).toBe(Buffer.byteLength(text));
  });

  it('gives all other rows where one is nested too deeply to be given back', async () => {
    const deep = `{"email":"a@example.com","n":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
    const file = fileOf(`{"email":"bad"}\n${deep}\n{"email":"worse"}\n`);
    const { batches } = await threadInput(file, statSync(file).size).read<string, object>(contacts, options);
    const rows = (await Array.fromAsync(batches)).flat().map(({ row }) => [row.line, row.original]);
    expect(rows).toEqual([
      [1, ['bad']],
      [2, []],
      [3, ['worse']],
    ]);
  });

  it('gives no rows back that nobody wants', async () => {
    const input = threadInput(fileOf(ndjson), 1);
    const { batches } = await input.read(contacts, { ...options, givesBack: false });
    const rows = (await Array.fromAsync(batches)).flat().map(({ row }) => row);
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    expect(rows.flatMap(({ headings, original }) => [...headings, ...original])).toEqual([]);
  });

  it('fails as it does without: after whole batches, with the same code and words', async () => {
    const input = threadInput(fileOf(`${csv}\n"never closed`), 1);
    const { batches } = await input.read(contacts, options);
    const sizes: number[] = [];
    const reading = (async () => {
      for await (const batch of batches) sizes.push(batch.length);
    })();
    const failure = await reading.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'invalid', message: expect.stringContaining('is never closed') });
    expect(sizes).toEqual([1_000, 1_000]);
  });

  it('fails at once where no column is known or no file is there', async () => {
    const input = threadInput(fileOf('x,y\n1,2\n'), 1);
    const { batches } = await input.read(contacts, options);
    await expect(Array.fromAsync(batches)).rejects.toThrow('No column of the file is known');
    const missing = join(folder.path, 'missing');
    await expect(threadInput(missing, 1).read(contacts, options)).rejects.toMatchObject({
      code: 'ENOENT',
      path: missing,
    });
  });

  it('can be stopped at the beginning and in the midst, with the reason', async () => {
    const reason = new Error('enough');
    const early = threadInput(fileOf(csv), 1);
    const beginning = early.read(contacts, options);
    early.stop(reason);
    await expect(beginning).rejects.toBe(reason);
    const input = threadInput(fileOf(csv), 1);
    const { batches } = await input.read(contacts, options);
    let read = 0;
    const reading = (async () => {
      for await (const batch of batches) {
        read += batch.length;
        input.stop(reason);
        input.stop();
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(read).toBe(1_000);
  });
});

describe('rows that are long', () => {
  const notes = 'x'.repeat(1_000_000);
  const long = async function* () {
    for (let i = 0; i < 20; i++) yield Buffer.from(`{"email":"p${i}@example.com","notes":"${notes}"}\n`);
  };

  it('come a few at a time where they may be given back, and else without what nobody asks for', async () => {
    const sizes: number[] = [];
    const kept = await openReading<string, object>(long(), contacts, options);
    for await (const batch of kept.batches) sizes.push(batch.length);
    expect(sizes).toEqual([9, 9, 2]);
    const slim = await openReading<string, object>(long(), contacts, { ...options, givesBack: false });
    const [batch = []] = await Array.fromAsync(slim.batches);
    expect(batch).toHaveLength(20);
    expect(batch.every(({ row }) => row.original.length === 0 && row.cells.length === 0)).toBe(true);
  });
});
