import {
  type Contact as ContactData,
  type ContactDetail,
  contactDetailNames,
  contactDetails,
} from '../../contacts/contact.ts';
import { type Member as MemberData, memberStatuses, roles } from '../../members/member.ts';
import { emailLengthMax, emailSchemaPattern } from '../../values/email.ts';
import type { Field } from '../../values/field.ts';
import { idLengthMax } from '../../values/identifier.ts';
import { pageMax, type Pages as PagesData, perPageMax } from '../../values/page.ts';
import { closed, integer, list, nullableText, object, oneOf, type Schema, text } from '../openapi/schema.ts';

/** One of a closed set of words, as a query has it or an answer. */
export function wordOf<Word extends string>(words: readonly Word[], description: string): Schema<Word> {
  return oneOf(words, { description, 'x-expected': `one of ${words.join(', ')}` });
}

/** What a client in another language should keep a number in. */
function formatOf(maximum: number): 'int32' | 'int64' {
  return maximum < 2 ** 31 ? 'int32' : 'int64';
}

/** A whole number from 1, as a query has it. */
export function wholeNumber(maximum: number, fallback: number, description: string): Schema<number> {
  return integer({
    minimum: 1,
    maximum,
    default: fallback,
    format: formatOf(maximum),
    description,
    'x-expected': `a whole number from 1 to ${maximum}`,
  });
}

export const Pages = object(
  {
    current_page: integer({
      minimum: 1,
      maximum: pageMax,
      format: formatOf(pageMax),
      description: 'The page that was asked for, also past the end.',
    }),
    last_page: integer({
      minimum: 1,
      maximum: pageMax,
      format: formatOf(pageMax),
      description: 'At least 1.',
    }),
    per_page: integer({
      minimum: 1,
      maximum: perPageMax,
      format: 'int32',
      description: 'Members on a page.',
    }),
  },
  {
    ...closed,
    title: 'Pages',
    description: 'Where the page lies among all pages.',
  },
) satisfies Schema<PagesData>;

export const Member = object(
  {
    email: text({
      maxLength: emailLengthMax,
      pattern: emailSchemaPattern,
      description: 'As given; unique in the project without regard to letter case.',
    }),
    status: wordOf(memberStatuses, 'Pending from the invitation until it is accepted.'),
    roles: list(wordOf(roles, 'What the member may do. The set may grow.'), {
      minItems: 1,
      maxItems: roles.length,
      uniqueItems: true,
      description: 'In the order of the list of values. The set may grow.',
    }),
  },
  {
    ...closed,
    title: 'Member',
    description: 'A person who works on the project.',
  },
) satisfies Schema<MemberData>;

/** A text that is null when unknown and never empty. */
function detail({ description, lengthMax, pattern = '^[^\\u0000]+$' }: Field): Schema<string | null> {
  return nullableText({
    minLength: 1,
    pattern,
    maxLength: lengthMax,
    description: `${description}; null when unknown, never empty.`,
  });
}

const details = Object.fromEntries(
  contactDetailNames.map((field) => [field, detail(contactDetails[field])]),
) as Record<ContactDetail, Schema<string | null>>;

export const ContactId = text({
  minLength: 1,
  maxLength: idLengthMax,
  pattern: '^[^\\u0000]+$',
  description: 'Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere.',
});

export const ChatbotId = text({
  minLength: 1,
  maxLength: idLengthMax,
  pattern: '^[^\\u0000]+$',
  description: 'Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere.',
});

export const Contact = object(
  {
    id: ContactId,
    ...details,
    created_at: text({
      format: 'date-time',
      maxLength: 25,
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$',
      description: 'Time of creation: UTC, whole seconds.',
    }),
  },
  {
    ...closed,
    title: 'Contact',
    description: 'A person whom a chatbot has met. All eight keys are always present.',
  },
) satisfies Schema<ContactData>;
