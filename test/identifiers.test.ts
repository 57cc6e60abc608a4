import { describe, expect, it, vi } from 'vitest';

import { hasAtMost, isId, newChatbotId } from '../src/values/identifier.ts';

describe('an id that is made here', () => {
  it('is a lower-case UUIDv7, never the same, and sorts by creation, within a millisecond too', async () => {
    // Ids never go back in time, and another test may have set the clock forward.
    vi.resetModules();
    const fresh = await import('../src/values/identifier.ts');
    const ids = Array.from({ length: 100_000 }, fresh.newId);
    const now = Date.now();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !form.test(id))).toEqual([]);
    const lastMs = Number.parseInt((ids.at(-1) ?? '').replace('-', '').slice(0, 12), 16);
    expect(Math.abs(lastMs - now)).toBeLessThan(1_000);
  });

  it('of a chatbot is ten decimal digits', () => {
    for (let i = 0; i < 1_000; i++) expect(newChatbotId()).toMatch(/^[1-9]\d{9}$/);
  });
});

describe('an id from elsewhere', () => {
  it('is 1 to 64 characters of anything that can be stored', () => {
    for (const id of ['x', '😀'.repeat(64), "' or 1=1", '..']) expect(isId(id)).toBe(true);
    for (const id of ['', 'x'.repeat(65), '😀'.repeat(65), 'a\0b', '\ud83d']) expect(isId(id)).toBe(false);
  });

  it('has its characters counted as people would', () => {
    expect([hasAtMost('ab', 2), hasAtMost('abc', 2), hasAtMost('😀😀', 2), hasAtMost('😀😀😀', 2)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});
