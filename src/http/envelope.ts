import { type TSchema, Type } from 'typebox';

/** The schema of a successful answer. */
export function Success<Data extends TSchema>(data: Data, description: string) {
  return Type.Object({ status: Type.Literal('success'), data }, { description, additionalProperties: false });
}

/** A successful answer; keeps the literal that the schema asks for. */
export function success<Data>(data: Data): { status: 'success'; data: Data } {
  return { status: 'success', data };
}
