import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { contactColumns } from '../../src/contacts/contact.ts';
import { draftContact, identifyingFields } from '../../src/contacts/matching.ts';
import { AppError } from '../../src/errors.ts';
import { openInput } from '../../src/files/input.ts';
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
const contacts = { columns: contactColumns, identifying: identifyingFields, draft: draftContact };
const read = (text: string, given = options) => openReading(openInput(fileOf(text)).bytes, contacts, given);
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
      row: { line: 3, original: ['B', 'bad'] },
      objections: ['email is not an e-mail address'],
    });
  });

  it('gives no cells back that are not asked for', async () => {
    const { batches } = await read('{"email":"bad"}\nnot json\n', { ...options, givesBack: false });
    const given = (await Array.fromAsync(batches)).flat().map(({ row }) => row);
    expect(given.map(({ line }) => line)).toEqual([1, 2]);
    expect(given.flatMap(({ headings, original }) => [...headings, ...original])).toEqual([]);
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

  it('is refused without a column for id, name, email or phone, with headings that may be one', async () => {
    const refusal = async (text: string) => {
      const { batches } = await read(text);
      return Array.fromAsync(batches).catch((error: unknown) => (error as AppError).message);
    };
    expect(await refusal('Maintainer Name,Company\nA,B\n')).toBe(
      'The file has no column for any of id, name, email, phone; did you mean --map name="Maintainer Name"? It has: Maintainer Name, Company.',
    );
    expect(await refusal('Firm,Company\nA,B\n')).toMatch(/phone; it has: Firm, Company\.$/);
    expect(await refusal('Company,+1 555 0100\nA,B\n')).not.toContain('555');
  });

  it('can be stopped in the midst, with the reason, and hears of it while it reads', async () => {
    const reason = new Error('enough');
    const input = openInput(fileOf(`name,email\n${rows.repeat(40)}`));
    const { batches } = await openReading(input.bytes, contacts, options);
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

describe('rows that are long', () => {
  const notes = 'x'.repeat(1_000_000);
  const long = async function* () {
    for (let i = 0; i < 20; i++) yield Buffer.from(`{"email":"p${i}@example.com","notes":"${notes}"}\n`);
  };

  it('come a few at a time where they may be given back, and else without what is not asked for', async () => {
    const sizes: number[] = [];
    const kept = await openReading(long(), contacts, options);
    for await (const batch of kept.batches) sizes.push(batch.length);
    expect(sizes).toEqual([9, 9, 2]);
    const slim = await openReading(long(), contacts, { ...options, givesBack: false });
    const [batch = []] = await Array.fromAsync(slim.batches);
    expect(batch).toHaveLength(20);
    expect(batch.every(({ row }) => row.original.length === 0 && row.cells.length === 0)).toBe(true);
  });
});
