import { describe, expect, it } from 'vitest';

import { openImportMemory } from '../../src/files/import-memory.ts';

describe('the memory of an import', () => {
  it('knows the last line of everybody, however many there are and whatever they are called', () => {
    using memory = openImportMemory(false);
    const odd = ['"', '\\u0041', '\n\u0001', '😀', "'", '__proto__', '1e3', '\ufeff'].map((one) => `id:${one}`);
    const many = Array.from({ length: 40_000 }, (_, i) => `id:${(i * 7_919) % 40_009}`);
    const lines = new Map<string, number>();
    const remember = (keys: readonly string[]) => {
      for (const key of keys) {
        lines.set(key, lines.size + 1 + (lines.get(key) ?? 0));
        memory.remember(key, lines.get(key) ?? 0);
      }
    };
    remember(odd);
    remember(many);
    remember(many.filter((_, i) => i % 3 === 0));
    const wrong = [...lines].filter(([key, line]) => memory.lineOf(key) !== line);
    expect(wrong).toEqual([]);
    expect(memory.lineOf('id:A')).toBeUndefined();
  });

  it('knows every row about a person, and takes no two for one', () => {
    using memory = openImportMemory(false);
    const rows = Array.from({ length: 40_000 }, (_, i) => [`id:${i % 20_011}`, String(i).padStart(24, '2')] as const);
    const see = ([key, digest]: readonly [string, string], i: number) => memory.seen(key, digest, i < 20_011);
    expect(rows.map(see)).not.toContain(true);
    expect(rows.map((row) => see(row, rows.length))).not.toContain(false);
    expect(memory.lineOf('id:7')).toBeUndefined();
    memory.remember('id:7', 3);
    expect(memory.lineOf('id:7')).toBe(3);
    expect(see(rows[7] ?? ['', ''], rows.length)).toBe(true);
  });
});
