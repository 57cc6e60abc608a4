import { describe, expect, it } from 'vitest';

import { byteOfFault, isTooDeep } from '../src/values/json-text.ts';

describe('the depth of a JSON text', () => {
  it.each([
    [64, '['.repeat(64) + ']'.repeat(64), false],
    [65, '['.repeat(65) + ']'.repeat(65), true],
    [65, '{"a":'.repeat(65), true],
    ['64 after 64', `[${`${'['.repeat(63)}${']'.repeat(63)},`.repeat(100)}1]`, false],
    ['1 with brackets in texts', JSON.stringify(['['.repeat(100), '\\"[[', `"${'{'.repeat(100)}`]), false],
  ])('is %s', (_depth, text, expected) => {
    expect(isTooDeep(text)).toBe(expected);
  });
});

describe('the byte at which a text ceases to be JSON', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['xyz', 0],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['{"a":1}}', 7],
    ['{"a":}', 5],
    ['[1,]', 3],
    ['[,1]', 1],
    ['{"a"::1}', 5],
    ['{ "ä": undefined }', 8],
    ['{"a" : 1 , "b" : , "c":2}', 17],
    [`[${'1, '.repeat(150)}"x,",\n ,2]`, 458],
    [`["${'\\n'.repeat(500_000)}",`, 1_000_004],
    ['{"a":"]","b":NaN}', 13],
    [`{"a":"${'x'.repeat(1_000_000)}","b":NaN}`, 1_000_012],
  ])('of %s is %i', (text, expected) => {
    const parse = () => {
      try {
        return JSON.parse(text) as unknown;
      } catch (error) {
        return byteOfFault(text, error);
      }
    };
    expect(parse()).toBe(expected);
  });
});
