import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { giveName } from '../src/new-file.ts';
import { temporaryFolder } from './support/engines.ts';

it('a finished file gets its name, and never that of another file', () => {
  using folder = temporaryFolder();
  const [unfinished, file] = [join(folder.path, 'unfinished'), join(folder.path, 'file')];
  writeFileSync(unfinished, 'first');
  giveName(unfinished, file);
  writeFileSync(`${unfinished}2`, 'second');
  expect(() => giveName(`${unfinished}2`, file)).toThrow(`The file exists already; name another: ${file}.`);
  expect(readFileSync(file, 'utf8')).toBe('first');
});
