import { closed, literal, object, type Schema } from './openapi/schema.ts';

/** The schema of a successful answer. */
export function Success<Data>(
  data: Schema<Data>,
  description: string,
): Schema<{ status: 'success'; data: Data }> {
  return object({ status: literal('success'), data }, { description, ...closed });
}

/** A successful answer; keeps the literal that the schema asks for. */
export function success<Data>(data: Data): { status: 'success'; data: Data } {
  return { status: 'success', data };
}
