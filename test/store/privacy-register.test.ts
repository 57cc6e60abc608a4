import { describe, expect, it } from 'vitest';

import { register } from '../../scripts/privacy/register.ts';
import { columnsIn, engines } from '../support/engines.ts';

const howTo =
  'scripts/privacy/register.ts gives each column a class, a time and its readers; then run: npm run privacy';

describe.each(engines)('the register of docs/privacy.md on $engine', ({ open }) => {
  it('has a class for each column of each table, and for no other', async () => {
    await using opened = await open();
    const { engine } = opened.database;
    const ofEngine = register.flatMap(({ name, parts }) =>
      parts
        .filter((part) => (part.engine ?? engine) === engine)
        .flatMap(({ columns }) => columns.map((column) => `${name}.${column}`)),
    );
    const stored = (await columnsIn(opened.database)).map(({ table, column }) => `${table}.${column}`).toSorted();
    expect(stored.length).toBeGreaterThan(100);
    expect(ofEngine.toSorted(), howTo).toEqual(stored);
  });
});
