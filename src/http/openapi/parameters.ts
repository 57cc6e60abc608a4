import type { FastifySchemaCompiler } from 'fastify';

import { hasAtMost } from '../../values/identifier.ts';
import { HttpFailure } from '../failures.ts';
import type { Schema } from './schema.ts';

/** The value that a parameter's text stands for; undefined for one that its schema does not allow. */
type Read = (given: unknown) => string | number | undefined;

/**
 * Reads a path or query by its schema, and nothing beside it. What the query has wrong is `validation_failed`, each
 * parameter once; a path that breaks its limits is `not_found`, as it belongs to nobody.
 */
export const readParameters: FastifySchemaCompiler<Schema> = ({ schema, httpPart }) => {
  if (httpPart !== 'params' && httpPart !== 'querystring') throw new Error(`nothing reads ${httpPart} yet`);
  const parameters = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const expected = `must be ${one['x-expected'] ?? 'another value'}, given once`;
    return { name, read: reader(one), expected };
  });
  return (given: Readonly<Record<string, unknown>>) => {
    const value: Record<string, string | number> = {};
    const errors = [];
    for (const { name, read, expected } of parameters) {
      if (given[name] === undefined) continue;
      const found = read(given[name]);
      if (found === undefined) errors.push({ field: name, code: 'invalid', message: expected });
      else value[name] = found;
    }
    if (errors.length === 0) return { value };
    return {
      error:
        httpPart === 'params'
          ? new HttpFailure('not_found')
          : new HttpFailure('validation_failed', {}, errors),
    };
  };
};

function reader(schema: Schema): Read {
  if (schema.type === 'integer') return wholeNumber(schema);
  if (schema.type === 'string') return word(schema);
  throw new Error(`no parameter can be of the type ${String(schema.type)}`);
}

const digits = /^[1-9][0-9]{0,15}$/;

// By its exact digits: `1e3`, `+1`, ` 1` and the empty text are no numbers.
function wholeNumber({ minimum = 1, maximum = Infinity }: Schema): Read {
  return (given) => {
    const value = typeof given === 'string' && digits.test(given) ? Number(given) : undefined;
    return value !== undefined && value >= minimum && value <= maximum ? value : undefined;
  };
}

function word({ minLength = 0, maxLength = Infinity, pattern = '', enum: words }: Schema): Read {
  const expression = new RegExp(pattern, 'u');
  return (given) => {
    if (typeof given !== 'string' || (words && !words.includes(given))) return undefined;
    const isOfLength = given.length >= minLength && hasAtMost(given, maxLength);
    return isOfLength && expression.test(given) ? given : undefined;
  };
}
