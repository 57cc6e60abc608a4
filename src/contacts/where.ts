import { hash } from 'node:crypto';

import type { XStatic } from 'typebox/schema';

import type { FieldError, FieldErrorCode } from '../errors.ts';
import { storablePattern } from '../values/field.ts';
import { nearest } from '../values/nearest.ts';
import { object } from '../values/object-schema.ts';
import { attributePrefix } from './change/given.ts';
import type { StoredContact } from './contact.ts';
import { attributeNamePattern, attributeTextMax } from './properties.ts';
import { foldedText } from './words.ts';

const conditionsMax = 10;
const valuesMax = 50;

/** The letter that begins the terms of a field. It finds every contact that has a value. */
const letters = {
  company: 'c',
  job_title: 'j',
  industry: 'i',
  city: 'l',
  state: 's',
  country: 'n',
  email_domain: 'e',
  tags: 't',
} as const;
/** The index knows only whether a contact has these. */
const flags = { phone: 'p', external_id: 'x', name: 'm' } as const;
/** Whoever has an e-mail has a domain. */
const lettersIfKnown = { ...letters, ...flags, email: letters.email_domain } as const;
export const conditionFields = [...Object.keys(letters), `${attributePrefix}NAME`];
export const fieldsOnlyKnown = ['name', 'email', 'phone', 'external_id'] satisfies (keyof typeof lettersIfKnown)[];
const ofAttribute = { value: 'a', name: 'k' } as const;

type Value = string | number | boolean;

const value = {
  type: ['string', 'number', 'boolean'],
  maxLength: attributeTextMax,
  pattern: storablePattern,
  description: 'A whole value. Only attributes have numbers, true and false.',
} as const;

export const whereSchema = {
  type: 'array',
  maxItems: conditionsMax,
  description: `Conditions that must all hold, at most ${conditionsMax}. Texts are compared whole, without letter case, accents, width and runs of spaces.`,
  examples: [[{ field: 'company', is: 'Example Ltd' }]],
  items: object(
    {
      field: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        pattern: storablePattern,
        description: `\`${Object.keys(letters).join('`, `')}\` or \`attributes.NAME\`; with \`known\` also \`name\`, \`email\`, \`phone\` and \`external_id\`.`,
        examples: ['company'],
      },
    },
    {
      title: 'Condition',
      description: 'A requirement of the contact: give one of `is`, `any_of` and `known`.',
      optional: {
        is: { ...value, description: `${value.description} An attribute must be of the same type.` },
        any_of: { type: 'array', minItems: 1, maxItems: valuesMax, items: value, description: 'One of these values.' },
        known: { type: 'boolean', description: 'Whether there is any value.', examples: [true] },
      },
    },
  ),
} as const;

/** Has exactly one of `is`, `any_of` and `known`. */
export type Condition = XStatic<typeof whereSchema.items>;

const kinds = ['is', 'any_of', 'known'] as const;

export function objectionsToWhere(where: readonly Condition[] = []): FieldError[] {
  return where.flatMap((condition, index): FieldError[] => {
    const refuse = (name: string, code: FieldErrorCode, message: string) => [
      { field: `where[${index}].${name}`, code, message },
    ];
    const { field } = condition;
    const [kind, other] = kinds.filter((one) => condition[one] !== undefined);
    if (kind === undefined) return refuse('is', 'required', 'is required, or any_of or known');
    if (other !== undefined) return refuse(other, 'not_allowed', `cannot be given with ${kind}`);
    if (attributeOf(field) !== undefined) return [];
    const known = Object.keys(kind === 'known' ? lettersIfKnown : letters);
    if (!known.includes(field)) {
      const near = nearest(field, known);
      const hint =
        near === undefined
          ? `must be one of ${known.join(', ')} and attributes.NAME`
          : `is no field of conditions (did you mean ${near}?)`;
      return refuse('field', 'not_allowed', hint);
    }
    const isText = [condition.is ?? '', ...(condition.any_of ?? [])].every((one) => typeof one === 'string');
    return isText ? [] : refuse(kind, 'type', 'must be text; only attributes have numbers, true and false');
  });
}

const namePattern = new RegExp(attributeNamePattern, 'u');

function attributeOf(field: string): string | undefined {
  const name = field.startsWith(attributePrefix) ? field.slice(attributePrefix.length) : '';
  return namePattern.test(name) ? name : undefined;
}

/** The contacts that meet a condition have one of these terms; or, with `isNot`, none. `*` ends one that may go on. */
export function conditionTerms({ field, is, any_of: anyOf = [], known }: Condition) {
  const name = attributeOf(field);
  if (known !== undefined) {
    const letter = lettersIfKnown[field as keyof typeof lettersIfKnown];
    const ofField = field in flags ? letter : `${letter}*`;
    return { terms: [name === undefined ? ofField : ofAttribute.name + digestOf(name)], isNot: !known };
  }
  const values = is === undefined ? anyOf : [is];
  const terms = values.map((one) =>
    name === undefined ? termOf(field as keyof typeof letters, String(one)) : attributeTerm(name, one),
  );
  return { terms: [...new Set(terms)], isNot: false };
}

export type Conditioned = Pick<StoredContact, Exclude<keyof typeof lettersIfKnown, 'email_domain'> | 'attributes'>;

export const textFields = ['company', 'job_title', 'industry', 'city', 'state', 'country'] as const;

export function valueTerms(contact: Conditioned): string[] {
  const { email, tags, attributes } = contact;
  const terms = textFields.flatMap((field) => {
    const text = contact[field];
    return text === null ? [] : termOf(field, text);
  });
  if (email !== null) terms.push(termOf('email_domain', email.slice(email.lastIndexOf('@') + 1)));
  for (const tag of tags) terms.push(termOf('tags', tag));
  for (const name of Object.keys(flags) as (keyof typeof flags)[]) if (contact[name] !== null) terms.push(flags[name]);
  for (const [name, one] of Object.entries(attributes)) {
    terms.push(ofAttribute.name + digestOf(name), attributeTerm(name, one));
  }
  return terms;
}

function termOf(field: keyof typeof letters, text: string): string {
  return letters[field] + digestOf(foldedText(text));
}

function attributeTerm(name: string, one: Value): string {
  return ofAttribute.value + digestOf(JSON.stringify([name, typeof one === 'string' ? foldedText(one) : one]));
}

const digestLength = 12;

/** Long enough that two values of one project never share it by chance. */
function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, digestLength);
}
