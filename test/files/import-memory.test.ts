import { describe, expect, it } from 'vitest';

import { openImportMemory } from '../../src/files/import-memory.ts';

describe('the memory of an import', () => {
  it('knows the last line of everybody, however many there are and whatever they are called', () => {
    using memory = openImportMemory();
    const odd = ['"', '\\u0041', '\n\u0001', '😀', "'", '__proto__', '1e3', '\ufeff'];
    const many = Array.from({ length: 1_000 }, (_, i) => `id:${(i * 7_919) % 1_009}`);
    const lines = new Map<string, number>();
    const remember = (ids: readonly string[]) => {
      for (const id of ids) {
        const isNew = !lines.has(id);
        lines.set(id, lines.size + 1 + (lines.get(id) ?? 0));
        memory.learn({ met: [{ id, isNew, line: lines.get(id) ?? 0, digests: [] }], planned: [] });
      }
    };
    remember(odd);
    remember(many);
    remember(many.filter((_, i) => i % 3 === 0));
    const wrong = [...lines].filter(([id, line]) => memory.get(id)?.line !== line);
    expect(wrong).toEqual([]);
    expect(memory.get('A')).toBeUndefined();
  });

  it('knows every row about a person, and takes no two for one', () => {
    using memory = openImportMemory();
    const people = 503;
    const rows = Array.from({ length: 1_000 }, (_, i) => [`id:${i % people}`, String(i).padStart(24, '2')] as const);
    const isKnown = ([id, digest]: readonly [string, string]) => memory.get(id)?.digests.has(digest) === true;
    const areKnown = rows.map((row, i) => {
      const known = isKnown(row);
      memory.learn({ met: [{ id: row[0], isNew: i < people, line: 0, digests: [row[1]] }], planned: [] });
      return known;
    });
    expect(areKnown).not.toContain(true);
    expect(rows.map(isKnown)).not.toContain(false);
    memory.learn({ met: [{ id: 'id:7', isNew: false, line: 3, digests: [] }], planned: [] });
    expect(memory.get('id:7')?.line).toBe(3);
    expect(isKnown(rows[7] ?? ['', ''])).toBe(true);
  });

  it('finds whom a dry run would have stored by any of their keys, in their last state', () => {
    using memory = openImportMemory<{ name: string }>();
    const plan = (id: string, name: string, ...keys: string[]) =>
      memory.learn({ met: [], planned: [{ id, keys, person: { name } }] });
    plan('a', 'Ana', 'id:a', 'email:ana@example.com');
    plan('b', 'Bo', 'id:b', 'email:ana@example.com');
    plan('a', 'Ana F.', 'id:a');
    expect(memory.plannedAt(['email:ana@example.com', 'id:a'])).toEqual([{ name: 'Ana F.' }, { name: 'Bo' }]);
    expect(memory.plannedAt(['id:c'])).toEqual([]);
  });
});
