import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { contactReader } from '../../src/contacts/draft.ts';
import { AppError } from '../../src/errors.ts';
import { openInput } from '../../src/files/input.ts';
import { openReading, type ReadingOptions } from '../../src/files/reading.ts';
import { uniqueColumns } from '../../src/files/unique-columns.ts';
import { shellWord } from '../../src/values/shell-word.ts';
import { temporaryFolder } from '../support/engines.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

function fileOf(text: string): string {
  const file = join(folder.path, 'file');
  writeFileSync(file, text);
  return file;
}

const options: ReadingOptions = { format: undefined, mapping: new Map(), givesBack: true };
const read = (text: string, given = options) => openReading(openInput(fileOf(text)).bytes, contactReader, given);
const rows = Array.from({ length: 2_500 }, (_, i) => `P ${i},p${i}@example.com\n`).join('');

describe('a file that is read', () => {
  it('gives its rows in batches, with their drafts or with what is wrong with them', async () => {
    const { batches } = await read(`Name,E-mail\nA,a@example.com\n"B",bad\n${rows}`);
    const [first = [], ...rest] = await Array.fromAsync(batches);
    expect([first, ...rest].map((batch) => batch.length)).toEqual([1_000, 1_000, 502]);
    expect(first[0]).toMatchObject({
      row: { line: 2 },
      draft: { texts: { name: 'A', email: 'a@example.com' } },
    });
    expect(first[1]).toMatchObject({
      row: { line: 3, cells: ['B', 'bad'] },
      objections: ['email is not an e-mail address'],
    });
  });

  it('gives beside its drafts what an earlier version would have read, where that differs', async () => {
    const draftOf = async (text: string) => {
      const { batches } = await read(text);
      return (await Array.fromAsync(batches)).flat()[0];
    };
    const phone = '+1 555 0100; +1 555 0101';
    expect(await draftOf(`name,phone\nA,${phone}\n`)).toMatchObject({
      draft: { texts: { phone: '+1 555 0100' }, earlier: { name: 'A', phone } },
    });
    expect(await draftOf('Vorname;Name;Telefon\nZoë;Groß;1\n')).toMatchObject({
      draft: { texts: { name: 'Zoë Groß', phone: '1' }, earlier: { name: 'Groß' } },
    });
    expect(await draftOf('name,phone\nA,1\n')).not.toHaveProperty('draft.earlier');
  });

  it('gives no cells back that are not asked for', async () => {
    const { batches } = await read('{"email":"bad"}\nnot json\n', { ...options, givesBack: false });
    const given = (await Array.fromAsync(batches)).flat().map(({ row }) => row);
    expect(given.map(({ line }) => line)).toEqual([1, 2]);
    expect(given.flatMap(({ headings, cells }) => [...headings, ...cells])).toEqual([]);
  });

  it('fails after whole batches where the rest cannot be read', async () => {
    const { batches } = await read(`name,email\n${rows}"never closed`);
    const sizes: number[] = [];
    const reading = (async () => {
      for await (const batch of batches) sizes.push(batch.length);
    })();
    const error = await reading.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining('is never closed') });
    expect(sizes).toEqual([1_000, 1_000]);
  });

  it('fails at once where no column is known or no file is there', async () => {
    const { batches } = await read('x,y\n1,2\n');
    await expect(Array.fromAsync(batches)).rejects.toThrow('No column of the file is known');
    expect(() => openInput(join(folder.path, 'missing'))).toThrow('ENOENT');
  });

  it('is refused without a column for an id, name, e-mail or phone, with headings that may be one', async () => {
    const refusal = async (text: string) => {
      const { batches } = await read(text);
      return Array.fromAsync(batches).catch((error: unknown) => (error as AppError).message);
    };
    expect(await refusal('Maintainer Name,Company\nA,B\n')).toBe(
      'The file has no column for any of id, name, email, phone, external_id; did you mean --map name="Maintainer Name"? It has: Maintainer Name, Company.',
    );
    expect(await refusal('Firm,Company\nA,B\n')).toMatch(
      /; name one with --map name=HEADING\. It has: Firm, Company\.$/,
    );
    expect(await refusal('Company,+1 555 0100\nA,B\n')).not.toContain('555');
  });

  it('can be stopped in the midst, with the reason, and hears of it while it reads', async () => {
    const reason = new Error('enough');
    const input = openInput(fileOf(`name,email\n${rows.repeat(40)}`));
    const { batches } = await openReading(input.bytes, contactReader, options);
    setTimeout(() => input.stop(reason), 20);
    let count = 0;
    const reading = (async () => {
      for await (const batch of batches) count += batch.length;
    })();
    await expect(reading).rejects.toBe(reason);
    expect(count % 1_000).toBe(0);
    expect(count).toBeLessThan(100_000);
  });
});

/** The columns that are told for the file, each time, or the sentence that refuses it. */
async function columnsOf(text: string, given: Partial<ReadingOptions> = {}): Promise<string[] | string> {
  const told: string[] = [];
  const onColumns: ReadingOptions['onColumns'] = ({ headings, columns, missing }) => {
    const leftOut = columns.leftOut.map((place) => headings[place]);
    told.push([...columns.sources.keys(), '|', ...leftOut, ...missing.map(({ heading }) => `no ${heading}`)].join(' '));
  };
  try {
    const { batches } = await read(text, { ...options, onColumns, ...given });
    await Array.fromAsync(batches);
    return told;
  } catch (error) {
    return (error as AppError).message;
  }
}

describe('objects that are read', () => {
  it('are refused as CSV is where none of the first thousand has an id, name, e-mail or phone', async () => {
    const objects = (count: number) => '{"Maintainer Name":"A"}\n{"Firm":"B"}\n'.repeat(count / 2);
    const expected =
      'No column of the file is known; did you mean --map name="Maintainer Name"? It has: Maintainer Name, Firm.';
    expect(await columnsOf(objects(4))).toBe(expected);
    expect(await columnsOf(`[${objects(4).trim().replaceAll('\n', ',')}]`)).toBe(expected);
    expect(await columnsOf(`${objects(1_000)}{"name":"A"}\n`)).toBe(expected);
    expect(await columnsOf('{"ana@example.com":"A"}\n')).not.toContain('ana@');
    expect(await columnsOf(`${objects(998)}{"name":"A"}\n`)).toEqual([
      'name | Maintainer Name Firm',
      'name | Maintainer Name Firm',
    ]);
  });

  it('tell the columns of all of them, first those of a thousand, and at the end those that came later', async () => {
    const rows = `${'{"name":"A"}\n{"note":"x","email":"a@example.com"}\n'.repeat(500)}{"phone":"1","more":1}\n`;
    expect(await columnsOf(rows, { mapping: new Map([['company', 'Firm']]) })).toEqual([
      'name email | note no Firm',
      'name email phone | note more no Firm',
    ]);
  });

  it('are asked for where the file is one object that holds them', async () => {
    for (const text of [
      '{"contacts": [{"name":"A"}]}',
      '{"contacts":[{"name":"A"}],"total":1}\n',
      '{\n  "total": 1,\n  "contacts": [\n    {"name":"A"}\n  ]\n}\n',
    ]) {
      expect(await columnsOf(text)).toMatch(/its list is under "contacts"; .* jq \.contacts FILE/);
    }
    expect(await columnsOf('{"contacts": [{"name":"A"}]}', { format: 'json' })).toContain('under "contacts"');
    expect(await columnsOf('{"emails":[{"value":1}],"name":"A"}')).toEqual(['name | emails', 'name | emails']);
  });
});

describe('columns that are left out', () => {
  const unique = async (text: string) => {
    const { batches, unique: found } = await read(text);
    await Array.fromAsync(batches);
    return found();
  };

  it('are known as possible ids where every row has another value, those that are called so first', async () => {
    const file = 'roster_line,name,handle,party,bioguide_id,seat,\n2,A,a,x,1,,7\n3,B,b,x,2,1,8\n4,C,c,y,3,2,9\n';
    expect(await unique(file)).toEqual({ rows: 3, headings: ['bioguide_id', 'handle', ''] });
    expect(await unique(file.replace('B,b,x,2', 'B,b,x,1'))).toMatchObject({ headings: ['handle', ''] });
    expect(await unique('name,code\nA,1\n')).toMatchObject({ headings: [] });
    expect(await unique('{"name":"A","n":1}\n{"n":2,"name":"B"}\n{"name":"C","n":3,"m":4}\n')).toMatchObject({
      headings: ['n'],
    });
    expect(await unique(`name,code\nA,with a space\nB,2\n`)).toMatchObject({ headings: [] });
  });

  it('are not looked at where any row has an id or an e-mail address', async () => {
    expect(await unique('name,email,code\nA,,1\nB,b@example.com,2\nC,,3\n')).toMatchObject({ headings: [] });
  });

  it('are looked at no further once so many values are kept', () => {
    const columns = uniqueColumns(20);
    const headings = Array.from({ length: 10 }, (_, column) => `c${column}`);
    const see = (row: number) =>
      columns.see({ line: row, headings, cells: headings.map((name) => `${name}-${row}`) }, [...headings.keys()]);
    for (const row of [1, 2, 3, 1]) see(row);
    expect(columns.found()).toEqual({ rows: 2, headings });
  });
});

describe('a word of a command line', () => {
  it('is the same after a shell has read it', () => {
    for (const word of [
      'name=Full',
      'name=Maintainer Name',
      "name=It's",
      'name=$HOME `id` \\ "x" !!',
      'name={A} {B}',
      '',
    ]) {
      const line = `printf %s ${shellWord(word)}`;
      expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe(word);
    }
    expect(shellWord('name=Maintainer Name')).toBe('name="Maintainer Name"');
  });
});

describe('rows that are long', () => {
  const notes = 'x'.repeat(1_000_000);
  const long = async function* () {
    for (let i = 0; i < 20; i++) yield Buffer.from(`{"email":"p${i}@example.com","notes":"${notes}"}\n`);
  };

  it('come a few at a time where they may be given back, and else without what is not asked for', async () => {
    const sizes: number[] = [];
    const kept = await openReading(long(), contactReader, options);
    for await (const batch of kept.batches) sizes.push(batch.length);
    expect(sizes).toEqual([9, 9, 2]);
    const slim = await openReading(long(), contactReader, { ...options, givesBack: false });
    const [batch = []] = await Array.fromAsync(slim.batches);
    expect(batch).toHaveLength(20);
    expect(batch.every(({ row }) => row.cells.length === 0)).toBe(true);
  });
});
