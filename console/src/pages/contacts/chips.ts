import type { Condition, SearchAllContactsInput } from '../../types.ts';
import { labelOf } from '../contact/fields.ts';

export type Value = string | number | boolean;

/** A condition of the list. Days are as `2024-06-08`, in the time zone of the reader, both included; '' is open. */
export type Chip =
  | { readonly field: string; readonly is: Value }
  | { readonly field: string; readonly known: boolean }
  | { readonly field: string; readonly from: string; readonly until: string };

export const attributePrefix = 'attributes.';

const labels: Partial<Record<string, string>> = { tags: 'Tag', created_at: 'Created', updated_at: 'Updated' };

export function fieldLabel(field: string): string {
  return labels[field] ?? (field.startsWith(attributePrefix) ? field.slice(attributePrefix.length) : labelOf(field));
}

/** Whether an address may hold it, which the history and others see: a value may be personal. */
export function isInAddress(chip: Chip): boolean {
  return !('is' in chip) || chip.field === 'tags';
}

/** The text of the chip: the field and its condition. */
export function chipText(chip: Chip): readonly [field: string, what: string] {
  const label = fieldLabel(chip.field);
  if ('is' in chip) return [label, String(chip.is)];
  if ('known' in chip) return [label, chip.known ? 'is known' : 'is not known'];
  const { from, until } = chip;
  if (from === until) return [label, dayText(from)];
  if (until === '') return [label, `since ${dayText(from)}`];
  return [label, from === '' ? `until ${dayText(until)}` : `${dayText(from)} – ${dayText(until)}`];
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

function dayText(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : day.format(date);
}

/** With one more; a range of days takes the place of the one before. */
export function withChip(chips: readonly Chip[], added: Chip): Chip[] {
  const isReplaced = (one: Chip) => same(one, added) || ('from' in added && one.field === added.field);
  return [...chips.filter((one) => !isReplaced(one)), added];
}

const same = (one: Chip, other: Chip) => JSON.stringify(one) === JSON.stringify(other);

/** A contact has all the tags, and of other fields one of the values. */
export function searchFor(chips: readonly Chip[]): SearchAllContactsInput {
  const where: Condition[] = [];
  const anyOf = new Map<string, Value[]>();
  const times: SearchAllContactsInput = {};
  for (const chip of chips) {
    if ('from' in chip) Object.assign(times, timesOf(chip));
    else if ('known' in chip) where.push({ field: chip.field, known: chip.known });
    else if (chip.field === 'tags') where.push({ field: 'tags', is: chip.is });
    else anyOf.set(chip.field, [...(anyOf.get(chip.field) ?? []), ...meantBy(chip.field, chip.is)]);
  }
  for (const [field, values] of anyOf) where.push({ field, any_of: values });
  return { ...times, ...(where.length > 0 && { where }) };
}

/** A typed text may mean a number, true or false of an attribute. */
function meantBy(field: string, value: Value): Value[] {
  if (!field.startsWith(attributePrefix) || typeof value !== 'string') return [value];
  if (value === 'true' || value === 'false') return [value, value === 'true'];
  return /^-?\d+(\.\d+)?$/.test(value) ? [value, Number(value)] : [value];
}

function timesOf({ field, from, until }: Extract<Chip, { from: string }>): SearchAllContactsInput {
  const before = until === '' ? undefined : startOf(until, 1, 0);
  if (field === 'updated_at') {
    return { updated_after: from === '' ? undefined : startOf(from, 0, 0), updated_before: before };
  }
  // Here the interface leaves the moment itself out.
  return { created_after: from === '' ? undefined : startOf(from, 0, -1), created_before: before };
}

/** The start of a day here, so many days and seconds later, as a time of the interface. */
function startOf(text: string, days: number, seconds: number): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  const time = new Date(year, month - 1, date + days, 0, 0, seconds);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('.000Z', 'Z');
}
