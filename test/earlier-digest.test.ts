import { hash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { earlierColumns } from '../src/contacts/columns.ts';
import { earlierDigest } from '../src/contacts/import-keys.ts';
import { digestOf } from './support/people.ts';

describe('the digest by which stored contacts are found again', () => {
  it('of the mapped cells alone never changes, and knows no field that was added later', () => {
    expect(earlierDigest({ name: 'Ana' })).toBe('sZBl8-eLy-KD4EgLOQPgFDXKDBqaN5Trm9l_wGAJ198');
    const whole = {
      name: 'Ana Lucía Ferreira',
      job_title: 'Nurse',
      phone: '+1 555 0100',
      website: 'https://example.com',
      company: 'Example Ltd',
      created_at: '2024-06-08T13:38:33+00:00',
    };
    expect(earlierDigest(whole)).toBe('ok7AKB5kpA5MbQw3fE7LjXvtIYfi9C2zW44MWtssTA0');
    expect(earlierDigest({ ...whole, fax: '1' } as typeof whole)).toBe(earlierDigest(whole));
  });

  it('of the mapped cells reads the headings known when it was made, and no later ones', () => {
    const headings = Object.values(earlierColumns).map((column) => [column.headings, column.oneColumn]);
    expect(hash('sha256', JSON.stringify(headings), 'base64url')).toBe('zpDxGb9ZbxYGgPFkuu1A7MbY0twK4IhdwJ_u0kY2nVs');
  });

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
