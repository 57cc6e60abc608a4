import { invalid } from '../../validation.ts';
import { emailKey } from '../../values/email.ts';
import { attributePrefix, isSomebody } from '../change/given.ts';
import { attributesOf, tagsOf } from '../change/put.ts';
import { type Attributes, detailNames, type StoredContact } from '../contact.ts';
import { attributesBytesMax, attributesMax, tagsMax } from '../properties.ts';

type TextName = (typeof detailNames)[number] | 'external_id';
type Value = Attributes[string] | null;

/** The columns of each field of a merge; a name and its parts are one field. */
const textsOf: ReadonlyMap<string, readonly TextName[]> = new Map<string, readonly TextName[]>(
  [...detailNames, 'external_id' as const]
    .filter((name) => name !== 'first_name' && name !== 'last_name')
    .map((name) => [name, name === 'name' ? ['name', 'first_name', 'last_name'] : [name]]),
);

/** Tells why this is no field of a merge; undefined for one that is. */
export function wrongField(field: string): string | undefined {
  if (textsOf.has(field) || field === 'tags' || field.startsWith(attributePrefix)) return undefined;
  const isPart = field === 'first_name' || field === 'last_name';
  return isPart ? 'is part of name; give name instead' : 'is not a field of contacts';
}

/** For each field, the id of the contact that it came from. */
export type Taken = Record<string, string>;

export interface Lost {
  field: string;
  contact_id: string;
}

/** For an undo: the former values of each field that was taken, and the tags that were added. */
export interface Former {
  values: Record<string, readonly Value[]>;
  tags: readonly string[];
}

/** The values that a merge replaced, by their names. */
export function replacedIn({ values }: Former): Record<string, Value | readonly Value[]> {
  const found: Record<string, Value | readonly Value[]> = {};
  for (const [field, own] of Object.entries(values)) {
    if (field === 'tags') found[field] = own;
    for (const [index, name] of (textsOf.get(field) ?? [field]).entries()) {
      const value = own[index] ?? null;
      if (field !== 'tags' && value !== null) found[name] = value;
    }
  }
  return found;
}

/** Plans a merge: the values of the target win, then those of the oldest source; `keep` names another for a field. */
export function planMerge(target: StoredContact, sources: readonly StoredContact[], keep: Readonly<Taken>) {
  const people = [target, ...sources.toSorted(byAge)];
  const byId = new Map(people.map((one) => [one.id, one]));
  const keptOf = (field: string) => (Object.hasOwn(keep, field) ? byId.get(keep[field] ?? '') : undefined);
  const after: StoredContact = { ...target };
  const taken: Taken = {};
  const former: Former = { values: {}, tags: [] };
  for (const [field, names] of textsOf) {
    const winner = keptOf(field) ?? people.find((one) => names.some((name) => one[name] !== null)) ?? target;
    if (names.every((name) => winner[name] === target[name])) continue;
    for (const name of names) after[name] = winner[name];
    taken[field] = winner.id;
    former.values[field] = names.map((name) => target[name]);
  }
  for (const name of new Set(people.flatMap((one) => Object.keys(one.attributes)))) {
    const field = `${attributePrefix}${name}`;
    const winner = keptOf(field) ?? people.find((one) => Object.hasOwn(one.attributes, name)) ?? target;
    const before = attributeOf(target, name);
    const attributes = withAttribute(after.attributes, name, attributeOf(winner, name));
    if (attributeOf(winner, name) === before || !mayHave(attributes)) continue;
    after.attributes = attributes;
    taken[field] = winner.id;
    former.values[field] = [before];
  }
  const keptTags = keptOf('tags');
  const tags = keptTags ? keptTags.tags : [...new Set(people.flatMap((one) => one.tags))].slice(0, tagsMax);
  after.tags = tagsOf(tags);
  former.tags = after.tags.filter((tag) => !target.tags.includes(tag));
  const tagged = people.find((one) => former.tags.some((tag) => one.tags.includes(tag)));
  if (tagged) taken['tags'] = keptTags?.id ?? tagged.id;
  if (keptTags && keptTags !== target && target.tags.some((tag) => !after.tags.includes(tag))) {
    taken['tags'] = keptTags.id;
    former.values['tags'] = target.tags.filter((tag) => !after.tags.includes(tag));
  }
  if (!isSomebody(after)) {
    throw invalid([
      { field: 'keep', code: 'not_allowed', message: 'must leave a name, an e-mail or another property' },
    ]);
  }
  return { after, taken, former, lost: people.flatMap((one) => lostOf(one, after)) };
}

function byAge(one: StoredContact, other: StoredContact): number {
  const [a, b] = [one, other].map(({ created_at: at, inserted_as: as, id }) => `${at} ${as ?? id}`);
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

/** The values of a contact that the merge hides. */
function lostOf(one: StoredContact, after: StoredContact): Lost[] {
  const isLost = (name: TextName) => {
    const [own, other] = [one[name], after[name]];
    if (own === null || own === other) return false;
    return name !== 'email' || other === null || emailKey(own) !== emailKey(other);
  };
  const fields = [...textsOf].flatMap(([field, names]) => (names.some(isLost) ? field : []));
  const attributes = Object.keys(one.attributes).filter((name) => attributeOf(one, name) !== attributeOf(after, name));
  const isTagLost = one.tags.some((tag) => !after.tags.includes(tag));
  const all = [...fields, ...attributes.map((name) => `${attributePrefix}${name}`), ...(isTagLost ? ['tags'] : [])];
  return all.map((field) => ({ field, contact_id: one.id }));
}

/** Plans an undo of what the target took; `kept` names what somebody has changed since. */
export function planUndo(target: StoredContact, sources: readonly StoredContact[], taken: Taken, former: Former) {
  const after: StoredContact = { ...target };
  const kept: string[] = [];
  for (const [field, id] of Object.entries(taken)) {
    const source = sources.find((one) => one.id === id);
    const values = former.values[field] ?? [];
    const names = textsOf.get(field);
    if (field === 'tags') {
      if (!former.tags.every((tag) => target.tags.includes(tag))) kept.push(field);
      const tags = target.tags.filter((tag) => !former.tags.includes(tag));
      after.tags = tagsOf([...tags, ...values.map(String)]).slice(0, tagsMax);
    } else if (names) {
      if (source && names.every((name) => target[name] === source[name])) {
        for (const [index, name] of names.entries()) after[name] = (values[index] ?? null) as string | null;
      } else kept.push(field);
    } else {
      const name = field.slice(attributePrefix.length);
      const attributes = withAttribute(after.attributes, name, values[0] ?? null);
      if (source && attributeOf(target, name) === attributeOf(source, name) && mayHave(attributes)) {
        after.attributes = attributes;
      } else kept.push(field);
    }
  }
  return isSomebody(after) ? { after, kept } : { after: target, kept: Object.keys(taken) };
}

function attributeOf({ attributes }: StoredContact, name: string): Value {
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null;
}

function withAttribute(attributes: Attributes, name: string, value: Value): Attributes {
  const others = Object.entries(attributes).filter(([one]) => one !== name);
  return attributesOf(value === null ? others : [...others, [name, value]]);
}

function mayHave(attributes: Attributes): boolean {
  const isFew = Object.keys(attributes).length <= attributesMax;
  return isFew && Buffer.byteLength(JSON.stringify(attributes)) <= attributesBytesMax;
}
