import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readParameters } from '../../src/http/openapi/parameters.ts';
import { integer, oneOf, partial, type Schema, text } from '../../src/http/openapi/schema.ts';

const schemas = {
  integer: integer({ minimum: 1, maximum: 100 }),
  'integer without bounds': integer({ minimum: 1 }),
  text: text({ minLength: 1, maxLength: 5, pattern: '^[^\\u0000]+$' }),
  'text without bounds': text({}),
  word: oneOf(['Owner', 'Admin'], {}),
};

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 7 }),
  fc.string({ unit: fc.constantFrom('0', '1', '9', '-', '+', '.', 'e', ' ', 'x'), maxLength: 10 }),
  fc.constantFrom('Owner', 'Admin', 'owner', 'Owner ', '', '1', '100', '101', '999999999', '😀'.repeat(5)),
);
const given = fc.oneof(texts, fc.array(texts, { maxLength: 2 }));

function read(schema: Schema, value: unknown, httpPart = 'querystring') {
  return readParameters({ schema, httpPart, method: 'GET', url: '/' })(value) as {
    value?: Record<string, unknown>;
    error?: { code: string; errors?: { field: string; message: string }[] };
  };
}

describe('a parameter', () => {
  it.each(Object.entries(schemas))('of the schema "%s" is what JSON Schema allows', (_name, schema) => {
    const { 'x-expected': _, ...standard } = schema;
    const validate = new Ajv().compile(standard);
    fc.assert(
      fc.property(given, (one) => {
        // JSON has numbers, a query their digits: up to nine, without sign, zero at the front, point or exponent.
        const isNumber = typeof one === 'string' && /^[1-9]\d{0,8}$/.test(one);
        const meant = schema.type === 'integer' && isNumber ? Number(one) : one;
        const found = read(partial({ it: schema }), { it: one });
        expect(found.error === undefined).toBe(validate(meant));
        if (found.error === undefined) expect(found.value).toEqual({ it: meant });
      }),
      { numRuns: 2_000 },
    );
  });

  it('that has no schema is not read', () => {
    const query = JSON.parse('{"word":"Owner","other":"x","__proto__":"y"}') as unknown;
    expect(read(partial({ word: schemas.word }), query)).toEqual({ value: { word: 'Owner' } });
  });
});

describe('what is wrong', () => {
  const query = partial({ page: schemas.integer, word: schemas.word, text: schemas.text });

  it('in a query is told of each parameter once', () => {
    const { error } = read(query, { page: '0', word: ['Owner', 'Owner'], text: 'fine' });
    expect(error?.code).toBe('validation_failed');
    expect(error?.errors?.map(({ field }) => field)).toEqual(['page', 'word']);
  });

  it('in a path belongs to nobody', () => {
    expect(read(query, { text: 'too long' }, 'params').error?.code).toBe('not_found');
  });

  it('with a schema is told at the start: a body, or a type that no parameter has', () => {
    expect(() => read(query, {}, 'body')).toThrow('nothing reads body yet');
    expect(() => read(partial({ one: partial({}) }), {})).toThrow('no parameter can be of the type object');
  });
});
