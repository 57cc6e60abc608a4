import { type FieldFailure, inWords, messageOf } from '../parts/failure-bodies.ts';
import { performErasure, performMerge, performUndo } from './merge-model.ts';
import { type Item, objectionTo, type Operation } from './operations.ts';
import { type Changed, type Given, lookedUp, people, type People, sorted } from './people.ts';
import { type Include, type Person, type Properties, Refused, viewOf } from './person.ts';
import { foundAmong } from './search-model.ts';

/** What an operation has changed, as the feed has to tell it. */
export interface Change {
  type: string;
  contact_id: string | null;
  contact_ids: readonly string[] | null;
  changed: readonly string[] | null;
  receipt_id?: string;
}

/** A success. */
export interface Answer {
  status: number;
  data?: unknown;
  /** The path of what was created. */
  location?: string;
  hasTag?: boolean;
}

export interface Performed {
  changes: readonly Change[];
  /** The answer, with the times that are known by then. */
  answer: () => Answer;
  /** The answer to a repeat with the same idempotency key, as things then are. */
  repeat: () => Answer;
  /** Believes what an answer tells for the first time. */
  learn?: (told: Record<string, unknown>) => void;
}

/** What a chatbot has to hold and to answer. */
export interface ChatbotModel {
  id: string;
  people: People;
  /** Performs an operation. Throws Refused, and nothing is changed. */
  perform(operation: Operation, given: Given): Performed;
}

export function chatbotModel(id: string): ChatbotModel {
  const all = people();
  return {
    id,
    people: all,
    perform: (operation, given) => {
      if ('properties' in operation) refuseBad(operation.properties);
      return performers[operation.kind](all, operation as never, given, id);
    },
  };
}

type Performers = {
  [Kind in Operation['kind']]: (
    all: People,
    operation: Extract<Operation, { kind: Kind }>,
    given: Given,
    chatbotId: string,
  ) => Performed;
};

const performers: Performers = {
  create: (all, { properties }, given, chatbotId) => {
    const { person } = all.change({ op: 'create', properties }, given);
    const { id } = person;
    const repeat = () => ({
      status: 201,
      data: { id },
      location: `/v2/chatbots/${chatbotId}/contacts/${id}`,
      hasTag: all.live.has(id),
    });
    return { answer: repeat, changes: [changeOf('created', person)], repeat };
  },
  update: (all, { id, properties, include }, given) => {
    const { changed, person } = all.change({ op: 'update', id, properties }, given);
    const changes = changed.length === 0 ? [] : [{ ...changeOf('updated', person), changed }];
    const repeat = () => now(all, id, include);
    return { ...seen(() => viewOf(person, include)), changes, repeat };
  },
  upsert: (all, { match, properties = {}, include }, given) => {
    const { outcome, changed, person } = all.change({ op: 'upsert', match, properties }, given);
    const repeat = () => ({
      status: outcome === 'created' ? 201 : 200,
      data: { outcome, changed, contact: now(all, person.id, include).data },
      hasTag: all.live.has(person.id),
    });
    const told = { ...changeOf(outcome, person), changed: outcome === 'created' ? null : changed };
    return { answer: repeat, changes: outcome === 'unchanged' ? [] : [told], repeat };
  },
  delete: (all, { id, purge }, given) => {
    const person = purge ? all.purge(id) : all.change({ op: 'delete', id }, given).person;
    return alike({ status: 200 }, [changeOf(purge ? 'purged' : 'deleted', person)]);
  },
  restore: (all, { id, include }) => {
    const person = all.restore(id);
    const repeat = () => now(all, id, include);
    return { answer: repeat, changes: [changeOf('restored', person)], repeat };
  },
  bulk: (all, { items }, given) => {
    const fields = new Set<string>();
    const results = items.map((item, index) => resultOf(all, item, index, { given, fields }));
    const changes = (['created', 'updated', 'deleted'] as const).flatMap((outcome): Change[] => {
      const ids = new Set(results.flatMap((one) => (one.outcome === outcome ? (one.id ?? []) : [])));
      if (ids.size === 0) return [];
      const changed = outcome === 'updated' ? [...fields] : null;
      return [{ type: `contact.${outcome}`, contact_id: null, contact_ids: [...ids], changed }];
    });
    return { answer: () => summary(results), changes, repeat: () => summary(results) };
  },
  merge: performMerge,
  undo: performUndo,
  erase: performErasure,
  retrieve: (all, { id, include }) => seen(() => viewOf(all.must(id), include)),
  lookup: (all, { by, value, include }) =>
    seen(() => ({ contacts: lookedUp(all, by, value).map((one) => viewOf(one, include)) })),
  search: (all, search, _given, id) => seen(() => foundAmong([{ id, people: all }], search)),
  list: (all, { list, page, perPage, include }) =>
    seen(() => {
      const found = sorted((list === 'deleted' ? all.bin : all.live).values(), list);
      const lastPage = Math.max(1, Math.ceil(found.length / perPage));
      const contacts = found.slice((page - 1) * perPage, page * perPage).map((one) => viewOf(one, include));
      return { pages: { current_page: page, last_page: lastPage, per_page: perPage }, contacts };
    }),
};

function alike(answer: Answer, changes: readonly Change[]): Performed {
  return { answer: () => answer, changes, repeat: () => answer };
}

function seen(data: () => object): Performed {
  const answer = () => ({ status: 200, data: data(), hasTag: true }) as const;
  // Throws at once where there is nobody to show.
  answer();
  return { answer, changes: [], repeat: answer };
}

function now({ live }: People, id: string, include: readonly Include[]): Answer {
  const person = live.get(id);
  return { status: 200, data: person ? viewOf(person, include) : null, hasTag: person !== undefined };
}

function changeOf(outcome: Changed['outcome'] | 'purged' | 'restored', { id }: Pick<Person, 'id'>): Change {
  return { type: `contact.${outcome}`, contact_id: id, contact_ids: null, changed: null };
}

interface Result {
  index: number;
  outcome: Changed['outcome'] | 'failed';
  id?: string;
  code?: string;
  message?: string;
  errors?: readonly FieldFailure[];
  merged_into?: string;
}

/** Among several, an item says what it did not find. */
const messagesOfItems: Record<string, string> = {
  not_found: 'There is no such contact',
  merged: 'This contact was merged into another one; use the contact that stays',
};

/** `fields` gets what is changed. */
function resultOf(
  all: People,
  item: Item,
  index: number,
  { given, fields }: { given: Given; fields: Set<string> },
): Result {
  try {
    refuseBad(item.properties);
    const { outcome, person, changed } = all.change(item, given);
    if (outcome === 'updated') for (const name of changed) fields.add(name);
    return { index, outcome, id: person.id };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, told } = error;
    const { errors } = told;
    const message = messagesOfItems[code] ?? (errors ? inWords(errors) : messageOf(code));
    const { merged_into } = told;
    return { index, outcome: 'failed', code, message, ...(errors && { errors }), ...(merged_into && { merged_into }) };
  }
}

function refuseBad(properties: Properties | undefined): void {
  const error = objectionTo(properties);
  if (error) throw new Refused('validation_failed', { errors: [error] });
}

function summary(results: readonly Result[]): Answer {
  const failed = results.filter(({ outcome }) => outcome === 'failed').length;
  return { status: 200, data: { succeeded: results.length - failed, failed, results } };
}
