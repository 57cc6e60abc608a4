import type { FieldError } from '../errors.ts';
import { endOfTimes, firstFrom, objectionsToTimes as objectionsTo, parsed, timeSchema } from '../values/time-bound.ts';
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

export const timeSchemas = {
  created_after: timeSchema(says.created_after),
  created_before: timeSchema(says.created_before),
  updated_after: timeSchema(says.updated_after),
  updated_before: timeSchema(says.updated_before),
} as const;

export function objectionsToTimes(input: Times): FieldError[] {
  return objectionsTo(input, names);
}

export function timesIn(input: Times): Pick<ContactSearch, 'created' | 'updated'> {
  const { created_after: after, created_before: before, updated_after: from, updated_before: until } = input;
  return {
    ...((after ?? before) !== undefined && {
      created: { after: after === undefined ? '' : parsed(after), before: first(before, endOfTimes) },
    }),
    ...((from ?? until) !== undefined && { updated: { from: first(from, ''), before: first(until, endOfTimes) } }),
  };
}

function first(text: string | undefined, otherwise: string): string {
  return text === undefined ? otherwise : firstFrom(text);
}
