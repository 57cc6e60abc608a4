import { describe, expect, it } from 'vitest';

import { checksum, generateToken, hashToken, inspectToken, isPossibleToken } from '../src/api-keys/token.ts';

/** ROSTER_TEST_KEYS=1000000 takes a minute; as many as in a second are tried in every run. */
const tokens = Number(process.env['ROSTER_TEST_KEYS'] ?? 50_000);
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');

describe('a token', () => {
  it('has the checksum of the published example', () => {
    expect(checksum('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ')).toBe('0mLq17');
  });

  it('has its form, is never the same, and is found by the scanner’s expression', () => {
    const tokens = new Set(Array.from({ length: 10_000 }, generateToken));
    expect(tokens.size).toBe(10_000);
    for (const token of tokens) {
      expect(token).toMatch(/^rst_[0-9A-Za-z]{36}$/);
      expect(inspectToken(token)).toEqual({ form: 'roster', checksum: 'valid' });
    }
    expect(`key="${[...tokens][0]}";`).toMatch(/\brst_[0-9A-Za-z]{36}\b/);
  });

  it(`is not made twice in ${tokens}, and at each place uses all characters alike`, { timeout: 120_000 }, () => {
    const made = new Set<string>();
    const counts = Array.from({ length: 30 }, () => new Map(alphabet.map((character) => [character, 0])));
    for (let i = 0; i < tokens; i++) {
      const secret = generateToken().slice(4, 34);
      made.add(secret);
      for (const [place, count] of counts.entries()) {
        const character = secret.charAt(place);
        count.set(character, (count.get(character) ?? 0) + 1);
      }
    }
    expect(made.size).toBe(tokens);
    const expected = tokens / alphabet.length;
    for (const count of counts) {
      expect(count.size).toBe(alphabet.length);
      const chiSquare = [...count.values()].reduce((sum, one) => sum + (one - expected) ** 2 / expected, 0);
      // 61 degrees of freedom: above this by chance at one of the thirty places once in two thousand million runs.
      expect(chiSquare).toBeLessThan(165);
    }
  });

  it('with any other character at any place is known to be wrong without a store', { timeout: 120_000 }, () => {
    // All 2,196 changes of each of a thousand where a million are made, of some always.
    const wrong: string[] = [];
    for (let i = 0; i < tokens / 1_000; i++) {
      const token = generateToken();
      for (let place = 4; place < token.length; place++) {
        for (const character of alphabet) {
          const changed = token.slice(0, place) + character + token.slice(place + 1);
          if (isPossibleToken(changed) !== (changed === token)) wrong.push(changed);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('from elsewhere has 16 to 256 visible characters', () => {
    expect(isPossibleToken('x'.repeat(16))).toBe(true);
    expect(isPossibleToken('x'.repeat(256))).toBe(true);
    for (const bad of ['x'.repeat(15), 'x'.repeat(257), 'x'.repeat(15) + ' ', 'x'.repeat(15) + 'é', '']) {
      expect(isPossibleToken(bad)).toBe(false);
    }
  });

  it('is hashed by SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
