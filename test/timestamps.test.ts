import { describe, expect, it } from 'vitest';

import { formatTimestamp, inSeconds, newMoment, parseDuration, parseTimestamp } from '../src/values/timestamp.ts';

describe('a time that comes in', () => {
  it.each([
    ['2024-06-08T13:38:33+00:00', '2024-06-08T13:38:33+00:00'],
    ['2024-06-08T13:38:33Z', '2024-06-08T13:38:33+00:00'],
    ['2024-06-08t13:38:33z', '2024-06-08T13:38:33+00:00'],
    ['2024-06-08T15:38:33+02:00', '2024-06-08T13:38:33+00:00'],
    ['2024-06-08T13:38:33-0530', '2024-06-08T19:08:33+00:00'],
    ['2024-06-08T13:38:33+02', '2024-06-08T11:38:33+00:00'],
    ['2024-12-31T23:30:00-01:00', '2025-01-01T00:30:00+00:00'],
    ['2024-06-08T13:38:33.999Z', '2024-06-08T13:38:33+00:00'],
    ['2024-06-08T13:38:33,5', '2024-06-08T13:38:33+00:00'],
    ['2024-06-08 13:38:33', '2024-06-08T13:38:33+00:00'],
    ['2024-06-08 13:38:33 UTC', '2024-06-08T13:38:33+00:00'],
    ['2024-06-08 13:38:33 +0000', '2024-06-08T13:38:33+00:00'],
    ['2024-06-08 13:38', '2024-06-08T13:38:00+00:00'],
    ['2024-06-08', '2024-06-08T00:00:00+00:00'],
    ['2024-02-29', '2024-02-29T00:00:00+00:00'],
    ['0099-01-01', '0099-01-01T00:00:00+00:00'],
    ['1717853913', '2024-06-08T13:38:33+00:00'],
    ['1717853913999', '2024-06-08T13:38:33+00:00'],
  ])('%s is %s', (text, timestamp) => {
    expect(parseTimestamp(text)).toBe(timestamp);
  });

  it.each([
    '',
    'yesterday',
    '6/8/2024',
    '08.06.2024',
    '2024-13-01',
    '2024-02-30',
    '2023-02-29',
    '2024-06-08T24:00:00',
    '2024-06-08T13:60',
    '2024-06-08T13:38:60',
    '2024-6-8',
    '20240608',
    '2024-06-08T13:38:33+25:00',
    '2024-06-08T13:38:33 CEST',
    '0000-01-01',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
  ])('%j is refused rather than guessed', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('that goes out loses its fraction, not a second', () => {
    expect(formatTimestamp(new Date('2024-06-08T13:38:33.999Z'))).toBe('2024-06-08T13:38:33+00:00');
  });
});

describe('a time beyond the year 9999', () => {
  it('is never written, as it would sort before all others', () => {
    expect(formatTimestamp(new Date('9999-12-31T23:59:59Z'))).toBe('9999-12-31T23:59:59+00:00');
    expect(() => formatTimestamp(new Date('+010000-01-01T00:00:00Z'))).toThrow(RangeError);
  });
});

describe('a moment', () => {
  it('is never the same twice, sorts after the ones before and after its own second, and is shown without fraction', () => {
    const moments = Array.from({ length: 500 }, () => newMoment());
    expect(moments.toSorted()).toEqual(moments);
    expect(new Set(moments).size).toBe(moments.length);
    for (const moment of moments) {
      const second = inSeconds(moment);
      expect(second).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      expect([second < moment, moment.startsWith(second.slice(0, 19)), inSeconds(second)]).toEqual([
        true,
        true,
        second,
      ]);
    }
  });
});

describe('a span', () => {
  it('is a whole number and a unit, a hundred years at most', () => {
    expect(['90d', '24h', '30m', '2w', '15s', '0h'].map(parseDuration)).toEqual([
      7_776_000, 86_400, 1_800, 1_209_600, 15, 0,
    ]);
    expect(parseDuration('36500d')).toBe(100 * 365 * 86_400);
    for (const bad of ['36501d', '999999w', '', '90', 'd', '-1d', '1.5h', '1y', ' 1d', '01d', '1d2h'])
      expect(parseDuration(bad)).toBeUndefined();
  });
});
