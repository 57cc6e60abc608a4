import { type Merging, openMerging } from './merging.ts';
import type { Item, List, Match } from './operations.ts';
import {
  changedNames,
  cleaned,
  isSameEmail,
  type Moment,
  nobody,
  type Person,
  type Properties,
  refuse,
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
  merging: Merging;
  must(id: string): Person;
  /** One change: by itself, or as an item of a bulk request. */
  change(item: Item, given: Given): Changed;
  restore(id: string): Person;
  purge(id: string): Pick<Person, 'id'>;
}

export function people(): People {
  const live = new Map<string, Person>();
  const bin = new Map<string, Person>();
  const merging = openMerging(live, bin);
  const matching = (match: Match, op: Item['op']): Person | undefined => {
    const own = [...live.values()].filter((one) => isMeant(one, match));
    if (own.length === 0 && match.id !== undefined && op !== 'upsert') merging.requireUnmerged(match.id);
    const [found, ...more] = own.length > 0 ? own : merging.targetsOf(match);
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
    if (fields.external_id !== null) merging.take(fields.external_id, person.id);
    return person;
  };
  /** What an upsert writes: not what leads to the contact from others. */
  const besideAliases = ({ id, fields }: Person, { email, external_id: externalId, ...rest }: Properties) => {
    const isOther = typeof email === 'string' && !isSameEmail(fields.email, email);
    const isHeld = [...live.values()].some((one) => one.fields.external_id === externalId);
    const isOfOthers = typeof externalId === 'string' && !isHeld && merging.leadsTo({ external_id: externalId }, id);
    return {
      ...rest,
      ...(email !== undefined && !(isOther && merging.leadsTo({ email }, id)) && { email }),
      ...(externalId !== undefined && !isOfOthers && { external_id: externalId }),
    };
  };
  const write = (person: Person, properties: Properties, at: Moment): string[] => {
    // A conflict is told before what would be left of the contact.
    if ('external_id' in properties) requireFree(cleaned(properties['external_id']), person);
    const fields = written(person.fields, properties);
    const { external_id: known } = person.fields;
    const changed = changedNames(person.fields, fields);
    if (changed.length > 0) Object.assign(person, { fields, updated: at });
    if (fields.external_id !== null && fields.external_id !== known) merging.take(fields.external_id, person.id);
    return changed;
  };
  const change: People['change'] = (
    { op, id, match = id === undefined ? undefined : { id }, properties = {} },
    given,
  ) => {
    const found = match && matching(match, op);
    if (op === 'delete') {
      const person = found ?? refuse('not_found');
      live.delete(person.id);
      // The moment of a deletion is taken when it is stored, which may be another second.
      bin.set(person.id, { ...person, deleted: { from: given.at.from, to: given.at.to }, place: undefined });
      return { outcome: 'deleted', changed: [], person };
    }
    if (found) {
      const changed = write(found, op === 'upsert' ? besideAliases(found, properties) : properties, given.at);
      return { outcome: changed.length === 0 ? 'unchanged' : 'updated', changed, person: found };
    }
    if (op === 'update' || match?.id !== undefined) refuse('not_found');
    return { outcome: 'created', changed: [], person: create({ ...properties, ...match }, given) };
  };
  return {
    live,
    bin,
    merging,
    must: merging.must,
    change,
    restore: (id) => {
      merging.requireUnmerged(id);
      const { deleted: _, ...person } = bin.get(id) ?? refuse('not_found');
      requireFree(person.fields.external_id);
      bin.delete(id);
      live.set(id, person);
      return person;
    },
    purge: (id) => {
      const { own } = merging.purge([id]);
      return own.length === 0 ? refuse('not_found') : { id };
    },
  };
}

function isMeant({ id, fields }: Person, match: Match): boolean {
  if (match.id !== undefined) return id === match.id;
  if (match.email === undefined) return fields.external_id === match.external_id;
  return isSameEmail(fields.email, match.email);
}

/** In the order of a list. In the bin those whose deletions were under way together come as they were first told. */
export function sorted(all: Iterable<Person>, list: List): Person[] {
  const keyOf = ({ id, created, place = Infinity }: Person) =>
    list === 'deleted' ? String(place).padStart(9, '0') : `${created.text} ${id}`;
  const oldestFirst = [...all].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return list === 'date_asc' ? oldestFirst : oldestFirst.toReversed();
}

/** Those with exactly this value: e-mails in any letter case, phones by their digits. Where nobody has it, those it leads to. */
export function lookedUp({ live, merging }: People, by: 'email' | 'phone' | 'external_id', value: string): Person[] {
  const keys = {
    email: (text: string) => text.toLowerCase(),
    phone: (text: string) => text.replaceAll(/[^0-9]/g, ''),
    external_id: (text: string) => text,
  };
  const keyOf = keys[by];
  const isMeant = ({ fields }: Person) => textOf(fields, by) !== '' && keyOf(textOf(fields, by)) === keyOf(value);
  const own = [...live.values()].filter(isMeant);
  const isAlias = own.length === 0 && by !== 'phone';
  return sorted(isAlias ? merging.targetsOf({ [by]: value }) : own, 'date_desc');
}
