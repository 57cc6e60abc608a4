import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { emailKey } from '../src/values/email.ts';
import { objectionToWebsite } from '../src/values/field.ts';
import { isStorable } from '../src/values/identifier.ts';

describe('what is checked by a quick look first', () => {
  it('is the same for every character: the key of an address, and what can be stored', () => {
    const wrong: number[] = [];
    for (let code = 0; code <= 0x10_ff_ff; code++) {
      const text = `a${String.fromCodePoint(code)}b`;
      const isSame =
        emailKey(text) === text.toLowerCase() &&
        isStorable(text) === (code !== 0 && (code < 0xd8_00 || code > 0xdf_ff));
      if (!isSame) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });

  it('is no web address that could not be parsed as one', () => {
    const part = fc.constantFrom('a', 'example', 'com', 'xn--a', '1', '0x1', '.', '/', '-', '~', '%', ':', '@', ' ');
    const accepted = fc
      .sample(fc.array(part, { maxLength: 8 }), { seed: 20_261_121, numRuns: 20_000 })
      .map((parts) => `http://${parts.join('')}`)
      .filter((text) => objectionToWebsite(text) === undefined);
    expect(accepted.length).toBeGreaterThan(1_000);
    expect(accepted.filter((text) => URL.parse(text) === null)).toEqual([]);
  });
});
