import { describe, expect, it } from 'vitest';

import { digestOf } from '../support/people.ts';

describe('the digest by which stored contacts are found again', () => {
  it('of all cells never changes without a new version', () => {
    expect(digestOf({ name: 'Ana' })).toBe('2:EY0cPPnMAPLOZZtiFHQvtYnESL06ejF320ASf6i8MK8');
    expect(digestOf({ Name: 'Ana Lucía', bioguide_id: 'B000944', '': 'x' })).toBe(
      '2:DF01_gsbt9RXaKCpvYDLoGN1HnZXdvQ0c2x7gMo4gzA',
    );
    expect(digestOf({ id: 7, yes: true, tags: ['a', 'b'], more: { deep: [null] } })).toBe(
      '2:K-Q5BUlBXwQFvDLzxAZHYD7zfKquWtzGdo2IvqSuTn0',
    );
  });

  it('of all cells knows neither the order of the columns, nor empty cells, nor the columns of rejects', () => {
    const digest = digestOf({ a: 'A', b: 'B' });
    expect(digestOf({ b: ' B\t', a: 'A', c: ' ', d: null })).toBe(digest);
    expect(digestOf({ roster_line: '7', roster_reason: 'is bad', a: 'A', b: 'B' })).toBe(digest);
    expect(digestOf({ a: 'A', b: 'B', c: 'C' })).not.toBe(digest);
    expect(digestOf({ a: 'B', b: 'A' })).not.toBe(digest);
    expect(digestOf({ a: 'AbB' })).not.toBe(digestOf({ a: 'A', b: 'B' }));
  });
});
