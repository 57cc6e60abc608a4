import type { FieldError } from '../errors.ts';
import { storablePattern } from '../values/field.ts';
import { addSeconds, formatTimestamp, parseTimestamp, type Timestamp } from '../values/timestamp.ts';
import type { ContactSearch } from './store.ts';

const says = {
  created_after: 'Only contacts created later than this time.',
  created_before: 'Only contacts created earlier than this time.',
  updated_after:
    'Only contacts changed at this time or later. To poll, begin sixty seconds before the newest `updated_at` that you saw; the feed of events misses nothing.',
  updated_before: 'Only contacts changed earlier than this time; those whose time of change is unknown are the oldest.',
} as const;
const names = ['created_after', 'created_before', 'updated_after', 'updated_before'] as const;

export type Times = Partial<Readonly<Record<keyof typeof says, string>>>;

const timeSchema = (description: string) =>
  ({
    type: 'string',
    minLength: 1,
    maxLength: 40,
    pattern: storablePattern,
    description,
    examples: ['2024-06-08T13:38:33+00:00'],
  }) as const;

export const timeSchemas = {
  created_after: timeSchema(says.created_after),
  created_before: timeSchema(says.created_before),
  updated_after: timeSchema(says.updated_after),
  updated_before: timeSchema(says.updated_before),
} as const;

export function objectionsToTimes(input: Times): FieldError[] {
  return names.flatMap((field): FieldError[] => {
    const text = input[field];
    if (text === undefined || parseTimestamp(text) !== undefined) return [];
    return [{ field, code: 'format', message: 'must be a time such as 2024-06-08T13:38:33Z' }];
  });
}

/** Sorts after every time. */
const end = 'A';
const fraction = /[.,]0*[1-9]/;

export function timesIn(input: Times): Pick<ContactSearch, 'created' | 'updated'> {
  const { created_after: after, created_before: before, updated_after: from, updated_before: until } = input;
  return {
    ...((after ?? before) !== undefined && {
      created: { after: after === undefined ? '' : parsed(after), before: first(before, end) },
    }),
    ...((from ?? until) !== undefined && { updated: { from: first(from, ''), before: first(until, end) } }),
  };
}

function first(text: string | undefined, otherwise: string): string {
  return text === undefined ? otherwise : nextIfBegun(text);
}

/** Rounds a fraction up to the next second, as stored times are whole seconds. */
function nextIfBegun(text: string): Timestamp {
  if (!fraction.test(text)) return parsed(text);
  const next = addSeconds(new Date(parsed(text)), 1);
  return next.getUTCFullYear() > 9999 ? end : formatTimestamp(next);
}

function parsed(text: string): Timestamp {
  return parseTimestamp(text) ?? '';
}
