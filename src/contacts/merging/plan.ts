import { invalid } from '../../validation.ts';
import { emailKey } from '../../values/email.ts';
import { attributePrefix, isSomebody, valueAt } from '../change/given.ts';
import { attributesOf, tagsOf } from '../change/put.ts';
import { type Attributes, detailNames, type StoredContact } from '../contact.ts';
import { attributesBytesMax, attributesMax, tagsMax } from '../properties.ts';

type TextName = (typeof detailNames)[number] | 'external_id';
type Value = Attributes[string] | null;

const nameParts = ['name', 'first_name', 'last_name'] as const;
const textFields = [...detailNames, 'external_id' as const].filter(
  (name) => name === 'name' || !nameParts.some((part) => part === name),
);

export function wrongField(field: string): string | undefined {
  if (textFields.some((name) => name === field) || field === 'tags' || field.startsWith(attributePrefix))
    return undefined;
  const isPart = field === 'first_name' || field === 'last_name';
  return isPart ? 'is part of name; give name instead' : 'is not a field of contacts';
}

function namesOf(field: string): readonly string[] {
  return field === 'name' ? nameParts : [field];
}

function attributeFieldsOf({ attributes }: StoredContact): string[] {
  return Object.keys(attributes).map((name) => `${attributePrefix}${name}`);
}

/** The values of a field of a merge: those of a name are three, others one. */
function valuesOf(contact: StoredContact, field: string): readonly Value[] {
  if (field.startsWith(attributePrefix)) return [valueAt(contact, field.slice(attributePrefix.length)) ?? null];
  return namesOf(field).map((name) => contact[name as TextName]);
}

/** Undefined where the attributes would be too many or too large. */
function patchOf(contact: StoredContact, field: string, values: readonly Value[]): Partial<StoredContact> | undefined {
  if (!field.startsWith(attributePrefix)) {
    return Object.fromEntries(namesOf(field).map((name, index) => [name, values[index] ?? null]));
  }
  const name = field.slice(attributePrefix.length);
  const [value = null] = values;
  const others = Object.entries(contact.attributes).filter(([one]) => one !== name);
  const attributes = attributesOf(value === null ? others : [...others, [name, value]]);
  const isFew = Object.keys(attributes).length <= attributesMax;
  return isFew && Buffer.byteLength(JSON.stringify(attributes)) <= attributesBytesMax ? { attributes } : undefined;
}

function areSame(some: readonly Value[], others: readonly Value[]): boolean {
  return some.every((value, index) => value === others[index]);
}

/** For each field, the id of the contact that it came from. */
export type TakenFields = Record<string, string>;

export interface Lost {
  field: string;
  contact_id: string;
}

/** For an undo: the former values of each field that was taken, and the tags that were added. */
export interface Former {
  values: Record<string, readonly Value[]>;
  tags: readonly string[];
}

export function replacedIn({ values }: Former): Record<string, Value | readonly Value[]> {
  const found: Record<string, Value | readonly Value[]> = {};
  for (const [field, own] of Object.entries(values)) {
    if (field === 'tags') found[field] = own;
    for (const [index, name] of namesOf(field).entries()) {
      const value = own[index] ?? null;
      if (field !== 'tags' && value !== null) found[name] = value;
    }
  }
  return found;
}

/** Plans a merge: the values of the target win, then those of the oldest source; `keep` names another for a field. */
export function planMerge(target: StoredContact, sources: readonly StoredContact[], keep: Readonly<TakenFields>) {
  const people = [target, ...sources.toSorted(oldestFirst)];
  const keeperOf = (field: string) => people.find(({ id }) => Object.hasOwn(keep, field) && id === keep[field]);
  const after = { ...target };
  const taken: TakenFields = {};
  const former: Former = { values: {}, tags: [] };
  for (const field of [...textFields, ...new Set(people.flatMap(attributeFieldsOf))]) {
    const winner = keeperOf(field) ?? people.find((one) => valuesOf(one, field).some((value) => value !== null));
    const [before, values] = [target, winner ?? target].map((one) => valuesOf(one, field)) as [Value[], Value[]];
    const patch = areSame(before, values) ? undefined : patchOf(after, field, values);
    if (!winner || !patch) continue;
    Object.assign(after, patch);
    taken[field] = winner.id;
    former.values[field] = before;
  }
  const keeper = keeperOf('tags');
  const tags = tagsOf(keeper?.tags ?? [...new Set(people.flatMap((one) => one.tags))].slice(0, tagsMax));
  after.tags = tags;
  former.tags = tags.filter((tag) => !target.tags.includes(tag));
  const removed = target.tags.filter((tag) => !tags.includes(tag));
  if (removed.length > 0) former.values['tags'] = removed;
  const tagged = keeper ?? people.find((one) => one.tags.some((tag) => former.tags.includes(tag)));
  if (tagged && former.tags.length + removed.length > 0) taken['tags'] = tagged.id;
  if (!isSomebody(after)) {
    throw invalid([
      { field: 'keep', code: 'not_allowed', message: 'must leave a name, an e-mail or another property' },
    ]);
  }
  return { after, taken, former, lost: people.flatMap((one) => lostOf(one, after)) };
}

function oldestFirst(one: StoredContact, other: StoredContact): number {
  const [a, b] = [one, other].map(({ created_at: at, inserted_as: as, id }) => `${at} ${as ?? id}`);
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

function lostOf(one: StoredContact, after: StoredContact): Lost[] {
  const isLost = (field: string) => {
    const left = valuesOf(after, field);
    const comparable = (value: Value | undefined) => (field === 'email' ? emailKey(String(value)) : value);
    return valuesOf(one, field).some((own, at) => own !== null && comparable(own) !== comparable(left[at]));
  };
  const fields = [...textFields, ...attributeFieldsOf(one)].filter(isLost);
  if (one.tags.some((tag) => !after.tags.includes(tag))) fields.push('tags');
  return fields.map((field) => ({ field, contact_id: one.id }));
}

/** Plans an undo of what the target took; `kept` names what somebody has changed since. */
export function planUndo(target: StoredContact, sources: readonly StoredContact[], taken: TakenFields, former: Former) {
  const after = { ...target };
  const kept: string[] = [];
  for (const [field, id] of Object.entries(taken)) {
    const values = former.values[field] ?? [];
    if (field === 'tags') {
      if (!former.tags.every((tag) => target.tags.includes(tag))) kept.push(field);
      const tags = target.tags.filter((tag) => !former.tags.includes(tag));
      after.tags = tagsOf([...tags, ...values.map(String)]).slice(0, tagsMax);
      continue;
    }
    const source = sources.find((one) => one.id === id);
    const isUnchanged = source && areSame(valuesOf(target, field), valuesOf(source, field));
    const patch = isUnchanged ? patchOf(after, field, values) : undefined;
    if (patch) Object.assign(after, patch);
    else kept.push(field);
  }
  return isSomebody(after) ? { after, kept } : { after: target, kept: Object.keys(taken) };
}
