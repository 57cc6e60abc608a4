import { chatbotIdSchema, requireChatbot } from '../chatbots/chatbot.ts';
import type { FieldError } from '../errors.ts';
import { read } from '../operation.ts';
import { invalid } from '../validation.ts';
import { cursorSchema, hiddenNumber, nextCursorSchema, walkThrough } from '../values/cursor.ts';
import { storablePattern } from '../values/field.ts';
import { object } from '../values/object-schema.ts';
import { addSeconds, formatTimestamp, parseTimestamp, type Timestamp } from '../values/timestamp.ts';
import { exampleContact } from './contact.ts';
import { tagLengthMax, tagPattern } from './properties.ts';
import type { ContactSearch } from './store.ts';
import { contactSchema, includeSchema, viewOf } from './view.ts';
import { foldedWords, wordLengthMax } from './words.ts';

const limitDefault = 25;
const limitMax = 100;
const queryLengthMax = 1_000;
const wordsMax = 10;

/** `date_…` are the names from before additions had an order of their own. */
const orders = ['added_desc', 'added_asc', 'date_desc', 'date_asc'] as const;

type Times = Partial<Readonly<Record<'created_after' | 'created_before', string>>>;

const timeSchema = (description: string) =>
  ({
    type: 'string',
    minLength: 1,
    maxLength: 40,
    pattern: storablePattern,
    description,
    examples: ['2024-06-08T13:38:33+00:00'],
  }) as const;

export const searchContacts = read({
  name: 'searchContacts',
  scope: 'contacts:read',
  document: {
    tag: 'Contacts',
    summary: 'Search contacts',
    description:
      'The contacts in whose name, e-mail, company, job title, `external_id`, tags or phone every word of the query begins a word or a number. Letter case, accents and ligatures do not matter. Of a phone each group of digits is found, all digits together, and the last ten, seven and four. Without a query the filters alone decide. Contacts come in the order in which they were added; a restored contact counts as added when it was restored. It is a POST, so that no log keeps whom you look for.',
    answer:
      'The contacts, the most recently added first unless `sort` says otherwise. `next_cursor` is null at the end.',
  },
  input: object(
    { chatbotId: chatbotIdSchema },
    {
      optional: {
        query: {
          type: ['string', 'null'],
          maxLength: queryLengthMax,
          pattern: storablePattern,
          description: `Beginnings of words, at most ${wordsMax} of at most ${wordLengthMax} characters.`,
          examples: ['ana fer'],
        },
        sort: {
          type: 'string',
          enum: orders,
          default: 'added_desc',
          description: '`added_desc` is the most recently added first; `date_desc` and `date_asc` mean the same two.',
          examples: ['added_desc'],
        },
        limit: {
          type: 'integer',
          format: 'int32',
          minimum: 1,
          maximum: limitMax,
          default: limitDefault,
          description: 'How many contacts.',
          examples: [limitDefault],
        },
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
        created_after: timeSchema('Only contacts created later than this time.'),
        created_before: timeSchema('Only contacts created earlier than this time.'),
        include: includeSchema,
      },
    },
  ),
  check: (input) => {
    const errors = [...objectionsToQuery(input.query), ...objectionsToTimes(input)];
    if (errors.length > 0) throw invalid(errors);
  },
  output: object({
    contacts: { type: 'array', items: contactSchema, maxItems: limitMax },
    next_cursor: nextCursorSchema,
  }),
  errors: ['invalid', 'not_found'],
  example: { contacts: [{ ...exampleContact }] as Record<string, unknown>[], next_cursor: null as string | null },
  run: async ({ chatbots, contacts, signIn }, { projectId }, input) => {
    const { chatbotId, query, sort = 'added_desc', limit = limitDefault, cursor = '*', include } = input;
    const tag = input.tag?.toLowerCase();
    const words = wordsIn(query);
    const created = createdBetween(input);
    const order = sort.endsWith('_desc') ? 'newest' : 'oldest';
    const name = ['search', projectId, chatbotId, order, JSON.stringify([words, tag, created])];
    // A plain place would tell how many contacts all projects have added.
    const hidden = hiddenNumber(await signIn.secret());
    const walk = walkThrough(name, cursor, hidden.toPosition);
    await requireChatbot(chatbots, projectId, chatbotId);
    if (words?.length === 0) return { contacts: [], next_cursor: null };
    const { rows, next_cursor } = await walk.take(
      limit,
      (position, number) => {
        const search = { words: words ?? [], tag, order, after: position, created, limit: number } as const;
        return contacts.search(projectId, chatbotId, search, include !== undefined);
      },
      ({ place }) => hidden.toParts(place),
    );
    return { contacts: rows.map((one) => viewOf(one, include)), next_cursor };
  },
});

function wordsIn(query: string | null | undefined): string[] | undefined {
  return query == null || query === '' ? undefined : [...new Set(foldedWords(query))];
}

/** A word that is given twice counts twice. */
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

function objectionsToTimes(input: Times): FieldError[] {
  return (['created_after', 'created_before'] as const).flatMap((field): FieldError[] => {
    const text = input[field];
    if (text === undefined || parseTimestamp(text) !== undefined) return [];
    return [{ field, code: 'format', message: 'must be a time such as 2024-06-08T13:38:33Z' }];
  });
}

/** Sorts after every time. */
const end = 'A';
const fraction = /[.,]0*[1-9]/;

function createdBetween({ created_after: after, created_before: before }: Times): ContactSearch['created'] {
  if (after === undefined && before === undefined) return undefined;
  return { after: after === undefined ? '' : parsed(after), before: before === undefined ? end : nextIfBegun(before) };
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
