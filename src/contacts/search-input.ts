import type { FieldError } from '../errors.ts';
import { invalid } from '../validation.ts';
import { cursorSchema } from '../values/cursor.ts';
import { storablePattern } from '../values/field.ts';
import type { Partly } from '../values/object-schema.ts';
import { limitSchema } from '../values/page.ts';
import { endOfTimes, firstFrom, objectionsToTimes, parsed, timeSchema } from '../values/time-bound.ts';
import { tagLengthMax, tagPattern } from './properties.ts';
import type { ContactSearch } from './store.ts';
import { includeSchema } from './view.ts';
import { objectionsToWhere, whereSchema } from './where.ts';
import { foldedWords, wordLengthMax } from './words.ts';

export const limitDefault = 25;
export const limitMax = 100;
const queryLengthMax = 1_000;
const wordsMax = 10;
export const countMax = 10_000;

/** `date_…` are the names from before additions had an order of their own. */
export const orders = {
  added_desc: 'newest',
  added_asc: 'oldest',
  date_desc: 'newest',
  date_asc: 'oldest',
  updated_desc: 'newest',
  updated_asc: 'oldest',
} as const;
const sorts = ['added_desc', 'added_asc', 'date_desc', 'date_asc', 'updated_desc', 'updated_asc'] as const;

const timeSchemas = {
  created_after: timeSchema('Only contacts created later than this time.'),
  created_before: timeSchema('Only contacts created earlier than this time.'),
  updated_after: timeSchema(
    'Only contacts changed at this time or later. To poll, begin sixty seconds before the newest `updated_at` that you saw; the feed of events misses nothing.',
  ),
  updated_before: timeSchema(
    'Only contacts changed earlier than this time; those whose time of change is unknown are the oldest.',
  ),
} as const;
const times = Object.keys(timeSchemas) as (keyof typeof timeSchemas)[];

export const filters = {
  query: {
    type: ['string', 'null'],
    maxLength: queryLengthMax,
    pattern: storablePattern,
    description: `Beginnings of words, at most ${wordsMax} of at most ${wordLengthMax} characters.`,
    examples: ['ana fer'],
  },
  sort: {
    type: 'string',
    enum: sorts,
    default: 'added_desc',
    description:
      '`added_desc` is the most recently added first; `date_desc` and `date_asc` mean the same two. `updated_desc` and `updated_asc` sort by `updated_at` and id, and only without `query`.',
    examples: ['added_desc'],
  },
  limit: limitSchema(limitDefault, limitMax, 'How many contacts.'),
  cursor: {
    ...cursorSchema,
    description: 'Goes on with the `next_cursor` of the same search; `*` is the beginning.',
  },
  tag: {
    type: 'string',
    minLength: 1,
    maxLength: tagLengthMax,
    pattern: tagPattern,
    description: 'Only contacts with this tag, in any letter case.',
    examples: ['vip'],
  },
  where: whereSchema,
  ...timeSchemas,
  count: {
    type: 'boolean',
    default: false,
    description: `Counts all contacts that are found, up to ${countMax}.`,
    examples: [true],
  },
  include: includeSchema,
} as const;

export type SearchInput = Partly<typeof filters>;

export function isByUpdate(sort: (typeof sorts)[number]): boolean {
  return sort.startsWith('updated');
}

export function requireSearch(input: SearchInput): void {
  const { query, sort = 'added_desc', where } = input;
  const errors = [...objectionsToQuery(query), ...objectionsToTimes(input, times), ...objectionsToWhere(where)];
  if (isByUpdate(sort) && query != null && query !== '') {
    errors.push({ field: 'sort', code: 'not_allowed', message: 'by update cannot be given with query' });
  }
  if (errors.length > 0) throw invalid(errors);
}

export function wordsIn(query: string | null | undefined): string[] | undefined {
  return query == null || query === '' ? undefined : [...new Set(foldedWords(query))];
}

export function timesIn(input: SearchInput): Pick<ContactSearch, 'created' | 'updated'> {
  const { created_after: after, created_before: before, updated_after: from, updated_before: until } = input;
  return {
    ...((after ?? before) !== undefined && { created: { after: parsed(after ?? ''), before: endAt(before) } }),
    ...((from ?? until) !== undefined && { updated: { from: firstFrom(from ?? ''), before: endAt(until) } }),
  };
}

function endAt(text: string | undefined): string {
  return text === undefined ? endOfTimes : firstFrom(text);
}

function objectionsToQuery(query: string | null | undefined): FieldError[] {
  const words = foldedWords(query ?? '');
  if (words.length > wordsMax) {
    return [{ field: 'query', code: 'too_many', message: `has more than ${wordsMax} words` }];
  }
  if (words.some((word) => Array.from(word.normalize('NFC')).length > wordLengthMax)) {
    return [{ field: 'query', code: 'too_long', message: `has a word of more than ${wordLengthMax} characters` }];
  }
  return [];
}
