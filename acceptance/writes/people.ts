import type { Item, List, Match } from './operations.ts';
import {
  changedNames,
  cleaned,
  type Moment,
  nobody,
  type Person,
  type Properties,
  Refused,
  textOf,
  written,
} from './person.ts';

export interface Given {
  at: Moment;
  /** The id of the next contact that is made: the program's choice. */
  newId: () => string;
}

export interface Changed {
  outcome: 'created' | 'updated' | 'unchanged' | 'deleted';
  changed: readonly string[];
  person: Person;
}

/** The contacts of a chatbot and its bin, by id. Everything throws Refused, and nothing is changed. */
export interface People {
  live: ReadonlyMap<string, Person>;
  bin: ReadonlyMap<string, Person>;
  must(id: string): Person;
  /** One change: by itself, or as an item of a bulk request. */
  change(item: Item, given: Given): Changed;
  restore(id: string): Person;
  purge(id: string): Person;
}

export function people(): People {
  const live = new Map<string, Person>();
  const bin = new Map<string, Person>();
  const must = (id: string): Person => live.get(id) ?? refuse('not_found');
  const matching = (match: Match): Person | undefined => {
    const [found, ...more] = [...live.values()].filter((one) => isMeant(one, match));
    if (found && more.length > 0) refuse('ambiguous_match', [found, ...more]);
    return found;
  };
  const requireFree = (externalId: string | null, own?: Person) => {
    const other = [...live.values()].find((one) => one !== own && one.fields.external_id === externalId);
    if (externalId !== null && other) refuse('conflict', [other]);
  };
  const create = (properties: Properties, { at, newId }: Given): Person => {
    const fields = written(nobody(), properties);
    requireFree(fields.external_id);
    const person = { id: newId(), fields, created: at, updated: at };
    live.set(person.id, person);
    return person;
  };
  const write = (person: Person, properties: Properties, at: Moment): string[] => {
    // A conflict is told before what would be left of the contact.
    if ('external_id' in properties) requireFree(cleaned(properties['external_id']), person);
    const fields = written(person.fields, properties);
    const changed = changedNames(person.fields, fields);
    if (changed.length > 0) Object.assign(person, { fields, updated: at });
    return changed;
  };
  const change: People['change'] = (
    { op, id, match = id === undefined ? undefined : { id }, properties = {} },
    given,
  ) => {
    const found = match && matching(match);
    if (op === 'delete') {
      const person = found ?? refuse('not_found');
      live.delete(person.id);
      // The moment of a deletion is taken when it is stored, which may be another second.
      bin.set(person.id, { ...person, deleted: { from: given.at.from, to: given.at.to }, place: undefined });
      return { outcome: 'deleted', changed: [], person };
    }
    if (found) {
      const changed = write(found, properties, given.at);
      return { outcome: changed.length === 0 ? 'unchanged' : 'updated', changed, person: found };
    }
    if (op === 'update' || match?.id !== undefined) refuse('not_found');
    return { outcome: 'created', changed: [], person: create({ ...properties, ...match }, given) };
  };
  return {
    live,
    bin,
    must,
    change,
    restore: (id) => {
      const { deleted: _, ...person } = bin.get(id) ?? refuse('not_found');
      requireFree(person.fields.external_id);
      bin.delete(id);
      live.set(id, person);
      return person;
    },
    purge: (id) => {
      const person = live.get(id) ?? bin.get(id) ?? refuse('not_found');
      if (!live.delete(id)) bin.delete(id);
      return person;
    },
  };
}

function isMeant({ id, fields }: Person, match: Match): boolean {
  if (match.id !== undefined) return id === match.id;
  if (match.email === undefined) return fields.external_id === match.external_id;
  return fields.email?.toLowerCase() === match.email.toLowerCase();
}

function refuse(code: string, existing?: readonly Person[]): never {
  throw new Refused(code, existing ? { existing: existing.map(({ id }) => id).toSorted() } : {});
}

/** In the order of a list. In the bin those whose deletions were under way together come as they were first told. */
export function sorted(all: Iterable<Person>, list: List): Person[] {
  const keyOf = ({ id, created, place = Infinity }: Person) =>
    list === 'deleted' ? String(place).padStart(9, '0') : `${created.text} ${id}`;
  const oldestFirst = [...all].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return list === 'date_asc' ? oldestFirst : oldestFirst.toReversed();
}

/** Those with exactly this value: e-mails in any letter case, phones by their digits. */
export function lookedUp(all: Iterable<Person>, by: 'email' | 'phone' | 'external_id', value: string): Person[] {
  const keys = {
    email: (text: string) => text.toLowerCase(),
    phone: (text: string) => text.replaceAll(/[^0-9]/g, ''),
    external_id: (text: string) => text,
  };
  const keyOf = keys[by];
  const isMeant = ({ fields }: Person) => textOf(fields, by) !== '' && keyOf(textOf(fields, by)) === keyOf(value);
  return sorted([...all].filter(isMeant), 'date_desc');
}
