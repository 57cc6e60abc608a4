import { describe, expect, it } from 'vitest';

import { Success, success } from '../../src/http/envelope.ts';
import { boolean, closed, list, object, type Schema, text } from '../../src/http/openapi/schema.ts';
import { serialize } from '../../src/http/openapi/serialization.ts';

const person = object({ name: text({}), isOwner: boolean() }, closed);
const answer = Success(object({ people: list(person, {}), tags: list(text({}), {}) }, closed), 'People.');
const write = (schema: Schema, value: unknown) =>
  serialize({ schema, method: 'GET', url: '/', httpStatus: '200' })(value);

const whole = success({ people: [{ name: 'Ana "A" Ferreira', isOwner: true }], tags: ['a', 'b'] });

describe('an answer', () => {
  it('is written as it is where its schema names all of it', () => {
    expect(write(answer, whole)).toBe(JSON.stringify(whole));
    expect(write(answer, success({ people: [], tags: [] }))).toBe(
      '{"status":"success","data":{"people":[],"tags":[]}}',
    );
  });

  it('is written without what its schema does not name, however deep', () => {
    const secret = { secret: 'planted' };
    const { data } = whole;
    for (const tooMuch of [
      { ...whole, ...secret },
      { ...whole, data: { ...data, ...secret } },
      { ...whole, data: { ...data, people: data.people.map((one) => ({ ...secret, ...one, ...secret })) } },
      { ...secret, ...whole, toString: 'planted' },
    ])
      expect(write(answer, tooMuch)).toBe(JSON.stringify(whole));
  });

  it('has null and what is missing as the handler has them', () => {
    expect(write(person, { name: null })).toBe('{"name":null}');
  });
});
