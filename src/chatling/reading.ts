import { visibilities, type Visibility } from '../chatbots/chatbot.ts';
import { isSomebody, objectionTo } from '../contacts/change/given.ts';
import { contactDetailNames, detailNames } from '../contacts/contact.ts';
import { checkContact, type Draft, hasNothing } from '../contacts/draft.ts';
import { AppError } from '../errors.ts';
import { requireName } from '../projects/project.ts';
import { isId } from '../values/identifier.ts';
import { decimalText } from '../values/text.ts';
import { parseTimestamp, type Timestamp } from '../values/timestamp.ts';

export type Raw = Readonly<Record<string, unknown>>;

/** `mended` is a time with a part too many; `unknown` cannot be read. */
type TimeReading = 'read' | 'mended' | 'unknown';

export interface ReadContact {
  contact: Draft & { texts: { id: string } };
  /** Fields whose values cannot be stored, with the reason for each; what is stored of them stays. */
  leftOut: { field: string; reason: string }[];
  time: TimeReading;
}

export function idOf(raw: Raw): string | undefined {
  const id = textOf(raw['id']);
  return typeof id === 'string' && isId(id) ? id : undefined;
}

/** Reads a contact without its bad values, or says why it cannot be stored. `isWhole`: a Roster sent it. */
export function readContact(raw: Raw, isWhole: boolean): ReadContact | { objection: string } {
  const id = idOf(raw);
  if (id === undefined) return { objection: 'id is not 1 to 64 characters' };
  const leftOut: ReadContact['leftOut'] = [];
  const texts: ReadContact['contact']['texts'] = { id };
  for (const field of isWhole ? ([...detailNames, 'external_id'] as const) : contactDetailNames) {
    const text = textOf(raw[field]);
    const reason = text === undefined ? 'is not a text' : text === null ? undefined : objectionTo(field, text);
    if (reason !== undefined) leftOut.push({ field, reason });
    else texts[field] = text ?? null;
  }
  if (!isSomebody(texts))
    return { objection: [hasNothing, ...leftOut.map(({ field, reason }) => `${field} ${reason}`)].join('; ') };
  const { time, at } = readTime(raw['created_at']);
  if (at !== undefined) texts.created_at = at;
  return { contact: { texts, ...(isWhole && readFurther(raw, id, leftOut)) }, leftOut, time };
}

function textOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return decimalText(value);
  return typeof value === 'string' ? value.trim() || null : undefined;
}

function readFurther(raw: Raw, id: string, leftOut: ReadContact['leftOut']): Pick<Draft, 'attributes' | 'tags'> {
  const given = typeof raw['attributes'] === 'object' && raw['attributes'] !== null ? raw['attributes'] : {};
  const named = Object.entries(given).map(([name, value]) => [`attributes.${name}`, value]);
  const values = { ...Object.fromEntries(named), ...(Array.isArray(raw['tags']) && { tags: raw['tags'] }) };
  const checked = checkContact({ id, external_id: id }, values);
  if ('objections' in checked) {
    leftOut.push(...checked.objections.map((one) => ({ field: one.split(/[ .]/, 1)[0] ?? '', reason: one })));
    return {};
  }
  return { attributes: checked.attributes ?? {}, tags: checked.tags ?? [] };
}

const secondsTwice = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}):\d+/;

/** A time of the source, which writes some as `12:13:35:00`. */
export function readTime(value: unknown): { time: TimeReading; at?: Timestamp } {
  const text = textOf(value);
  if (text == null) return { time: 'unknown' };
  const at = parseTimestamp(text);
  if (at !== undefined) return { time: 'read', at };
  const mended = parseTimestamp(text.replace(secondsTwice, '$1'));
  return mended === undefined ? { time: 'unknown' } : { time: 'mended', at: mended };
}

export interface SourceChatbot {
  id: string;
  name: string;
  visibility: Visibility;
  created_at: Timestamp | undefined;
}

export function usableName(name: unknown): string | undefined {
  try {
    return typeof name === 'string' ? requireName(name) : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Undefined without a usable id; an id takes the place of an unusable name. */
export function readChatbot(raw: Raw): SourceChatbot | undefined {
  const id = idOf(raw);
  if (id === undefined) return undefined;
  return {
    id,
    name: usableName(textOf(raw['name'])) ?? id,
    visibility: visibilities.find((one) => one === raw['visibility']) ?? 'private',
    created_at: readTime(raw['created_at']).at,
  };
}
