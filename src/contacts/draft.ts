import { isId, objectionToText } from '../values/text.ts';
import { parseTimestamp } from '../values/timestamp.ts';
import { attributePrefix, isSomebody, objectionTo } from './change/given.ts';
import { attributesOf, tagsOf } from './change/put.ts';
import { attributeColumns, attributeName, contactColumns, earlierColumns, type ImportedField } from './columns.ts';
import { type Attributes, contactFields, furtherDetailNames } from './contact.ts';
import { attributeNameRule, attributeTextMax, tagLengthMax, tagsMax } from './properties.ts';

type DraftField = Exclude<ImportedField, 'tags' | 'attributes'>;
export type ContactTexts = Partial<Record<DraftField, string>>;

/** A contact as another service has it. Null is unknown there; what is missing is not said, and stays as it is here. */
export interface Draft {
  texts: Partial<Record<DraftField, string | null>>;
  attributes?: Attributes;
  tags?: readonly string[];
}

/** A row of a file; it has no null, as an empty cell says nothing. */
export interface ContactDraft extends Draft {
  texts: ContactTexts;
  earlier?: ContactTexts;
}

/** `tags` and `attributes.NAME` of a row; never null or an empty text. */
type Values = Readonly<Record<string, unknown>>;

export const hasNothing = 'has none of name, email, phone, company and the other fields of a contact';

/** The row with the time in our form, or every objection to it, field by field, without the values. */
export function checkContact(texts: ContactTexts, values?: Values): ContactDraft | { objections: string[] } {
  const objections: string[] = [];
  let createdAt = texts.created_at;
  for (const field of Object.keys(texts) as (keyof ContactTexts)[]) {
    const objection = objectionTo(field, texts[field] ?? '');
    if (objection !== undefined) objections.push(`${field} ${objection}`);
  }
  if (texts.id !== undefined && !isId(texts.id)) objections.push('id is not 1 to 64 characters');
  if (createdAt !== undefined) {
    createdAt = parseTimestamp(createdAt);
    if (createdAt === undefined) objections.push('created_at is not a time such as 2024-06-08T13:38:33+00:00');
  }
  const tags = values && 'tags' in values ? readTags(values['tags'], objections) : undefined;
  const attributes = values && readAttributes(values, objections);
  if (!isSomebody(texts) && !mayCompleteSomebody(texts, values)) objections.push(hasNothing);
  if (objections.length > 0) return { objections };
  return {
    texts: createdAt === undefined || createdAt === texts.created_at ? texts : { ...texts, created_at: createdAt },
    ...(tags && { tags }),
    ...(attributes && { attributes }),
  };
}

const shortened = /^\d(?:[.,]\d+)?E\+\d+$/i;

function warningsOf(texts: ContactTexts): string[] {
  const fields = Object.keys(texts) as (keyof ContactTexts)[];
  const broken = fields.filter((field) => shortened.test(texts[field] ?? ''));
  const hasNoDigit = texts.phone !== undefined && !/\p{Nd}/u.test(texts.phone);
  return [
    ...broken.map((field) => `${field} looks like a number that a spreadsheet has shortened`),
    ...(hasNoDigit ? ['phone has no digit'] : []),
  ];
}

/** Whether a row without details means somebody by an id, and says something else of them. */
function mayCompleteSomebody({ id, external_id: externalId }: ContactTexts, values: Values | undefined): boolean {
  if (id === undefined || externalId === undefined) return values !== undefined && (id ?? externalId) !== undefined;
  return true;
}

function readTags(value: unknown, objections: string[]): string[] | undefined {
  const items: unknown[] = Array.isArray(value) ? value : String(value).split(/[,;|]/);
  if ((typeof value === 'object' && !Array.isArray(value)) || !items.every((item) => typeof item === 'string')) {
    objections.push('tags is not a list of texts');
    return undefined;
  }
  const tags = tagsOf(items.map((item) => item.trim()).filter((item) => item !== ''));
  const tooLong = tags.map((tag) => objectionToText(tag, tagLengthMax)).find((one) => one !== undefined);
  if (tags.length > tagsMax) objections.push(`tags has more than ${tagsMax} of them`);
  else if (tags.some((tag) => /[,;|]/.test(tag))) objections.push('tags has one that holds , ; or |');
  else if (tooLong !== undefined) objections.push(`tags has one that ${tooLong}`);
  return tags.length > 0 ? tags : undefined;
}

function readAttributes(values: Values, objections: string[]): Attributes | undefined {
  const read: [string, Attributes[string]][] = [];
  for (const [field, given] of Object.entries(values)) {
    if (!field.startsWith(attributePrefix)) continue;
    const name = field.slice(attributePrefix.length);
    if (!attributeName.test(name)) {
      objections.push(`attributes has a bad name: each ${attributeNameRule}`);
      continue;
    }
    const value = valueOf(given);
    if (value === null) continue;
    const objection = value === undefined ? undefined : objectionToValue(value);
    if (value === undefined) objections.push(`${field} is neither a text, a number, true nor false`);
    else if (objection !== undefined) objections.push(`${field} ${objection}`);
    else read.push([name, value]);
  }
  return read.length > 0 ? attributesOf(read) : undefined;
}

function objectionToValue(value: Attributes[string]): string | undefined {
  if (typeof value === 'string') return objectionToText(value, attributeTextMax);
  // JSON.parse reads 1e400 as Infinity.
  return typeof value === 'number' && !Number.isFinite(value) ? 'is a number beyond the range of a double' : undefined;
}

/** Null where there is none, undefined where it cannot be kept. */
function valueOf(given: unknown): Attributes[string] | null | undefined {
  const value = Array.isArray(given) && given.every((item) => typeof item === 'string') ? given.join(',') : given;
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return undefined;
}

export const contactReader = {
  columns: contactColumns,
  open: attributeColumns,
  earlier: earlierColumns,
  // A file without any of these would make people whom nobody can tell apart.
  needed: [['id', 'name', 'email', 'phone', 'external_id']],
  foundBy: ['id', 'external_id', 'email'],
  optional: [...contactFields.filter((field) => field !== 'id'), ...furtherDetailNames, 'tags', 'attributes'],
  draft: draftContact,
  warnings: warningsOf,
} as const satisfies { optional: readonly ImportedField[]; [more: string]: unknown };

function draftContact(
  { texts, values }: { texts: ContactTexts; values?: Record<string, unknown> },
  earlier?: ContactTexts,
): ContactDraft | { objections: string[] } {
  const checked = checkContact(texts, values);
  if ('objections' in checked || earlier === undefined) return checked;
  const { created_at } = checked.texts;
  return { ...checked, earlier: created_at === undefined ? earlier : { ...earlier, created_at } };
}
