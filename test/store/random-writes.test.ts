import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { createContact } from '../../src/contacts/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { upsertContact } from '../../src/contacts/upsert.ts';
import { AppError } from '../../src/errors.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { engines } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aProject } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';

const seed = Number(process.env['ROSTER_TEST_SEED'] ?? 11);
const steps = 200;
const names = ['name', 'city', 'email', 'external_id'] as const;
const keys = ['id', 'email', 'external_id'] as const;
type Fields = Pick<StoredContact, (typeof names)[number]>;
type Given = Partial<Record<keyof Fields, string>>;
type People = Map<string, Fields>;
type Random = ReturnType<typeof seededRandom>;

interface Step {
  kind: 'create' | 'update' | 'upsert' | 'delete' | 'purge' | 'restore';
  id: string;
  by: (typeof keys)[number];
  given: Given;
}

/** What has to come of a step: the code of its refusal, or the type of its event, `unchanged` where there is none. */
interface Expected {
  is: string;
  changed?: string[];
  after?: Fields;
}

const kinds = ['create', 'update', 'update', 'upsert', 'upsert', 'delete', 'purge', 'restore'] as const;

function aStep(random: Random, live: People, bin: People): Step {
  const known = [...live.keys(), ...bin.keys(), 'nobody'];
  const values: Record<keyof Fields, () => string> = {
    name: () => random.pick(['Ana', 'Bo', 'Zoë']),
    city: () => random.pick(['Rome', 'Oslo']),
    email: () => `${random.pick(['p', 'P'])}${random.below(9)}@example.com`,
    external_id: () => `x${random.below(9)}`,
  };
  const given = Object.fromEntries(names.flatMap((name) => (random.below(2) ? [[name, values[name]()]] : []))) as Given;
  const step: Step = { kind: random.pick(kinds), id: random.pick(known), by: random.pick(keys), given };
  if (step.kind === 'create') return { ...step, given: { name: 'Ana', ...given } };
  const { by } = step;
  return step.kind === 'upsert' && by !== 'id' ? { ...step, given: { ...given, [by]: values[by]() } } : step;
}

/** Reads the promise plainly: no index, no SQL. */
function expected({ kind, id, by, given }: Step, live: People, bin: People): Expected {
  const isTaken = (self: string | undefined, externalId: string | null | undefined) =>
    externalId != null && [...live].some(([one, fields]) => one !== self && fields.external_id === externalId);
  const creation = (): Expected => {
    const { external_id: externalId, ...more } = given;
    if (Object.keys(more).length === 0) return { is: 'invalid' };
    const nobody = { name: null, city: null, email: null, external_id: null };
    return isTaken(undefined, externalId) ? { is: 'conflict' } : { is: 'created', after: { ...nobody, ...given } };
  };
  if (kind === 'create') return creation();
  if (kind === 'purge') return { is: live.has(id) || bin.has(id) ? 'purged' : 'not_found' };
  if (kind === 'restore') {
    const after = bin.get(id);
    if (!after) return { is: 'not_found' };
    return isTaken(undefined, after.external_id) ? { is: 'conflict' } : { is: 'restored', after };
  }
  const isByKey = kind === 'upsert' && by !== 'id';
  const matches = (one: Fields) => isByKey && one[by]?.toLowerCase() === given[by]?.toLowerCase();
  const [self, ...more] = [...live].flatMap(([one, fields]) =>
    matches(fields) || (!isByKey && one === id) ? [one] : [],
  );
  const before = live.get(self ?? '');
  if (more.length > 0) return { is: 'ambiguous_match' };
  if (!before) return isByKey ? creation() : { is: 'not_found' };
  if (kind === 'delete') return { is: 'deleted' };
  // What an upsert has matched it leaves as it is.
  const after = { ...before, ...given, ...(isByKey && { [by]: before[by] }) };
  const changed = names.filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return { is: 'unchanged' };
  return isTaken(self, after.external_id) ? { is: 'conflict' } : { is: 'updated', changed, after };
}

function perform(store: Store, at: { projectId: string; chatbotId: string }, { kind, id, by, given }: Step) {
  const { chatbotId } = at;
  const actor = operator(at.projectId);
  if (kind === 'create') return run(createContact, store, actor, { chatbotId, properties: given });
  if (kind === 'update') return run(updateContact, store, actor, { chatbotId, contactId: id, properties: given });
  if (kind === 'upsert' && by === 'id')
    return run(upsertContact, store, actor, { chatbotId, match: { id }, properties: given });
  if (kind === 'upsert') {
    const { [by as 'email']: key, ...properties } = given;
    return run(upsertContact, store, actor, { chatbotId, match: { [by]: key }, properties });
  }
  if (kind === 'restore') return run(restoreContact, store, actor, { chatbotId, contactId: id });
  return run(deleteContact, store, actor, { chatbotId, contactId: id, purge: kind === 'purge' });
}

describe.each(engines)('random writes on $engine', ({ open }) => {
  it(`have one right outcome each, stored and told by one event (seed ${seed})`, async () => {
    await using opened = await open();
    const { store } = opened;
    const at = await aProject(store);
    const random = seededRandom(seed);
    const [live, bin]: [People, People] = [new Map(), new Map()];
    const met = new Set<string>();
    let after = BigInt((await eventsOf(store, at.projectId)).at(-1)?.sequence ?? 0);
    for (let number = 0; number < steps; number++) {
      const step = aStep(random, live, bin);
      const right = expected(step, live, bin);
      const code = await perform(store, at, step).then(
        () => undefined,
        (error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error as Error)),
      );
      const events = await eventsOf(store, at.projectId, { after });
      const told = events.map(({ type, changed }) => [type, changed?.toSorted() ?? null]);
      const isDone = right.is in effects;
      const wanted = isDone ? [[`contact.${right.is}`, right.changed?.toSorted() ?? null]] : [];
      const about = `step ${number}, ${JSON.stringify(step)}`;
      expect([code ?? (isDone ? right.is : 'unchanged'), told], about).toEqual([right.is, wanted]);
      const [event] = events;
      if (event) effects[right.is]?.(live, bin, event.contact_id ?? '', right.after);
      after = BigInt(event?.sequence ?? after);
      met.add(right.is);
    }
    const stored = (await Array.fromAsync(store.contacts.listAll(at.projectId, at.chatbotId))).flat();
    const fieldsOf = (one: Fields) => Object.fromEntries(names.map((name) => [name, one[name]]));
    expect(new Map(stored.map((one) => [one.id, fieldsOf(one)]))).toEqual(live);
    expect([...met].toSorted()).toEqual(
      [...Object.keys(effects), 'ambiguous_match', 'conflict', 'invalid', 'not_found', 'unchanged'].toSorted(),
    );
  });
});

const put = (live: People, bin: People, id: string, after?: Fields) => {
  bin.delete(id);
  if (after) live.set(id, after);
};
/** What each event makes of the model. */
const effects: Record<string, (live: People, bin: People, id: string, after?: Fields) => void> = {
  created: put,
  updated: put,
  restored: put,
  deleted: (live, bin, id) => {
    bin.set(id, live.get(id) as Fields);
    live.delete(id);
  },
  purged: (live, bin, id) => {
    live.delete(id);
    bin.delete(id);
  },
};
