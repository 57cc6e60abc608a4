import { expect, it } from 'vitest';

import { indexedTerms } from '../src/contacts/words.ts';
import { aContact } from './support/people.ts';

const lengthOf = (terms: readonly string[]) => terms.reduce((sum, term) => sum + Array.from(term).length, 0);

it('terms of a contact grow as its texts do, in scripts without spaces and in those that mix with them', () => {
  const han = (length: number) => Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
  const mixed = (length: number) => `${han(1)}ab각`.repeat(length).slice(0, length);
  for (const text of [han, mixed]) {
    for (const length of [10, 100, 255, 2_000]) {
      const contact = { ...aContact({ name: text(length), email: null, phone: null, company: null, job_title: null }) };
      expect(lengthOf(indexedTerms(contact))).toBeLessThanOrEqual(4 * length);
    }
  }
});
