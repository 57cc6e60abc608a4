import type { FieldFailure } from '../parts/failure-bodies.ts';

/** A contact by the promises of the interface alone, in its order. */
export interface Person {
  id: string;
  fields: Fields;
  created: Moment;
  updated: Moment;
  /** Set while it is in the bin. */
  deleted?: Moment;
  /** Among all that were seen in the bin, from its oldest deletion on. */
  place?: number | undefined;
}

export type Fields = Record<string, unknown> & { email: string | null; external_id: string | null };

/** A time that an answer will tell, and between which moments (epoch, ms) it has to be. */
export interface Moment {
  from: number;
  to: number;
  text?: string;
}

export type Properties = Readonly<Record<string, unknown>>;

/** Why a write is refused. */
export class Refused extends Error {
  readonly code: string;
  readonly told: {
    existing?: readonly string[];
    errors?: readonly FieldFailure[];
    message?: string;
    merged_into?: string;
  };

  constructor(code: string, told: Refused['told'] = {}) {
    super(code);
    this.code = code;
    this.told = told;
  }
}

/** Throws Refused; these are in the way. */
export function refuse(code: string, existing?: readonly Person[]): never {
  throw new Refused(code, existing ? { existing: existing.map(({ id }) => id).toSorted() } : {});
}

export function isSameEmail(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

const shown = ['name', 'email', 'job_title', 'phone', 'website', 'company'];
const details = 'first_name last_name industry address city state postal_code country'.split(' ');
const byVendor: Record<string, string> = { company_name: 'company', website_url: 'website' };

export const includes = ['details', 'external_id', 'attributes', 'tags', 'updated_at'] as const;
export type Include = (typeof includes)[number];

/** Of whom nothing is known. */
export function nobody(): Fields {
  const texts = Object.fromEntries([...shown, ...details].map((name) => [name, null]));
  return { ...texts, email: null, external_id: null, attributes: {}, tags: [] };
}

/** The fields with these properties written. Throws Refused. */
export function written(before: Fields, given: Properties): Fields {
  const after: Fields = { ...before };
  for (const [spelling, value] of Object.entries(given)) {
    const name = byVendor[spelling] ?? spelling;
    if (name === 'attributes') after[name] = mergedAttributes(before[name] as object, value as object | null);
    else if (name === 'tags') after[name] = changedTags(before[name] as string[], value as TagChange);
    else after[name] = cleaned(value);
  }
  if ('name' in given) Object.assign(after, { first_name: null, last_name: null });
  const parts = ['first_name', 'last_name'];
  if (parts.some((part) => after[part] !== before[part]) || parts.every((part) => part in given)) {
    if (!('name' in given)) after['name'] = cleaned(parts.map((part) => textOf(after, part)).join(' '));
  }
  if ([...shown, ...details].every((name) => after[name] === null)) {
    const verb = [...shown, ...details].every((name) => before[name] === null) ? 'have' : 'leave';
    const message = `must ${verb} a name, an e-mail or another property that is not external_id, attributes or tags`;
    throw new Refused('validation_failed', { errors: [{ field: 'properties', code: 'required', message }] });
  }
  return after;
}

/** The names of what differs, in the order of the interface. */
export function changedNames(before: Fields, after: Fields): string[] {
  return [...shown, ...details, 'external_id', 'attributes', 'tags'].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** As an answer shows it. */
export function viewOf({ id, fields, created, updated, deleted }: Person, include: readonly Include[] = []): object {
  const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return {
    id,
    ...named(shown),
    created_at: created.text ?? null,
    ...(include.includes('details') && named(details)),
    ...named(['external_id', 'attributes', 'tags'].filter((name) => include.includes(name as Include))),
    ...(include.includes('updated_at') && { updated_at: updated.text ?? null }),
    ...(deleted && { deleted_at: deleted.text ?? null }),
  };
}

let places = 0;

/** Believes a time that an answer tells for the first time, where it may be right, and a place in the bin. */
export function learn(person: Person, told: Record<string, unknown>): void {
  if (person.deleted) person.place ??= ++places;
  for (const [moment, text] of [
    [person.created, told['created_at']],
    [person.updated, told['updated_at']],
    [person.deleted, told['deleted_at']],
  ] as const) {
    if (moment) learnTime(moment, text);
  }
}

export function learnTime(moment: Moment, text: unknown): void {
  if (moment.text !== undefined || typeof text !== 'string') return;
  const isInForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/.test(text);
  const at = Date.parse(text);
  if (isInForm && at >= Math.floor(moment.from / 1_000) * 1_000 && at <= moment.to) moment.text = text;
}

/** '' where it is unknown. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Trimmed; null where nothing is left. */
export function cleaned(value: unknown): string | null {
  return (typeof value === 'string' && value.trim()) || null;
}

function mergedAttributes(before: object, changes: object | null): object {
  if (changes === null) return {};
  const all: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(changes)) all[name] = typeof value === 'string' ? cleaned(value) : value;
  const names = Object.keys(all).filter((name) => all[name] !== null);
  return Object.fromEntries(names.toSorted().map((name) => [name, all[name]]));
}

type TagChange = string[] | { add?: string[]; remove?: string[] } | null;

const lower = (tags: readonly string[] = []) => tags.map((tag) => tag.trim().toLowerCase());

function changedTags(before: readonly string[], change: TagChange): string[] {
  if (change === null) return [];
  if (Array.isArray(change)) return [...new Set(lower(change))].toSorted();
  const removed = lower(change.remove);
  return [...new Set([...before, ...lower(change.add)])].filter((tag) => !removed.includes(tag)).toSorted();
}
