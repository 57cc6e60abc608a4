import { badProperties, type Item, type Match, type Operation } from './operations.ts';
import type { Properties } from './person.ts';
import { aboutMerges } from './random-merges.ts';
import { nobodys, oneOf, type Random, type Slot, someIncludes } from './slot.ts';

const texts: Record<string, readonly (string | null)[]> = {
  name: ['Ana Lucía', '静香', '  Bo  ', '"quoted" \\ <b>', null],
  first_name: ['Zoë', 'Ana ', null, ''],
  last_name: ['Ferreira', 'O’Hara', null, '   '],
  job_title: ['Nurse', 'Head of “Sales”', null],
  company: ['Ångström & Co', null],
  company_name: ['Example Ltd'],
  website: ['example.com', 'https://example.com/a?b=c#d', null],
  website_url: ['https://example.org'],
  industry: ['Software', null],
  address: ['1 Main Street\nFloor 2', null, ''],
  city: ['Lisbon', 'São Paulo', null],
  state: ['Lisboa', null],
  postal_code: ['1000-001', null],
  country: ['Portugal', '日本', null],
};
const attributes = [
  null,
  { plan: 'gold', seats: 7 },
  { plan: null, zone: ' west ' },
  { is_vip: true, score: -1.5e-3 },
  { plan: 'silver', is_vip: null, note: '' },
];
const tags = [null, [], ['VIP', 'new'], ['b', 'a', 'B'], { add: ['Late', 'vip'] }, { remove: ['new'], add: ['x y'] }];

/** Some properties of somebody of the slot. */
function someProperties(slot: Slot, random: Random): Properties {
  const found: Record<string, unknown> = {};
  const names = Object.keys(texts);
  for (let count = 1 + random.below(3); count > 0; count--) {
    const name = random.pick(names);
    found[name] = random.pick(texts[name] ?? []);
  }
  if (random.below(2) === 0) found['email'] = random.below(6) === 0 ? null : spelt(random.pick(slot.emails), random);
  if (random.below(3) === 0) found['external_id'] = random.pick([...slot.externalIds, null]);
  if (random.below(4) === 0) found['phone'] = random.pick([...slot.phones, null]);
  if (random.below(3) === 0) found['attributes'] = random.pick(attributes);
  if (random.below(3) === 0) found['tags'] = random.pick(tags);
  // What may not stand side by side is tried as a mistake.
  if ('name' in found) for (const part of ['first_name', 'last_name']) delete found[part];
  if ('company' in found) delete found['company_name'];
  if ('website' in found) delete found['website_url'];
  return found;
}

const spelt = (email: string, random: Random) => (random.below(3) === 0 ? email.toUpperCase() : email);
const properties = (slot: Slot, random: Random): Properties =>
  random.below(15) === 0 ? random.pick(badProperties)[0] : someProperties(slot, random);

function aMatch(slot: Slot, random: Random): Match {
  const kind = random.below(3);
  if (kind === 0) return { id: oneOf([...slot.live(), ...slot.merged().slice(0, 1)], random) };
  return kind === 1
    ? { email: spelt(random.pick(slot.emails), random) }
    : { external_id: random.pick(slot.externalIds) };
}

/** The value of a match is not written again. */
function beside(match: Match, given: Properties): Properties {
  if (badProperties.some(([bad]) => bad === given)) return given;
  const { email, external_id: externalId, ...rest } = given;
  return {
    ...rest,
    ...(match.email === undefined && email !== undefined && { email }),
    ...(match.external_id === undefined && externalId !== undefined && { external_id: externalId }),
  };
}

const liveMax = 4;

/** Something that somebody does with the people of a slot. */
export function aWrite(slot: Slot, random: Random): Operation {
  const { length } = slot.live();
  if (random.below(4) === 0) {
    const about = aboutMerges(slot, random);
    if (about) return about;
  }
  const kind = random.below(10);
  const include = someIncludes(random);
  if (length >= liveMax || kind === 0) {
    const id = oneOf([...slot.live(), ...slot.deleted().slice(0, 1), ...slot.merged().slice(0, 1)], random);
    return { kind: 'delete', id, purge: random.below(4) === 0 };
  }
  if (kind < 3) return { kind: 'create', properties: properties(slot, random) };
  if (random.below(6) === 0)
    return { kind: 'bulk', items: Array.from({ length: 1 + random.below(8) }, () => anItem(slot, random)) };
  if (kind === 3) {
    const id = oneOf([...slot.deleted(), ...slot.merged().slice(0, 1)], random);
    return { kind: 'restore', id, include };
  }
  if (kind < 7) {
    const match = aMatch(slot, random);
    const given = beside(match, properties(slot, random));
    return { kind: 'upsert', match, ...(random.below(8) > 0 && { properties: given }), include };
  }
  const id = oneOf([...slot.live(), ...slot.merged().slice(0, 1)], random);
  return { kind: 'update', id, properties: properties(slot, random), include };
}

function anItem(slot: Slot, random: Random): Item {
  const op = random.pick(['create', 'update', 'upsert', 'delete', 'upsert'] as const);
  const given = properties(slot, random);
  if (op === 'create') return { op, properties: given };
  const match = aMatch(slot, random);
  if (op === 'delete') return match.id === undefined ? { op, match } : { op, id: match.id };
  const named = op === 'update' && match.id !== undefined ? { id: match.id } : { match };
  return { op, ...named, properties: beside(match, given) };
}

/** A question about the people of some slots. */
export function aRead(slots: readonly Slot[], random: Random): Operation {
  const slot = random.pick(slots);
  const include = someIncludes(random);
  const kind = random.below(4);
  if (kind === 0) return { kind: 'retrieve', id: oneOf([...slot.live(), ...slot.merged()], random), include };
  if (kind === 1) {
    const values = { email: slot.emails, phone: slot.phones, external_id: slot.externalIds };
    const by = random.pick(['email', 'phone', 'external_id'] as const);
    return { kind: 'lookup', by, value: random.pick(values[by]), include };
  }
  const list = random.pick(['date_desc', 'date_asc'] as const);
  return { kind: 'list', list, page: 1 + random.below(3), perPage: random.pick([1, 3, 25, 100]), include };
}

/** What somebody might try on the contact of others: by its id in the own chatbot, or in a chatbot of others. */
export function foreignOperations(id: string, random: Random): { byId: Operation; any: Operation } {
  const include = someIncludes(random);
  const byId = random.pick<Operation>([
    { kind: 'retrieve', id, include },
    { kind: 'update', id, properties: { name: 'X' }, include },
    { kind: 'upsert', match: { id }, properties: { name: 'X' }, include },
    { kind: 'delete', id, purge: false },
    { kind: 'delete', id, purge: true },
    { kind: 'restore', id, include },
    { kind: 'merge', id, from: [nobodys], keep: {}, isDry: false, include },
    { kind: 'undo', id, include },
    {
      kind: 'bulk',
      items: [
        { op: 'delete', id },
        { op: 'update', match: { id }, properties: { city: 'X' } },
      ],
    },
  ]);
  const any = random.pick<Operation>([
    byId,
    byId,
    { kind: 'create', properties: { name: 'X' } },
    { kind: 'upsert', match: { email: 'p1@example.com' }, include },
    { kind: 'lookup', by: 'email', value: 'p1@example.com', include },
    { kind: 'list', list: 'deleted', page: 1, perPage: 9, include },
    { kind: 'search', isOfProject: random.below(2) === 0, where: [], sort: 'updated_desc', include },
  ]);
  return { byId, any };
}
