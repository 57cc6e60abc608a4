import type { FastifySerializerCompiler } from 'fastify';

import type { Schema } from './schema.ts';

/**
 * JSON of an answer, of which nothing is sent that its schema does not name. As V8 writes plain objects faster than
 * anything in JavaScript, an answer is only looked through, and copied where it holds too much.
 */
export const serialize: FastifySerializerCompiler<Schema> = ({ schema }) => {
  const isNamed = namesOf(schema);
  return (answer) => JSON.stringify(isNamed(answer) ? answer : named(schema, answer));
};

function namesOf({ properties, items }: Schema): (value: unknown) => boolean {
  if (items) {
    const isItemNamed = namesOf(items);
    return (value) => !Array.isArray(value) || value.every(isItemNamed);
  }
  if (!properties) return () => true;
  const inner = new Map(Object.entries(properties).map(([name, schema]) => [name, namesOf(schema)]));
  return (value) => {
    for (const name in value as object) {
      if (inner.get(name)?.((value as Record<string, unknown>)[name]) !== true) return false;
    }
    return true;
  };
}

function named({ properties, items }: Schema, value: unknown): unknown {
  if (items && Array.isArray(value)) return value.map((item) => named(items, item));
  if (!properties || typeof value !== 'object' || value === null) return value;
  const all = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, named(schema, all[name])]),
  );
}
