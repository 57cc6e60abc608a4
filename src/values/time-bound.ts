import type { FieldError } from '../errors.ts';
import { storablePattern } from './field.ts';
import { addSeconds, formatTimestamp, parseTimestamp, type Timestamp } from './timestamp.ts';

export const timeSchema = (description: string) =>
  ({
    type: 'string',
    minLength: 1,
    maxLength: 40,
    pattern: storablePattern,
    description,
    examples: ['2024-06-08T13:38:33+00:00'],
  }) as const;

export function objectionsToTimes<Field extends string>(
  input: { readonly [Name in Field]?: string | undefined },
  fields: readonly Field[],
): FieldError[] {
  return fields.flatMap((field): FieldError[] => {
    const text = input[field];
    if (text === undefined || parseTimestamp(withPlus(text)) !== undefined) return [];
    return [{ field, code: 'format', message: 'must be a time such as 2024-06-08T13:38:33Z' }];
  });
}

/** Sorts after every time. */
export const endOfTimes = 'A';
const fraction = /[.,]0*[1-9]/;

/** The first stored time that is not before this one: stored times are whole seconds. */
export function firstFrom(text: string): Timestamp {
  const begun = parsed(text);
  if (!fraction.test(text)) return begun;
  const next = addSeconds(new Date(begun), 1);
  return next.getUTCFullYear() > 9999 ? endOfTimes : formatTimestamp(next);
}

export function parsed(text: string): Timestamp {
  return parseTimestamp(withPlus(text)) ?? '';
}

/** A `+` that is not encoded in a URL arrives as a space. */
function withPlus(text: string): string {
  return text.replace(/ (\d{2}:\d{2})$/, (zone, digits: string) => (/T/.test(text) ? `+${digits}` : zone));
}
