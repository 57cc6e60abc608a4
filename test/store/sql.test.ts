import { describe, expect, it } from 'vitest';

import { inList, inPairs, sql } from '../../src/database/sql.ts';

describe('the sql tag', () => {
  it('binds values and takes in parts, never mixing the two', () => {
    const part = sql`b = ${2} and c = ${"'; drop"}`;
    const whole = sql`select ${1} where ${part} limit ${null}`;
    expect(whole.pieces.join('?')).toBe('select ? where b = ? and c = ? limit ?');
    expect(whole.values).toEqual([1, 2, "'; drop", null]);
  });

  it('composes a template with the same parts once, and with other parts anew', () => {
    const columns = [sql`a`, sql`b`] as const;
    const compose = (index: 0 | 1, value: number) => sql`select ${columns[index]} where c = ${value}`;
    expect(compose(0, 2).pieces).toBe(compose(0, 1).pieces);
    expect(compose(0, 2).values).toEqual([2]);
    expect(compose(1, 3)).toEqual({ pieces: ['select b where c = ', ''], values: [3] });
    expect(compose(0, 4)).toEqual({ pieces: ['select a where c = ', ''], values: [4] });
    // A value where a part was.
    const either = (value: number | ReturnType<typeof sql>) => sql`select ${columns[0]}, ${value}`;
    expect([either(1), either(sql`d`), either(2)].map(({ pieces }) => pieces.join('?'))).toEqual([
      'select a, ?',
      'select a, d',
      'select a, ?',
    ]);
  });

  it('makes lists of a few sizes only, so that statements are prepared once', () => {
    const sizes = Array.from({ length: 500 }, (_, i) => inList(Array(i + 1).fill('x')).values.length);
    expect([...new Set(sizes)]).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    expect(inList(['a', 'b', 'c']).values).toEqual(['a', 'b', 'c', 'c']);
    expect(inList([]).values).toEqual([null]);
  });

  it('makes lists of pairs in the same way', () => {
    const pairs = ['a', 'b', 'c'].map((letter) => [letter, 1] as const);
    expect(inPairs(pairs).pieces.join('?')).toBe('(values (?, ?), (?, ?), (?, ?), (?, ?))');
    expect(inPairs(pairs).values).toEqual(['a', 1, 'b', 1, 'c', 1, 'c', 1]);
    expect(inPairs(pairs.slice(0, 1)).pieces.join('?')).toBe('(values (?, ?))');
  });
});
