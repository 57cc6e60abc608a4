import { Type } from 'typebox';

import { contactLengths } from '../../contacts.ts';
import { idLengthMax } from '../../identifiers.ts';
import { type MemberStatus, memberStatuses, type Role, roles } from '../../members.ts';
import { pageMax, perPageMax } from '../../pagination.ts';
import { emailLengthMax } from '../../text-checks.ts';

const emailPattern = '^[^\\s@]+@[^\\s@]+$';
const closed = { additionalProperties: false };

/** One of a closed set of words. */
export function oneOf<Word extends string>(words: readonly Word[], description: string) {
  return Type.Unsafe<Word>({
    type: 'string',
    enum: [...words],
    description,
    'x-expected': `one of ${words.join(', ')}`,
  });
}

/** An optional whole number from 1, as a query has it. */
export function wholeNumber(maximum: number, fallback: number, description: string) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      default: fallback,
      format: 'int32',
      description,
      'x-expected': `a whole number from 1 to ${maximum}`,
    }),
  );
}

export const Pages = Type.Object(
  {
    current_page: Type.Integer({
      minimum: 1,
      maximum: pageMax,
      format: 'int32',
      description: 'The page that was asked for, also past the end.',
    }),
    last_page: Type.Integer({ minimum: 1, maximum: pageMax, format: 'int32', description: 'At least 1.' }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: perPageMax,
      format: 'int32',
      description: 'Members on a page.',
    }),
  },
  { ...closed, title: 'Pages', description: 'Where the page lies among all pages.' },
);

export const Member = Type.Object(
  {
    email: Type.String({
      maxLength: emailLengthMax,
      pattern: emailPattern,
      description: 'As given; unique in the project without regard to letter case.',
    }),
    status: oneOf<MemberStatus>(memberStatuses, 'Pending from the invitation until it is accepted.'),
    roles: Type.Array(oneOf<Role>(roles, 'What the member may do. The set may grow.'), {
      minItems: 1,
      maxItems: roles.length,
      uniqueItems: true,
      description: 'In the order of the list of values. The set may grow.',
    }),
  },
  { ...closed, title: 'Member', description: 'A person who works on the project.' },
);

/** A text that is null when unknown and never empty. */
function Nullable(description: string, options: { maxLength: number; pattern?: string }) {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    pattern: '^[^\\u0000]+$',
    ...options,
    description: `${description}; null when unknown, never empty.`,
  });
}

export const ContactId = Type.String({
  minLength: 1,
  maxLength: idLengthMax,
  pattern: '^[^\\u0000]+$',
  description: 'Opaque; a lower-case UUIDv7 when Roster made it, anything when it came from elsewhere.',
});

export const ChatbotId = Type.String({
  minLength: 1,
  maxLength: idLengthMax,
  pattern: '^[^\\u0000]+$',
  description: 'Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere.',
});

export const Contact = Type.Object(
  {
    id: ContactId,
    name: Nullable('Name', { maxLength: contactLengths.name }),
    email: Nullable('E-mail address, as given', { maxLength: contactLengths.email, pattern: emailPattern }),
    job_title: Nullable('Job title', { maxLength: contactLengths.job_title }),
    phone: Nullable('Telephone number, free text', { maxLength: contactLengths.phone }),
    website: Nullable('Web address, as given; the scheme may be missing', {
      maxLength: contactLengths.website,
    }),
    company: Nullable('Company name', { maxLength: contactLengths.company }),
    created_at: Type.String({
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
);
