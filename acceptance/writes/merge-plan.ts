import { type Fields, isSameEmail, type Person, Refused } from './person.ts';

/** For each field, the id of the contact whose value is taken. */
export type Taken = Record<string, string>;

/** What a contact had before it took values from others. */
export interface Former {
  fields: Fields;
  /** Tags that it got, and that it lost. */
  added: readonly string[];
  dropped: readonly string[];
}

const parts = ['name', 'first_name', 'last_name'];
const single =
  'email job_title phone website company industry address city state postal_code country external_id'.split(' ');
/** The texts of each field of a merge, in the order of answers. */
const texts: readonly (readonly [field: string, names: readonly string[]])[] = [
  ['name', parts],
  ...single.map((name) => [name, [name]] as const),
];
const fieldOf = (attribute: string) => `attributes.${attribute}`;

/** Fields that `keep` may name. */
export const keepable = [...texts.map(([field]) => field), 'tags', 'attributes.plan', 'attributes.zone'];

type Attributes = Record<string, unknown>;
const attributesOf = ({ fields }: Pick<Person, 'fields'>) => fields['attributes'] as Attributes;
const tagsOf = ({ fields }: Pick<Person, 'fields'>) => fields['tags'] as readonly string[];
const sortedAttributes = (all: Attributes): Attributes =>
  Object.fromEntries(
    Object.keys(all)
      .filter((name) => all[name] != null)
      .toSorted()
      .map((name) => [name, all[name]]),
  );
const hasAny = ({ fields }: Person, names: readonly string[]) => names.some((name) => fields[name] !== null);
const haveSame = (one: Fields, other: Fields, names: readonly string[]) =>
  names.every((name) => one[name] === other[name]);
const isSomebody = (fields: Fields) =>
  texts.some(([field, names]) => field !== 'external_id' && names.some((name) => fields[name] !== null));

/** What comes of a merge. The sources are given oldest first. Throws Refused. */
export function planMerge(target: Person, sources: readonly Person[], keep: Taken) {
  const people = [target, ...sources];
  const chosen = (field: string) => people.find(({ id }) => id === keep[field]);
  const fields: Fields = { ...target.fields };
  const taken: Taken = {};
  for (const [field, names] of texts) {
    const from = chosen(field) ?? people.find((one) => hasAny(one, names)) ?? target;
    if (haveSame(from.fields, target.fields, names)) continue;
    for (const name of names) fields[name] = from.fields[name];
    taken[field] = from.id;
  }
  const attributes: Attributes = {};
  for (const name of new Set(people.flatMap((one) => Object.keys(attributesOf(one))))) {
    const from = chosen(fieldOf(name)) ?? people.find((one) => name in attributesOf(one)) ?? target;
    attributes[name] = attributesOf(from)[name];
    if (attributesOf(from)[name] !== attributesOf(target)[name]) taken[fieldOf(name)] = from.id;
  }
  fields['attributes'] = sortedAttributes(attributes);
  const keeper = chosen('tags');
  const tags = [...new Set(keeper ? tagsOf(keeper) : people.flatMap(tagsOf))].toSorted();
  fields['tags'] = tags;
  const added = tags.filter((tag) => !tagsOf(target).includes(tag));
  const dropped = tagsOf(target).filter((tag) => !tags.includes(tag));
  const giver = keeper ?? people.find((one) => tagsOf(one).some((tag) => added.includes(tag)));
  if (giver && giver !== target && added.length + dropped.length > 0) taken['tags'] = giver.id;
  if (!isSomebody(fields)) {
    const message = 'must leave a name, an e-mail or another property';
    throw new Refused('validation_failed', { errors: [{ field: 'keep', code: 'not_allowed', message }] });
  }
  const former: Former = { fields: target.fields, added, dropped };
  const lost = people.flatMap((one) => lostOf(one, fields).map((field) => ({ field, contact_id: one.id })));
  return { fields, taken, former, lost };
}

function lostOf(one: Person, after: Fields): string[] {
  const isLost = (name: string) => {
    const [own, other] = [one.fields[name], after[name]];
    if (own === null || own === other) return false;
    return name !== 'email' || after.email === null || !isSameEmail(one.fields.email, after.email);
  };
  const attributes = after['attributes'] as Attributes;
  return [
    ...texts.flatMap(([field, names]) => (names.some(isLost) ? field : [])),
    ...Object.keys(attributesOf(one)).flatMap((name) =>
      attributesOf(one)[name] === attributes[name] ? [] : fieldOf(name),
    ),
    ...(tagsOf(one).some((tag) => !(after['tags'] as string[]).includes(tag)) ? ['tags'] : []),
  ];
}

/** What the contact that stays gives back, and the fields that somebody has changed since. */
export function planUndo(target: Person, sources: readonly Person[], taken: Taken, former: Former) {
  const fields: Fields = { ...target.fields };
  const kept: string[] = [];
  for (const [field, id] of Object.entries(taken)) {
    const source = sources.find((one) => one.id === id);
    const names = texts.find(([one]) => one === field)?.[1];
    if (field === 'tags') {
      if (!former.added.every((tag) => tagsOf(target).includes(tag))) kept.push(field);
      const own = tagsOf(target).filter((tag) => !former.added.includes(tag));
      fields['tags'] = [...new Set([...own, ...former.dropped])].toSorted();
    } else if (names) {
      if (source && haveSame(target.fields, source.fields, names)) {
        for (const name of names) fields[name] = former.fields[name];
      } else kept.push(field);
    } else {
      const name = field.slice('attributes.'.length);
      if (source && attributesOf(target)[name] === attributesOf(source)[name]) {
        const before = (former.fields['attributes'] as Attributes)[name];
        fields['attributes'] = sortedAttributes({ ...(fields['attributes'] as Attributes), [name]: before });
      } else kept.push(field);
    }
  }
  return isSomebody(fields) ? { fields, kept } : { fields: target.fields, kept: Object.keys(taken) };
}
