import { describe, expect, it } from 'vitest';

import { integer, list, object, oneOf, partial, type Schema, text } from '../../src/http/openapi/schema.ts';

// What the compiler refuses is marked: where it no longer does, the mark is the error.
describe('the type of a schema', () => {
  it('is that of the values it describes', () => {
    const person = object({ name: text({}), roles: list(oneOf(['Owner', 'Admin'], {}), {}) });
    const exact: Schema<{ name: string; roles: ('Owner' | 'Admin')[] }> = person;
    // @ts-expect-error a text is no number
    const wrongType: Schema<{ name: number; roles: ('Owner' | 'Admin')[] }> = person;
    // @ts-expect-error the schema has words that the type lacks
    const wrongWords: Schema<{ name: string; roles: 'Owner'[] }> = person;
    // @ts-expect-error the schema lacks a property
    const missing: Schema<{ name: string; roles: ('Owner' | 'Admin')[]; age: number }> = person;
    // @ts-expect-error what may be missing is not always there
    const always: Schema<{ page: number }> = partial({ page: integer({}) });
    for (const one of [exact, wrongType, wrongWords, missing])
      expect(one.required).toEqual(['name', 'roles']);
    expect(always.required).toBeUndefined();
  });
});
