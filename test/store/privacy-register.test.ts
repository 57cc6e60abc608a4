import { describe, expect, it } from 'vitest';

import { register } from '../../scripts/privacy/register.ts';
import type { Database } from '../../src/database/database.ts';
import { sql } from '../../src/database/sql.ts';
import { engines } from '../support/engines.ts';

const howTo =
  'scripts/privacy/register.ts gives each column a class, a time and its readers; then run: npm run privacy';

/** Of all tables but the engine's own. */
async function columnsIn(database: Database): Promise<string[]> {
  const query =
    database.engine === 'sqlite'
      ? sql`select tables.name || '.' || columns.name as name
          from pragma_table_list as tables, pragma_table_info(tables.name) as columns
          where tables.schema = 'main' and tables.type <> 'view' and tables.name not like 'sqlite\\_%' escape '\\'`
      : sql`select columns.table_name || '.' || columns.column_name as name
          from information_schema.columns as columns
          join information_schema.tables as tables using (table_schema, table_name)
          where table_schema = current_schema() and table_type = 'BASE TABLE'`;
  return (await database.all<{ name: string }>(query)).map(({ name }) => name).toSorted();
}

describe.each(engines)('the register of docs/privacy.md on $engine', ({ open }) => {
  it('has a class for each column of each table, and for no other', async () => {
    await using opened = await open();
    const { engine } = opened.database;
    const ofEngine = register.flatMap(({ name, parts }) =>
      parts
        .filter((part) => (part.engine ?? engine) === engine)
        .flatMap(({ columns }) => columns.map((column) => `${name}.${column}`)),
    );
    const stored = await columnsIn(opened.database);
    expect(stored.length).toBeGreaterThan(100);
    expect(ofEngine.toSorted(), howTo).toEqual(stored);
  });
});
