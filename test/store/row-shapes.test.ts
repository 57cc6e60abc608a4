import { Query } from 'pg';
import { describe, expect, it } from 'vitest';

import { shareShape } from '../../src/database/postgres/row-shapes.ts';

interface Result {
  addFields(fields: object[]): void;
  parseRow(cells: (string | null)[]): object;
}

/** The row that pg makes of these columns and cells, as the answer of a named statement. */
function rowOf(name: string, fields: [name: string, type: number][], cells: (string | null)[]): object {
  const query = new Query('select', []);
  shareShape(query, name);
  const { _result: result } = query as unknown as { _result: Result };
  result.addFields(fields.map(([column, dataTypeID]) => ({ name: column, dataTypeID, format: 'text' })));
  return { ...result.parseRow(cells) };
}

const [text, integer] = [25, 23];

describe('the rows of a named statement', () => {
  it('are as pg makes them, each of its own', () => {
    const fields: [string, number][] = [
      ['id', text],
      ['total', integer],
      ['name', text],
    ];
    expect(rowOf('one', fields, ['a', '1', null])).toEqual({ id: 'a', total: 1, name: null });
    expect(rowOf('one', fields, ['b', '2', 'Bo'])).toEqual({ id: 'b', total: 2, name: 'Bo' });
    expect(rowOf('one', fields, ['c', null, null])).toEqual({ id: 'c', total: null, name: null });
  });

  it('have the columns of their own answer, whatever an earlier one had', () => {
    expect(rowOf('two', [['id', text]], ['1'])).toEqual({ id: '1' });
    expect(rowOf('two', [['id', integer]], ['1'])).toEqual({ id: 1 });
    expect(rowOf('two', [['number', integer]], ['1'])).toEqual({ number: 1 });
    expect(
      rowOf(
        'two',
        [
          ['id', text],
          ['name', text],
        ],
        ['1', 'A'],
      ),
    ).toEqual({ id: '1', name: 'A' });
  });
});
