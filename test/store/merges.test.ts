import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { createContact } from '../../src/contacts/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { listMerges } from '../../src/contacts/merging/list.ts';
import { mergeContacts } from '../../src/contacts/merging/merge.ts';
import { forgetMerges, undoMerge } from '../../src/contacts/merging/undo.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { run } from '../../src/operation.ts';
import { engines, type Opened, shared } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aContact, aProject, importContacts, mirrorContacts, storeContacts, totalOf } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';

/** A contact as a plain list of fields: the parts of a name are one, each attribute and each tag is one. */
type Plain = Record<string, string>;

const values = {
  name: ['Ana', 'Bo', 'Cy'],
  email: ['ana@example.com', 'bo@example.com', 'cy@example.com'],
  phone: ['+1 555 0100', '+1 555 0101'],
  company: ['Example Ltd', 'Sample Ltd'],
  city: ['Lisbon', 'Oslo'],
  'attributes.plan': ['pro', 'team'],
  'attributes.seats': ['one', 'two'],
  'tags.vip': ['vip'],
  'tags.lead': ['lead'],
};
type Field = keyof typeof values;
const fields = Object.keys(values) as Field[];
const isTag = (field: string) => field.startsWith('tags.');

function plainOf({ attributes, tags, ...contact }: StoredContact): Plain {
  const texts = ['name', 'email', 'phone', 'company', 'city', 'external_id'] as const;
  return Object.fromEntries([
    ...texts.flatMap((name) => (contact[name] === null ? [] : [[name, contact[name]]])),
    ...Object.entries(attributes).map(([name, value]) => [`attributes.${name}`, String(value)]),
    ...tags.map((tag) => [`tags.${tag}`, tag]),
  ]) as Plain;
}

function propertiesOf(plain: Readonly<Record<string, string | null>>) {
  const properties: Record<string, unknown> = {};
  const [attributes, add, remove]: [Record<string, string | null>, string[], string[]] = [{}, [], []];
  for (const [field, value] of Object.entries(plain)) {
    if (field.startsWith('attributes.')) attributes[field.slice('attributes.'.length)] = value;
    else if (isTag(field)) (value === null ? remove : add).push(field.slice('tags.'.length));
    else properties[field] = value;
  }
  return { ...properties, attributes, ...(add.length + remove.length > 0 && { tags: { add, remove } }) };
}

/** A merge as somebody would do it by hand; the oldest of the sources come first. */
function mergedByHand(target: Plain, sources: readonly Plain[], keep: Partial<Record<string, Plain>>): Plain {
  const after: Plain = {};
  for (const field of [...fields, 'external_id']) {
    const [value] = keep[field]
      ? [keep[field][field]]
      : [target, ...sources].flatMap((one) => (one[field] === undefined ? [] : [one[field]]));
    if (value !== undefined) after[field] = value;
  }
  return after;
}

async function openDesk(opened: Opened) {
  const { store } = opened;
  const { projectId, chatbotId } = await aProject(store);
  const actor = operator(projectId);
  const whole = (id: string) => store.contacts.findWhole(projectId, chatbotId, id);
  return {
    ...opened,
    projectId,
    chatbotId,
    whole,
    create: async (plain: Plain) =>
      (await run(createContact, store, actor, { chatbotId, properties: propertiesOf(plain) })).output.id,
    update: (contactId: string, plain: Readonly<Record<string, string | null>>) =>
      run(updateContact, store, actor, { chatbotId, contactId, properties: propertiesOf(plain) }),
    merge: async (contactId: string, from: string[], keep: Record<string, string> = {}) =>
      (await run(mergeContacts, store, actor, { chatbotId, contactId, from, keep })).output,
    merges: async (contactId: string) =>
      (await run(listMerges, store, actor, { chatbotId, contactId })).output.merges.map((one) => [
        one.merge_id,
        one.contacts.map(({ id }) => String(id)).toSorted((a, b) => (a < b ? -1 : 1)),
      ]),
    undo: async (mergeId: string | null) =>
      (await run(undoMerge, store, actor, { chatbotId, mergeId: mergeId ?? '' })).output,
    remove: (contactId: string, purge = false) =>
      run(deleteContact, store, actor, { chatbotId, contactId, ...(purge && { purge }) }),
    restore: (contactId: string) => run(restoreContact, store, actor, { chatbotId, contactId }),
    stored: (...contacts: Partial<StoredContact>[]) =>
      storeContacts(
        store,
        projectId,
        chatbotId,
        contacts.map((one) => aContact({ phone: null, website: null, ...one })),
      ),
    all: async () => {
      const found: StoredContact[] = [];
      for await (const page of store.contacts.listAll(projectId, chatbotId)) found.push(...page);
      return found;
    },
  };
}

const rounds = Number(process.env['ROSTER_TEST_MERGES'] ?? 40);

describe.each(engines)('merges on $engine', ({ engine, open }) => {
  const opened = shared(open);

  it(`of ${rounds} random groups fill, keep and undo as by hand, with changes between`, async () => {
    const desk = await openDesk(opened);
    const { below, pick } = seededRandom(engine.length);
    const chance = (of: number) => below(of) === 0;
    for (let round = 0; round < rounds; round++) {
      const people: { id: string; plain: Plain }[] = [];
      for (let number = 2 + below(3); people.length < number;) {
        const plain: Plain = { name: pick(values.name) };
        for (const field of fields) if (chance(2)) plain[field] = pick(values[field]);
        if (chance(2)) plain['external_id'] = `crm-${round}-${people.length}`;
        if (chance(6)) delete plain['name'];
        if (plain['name'] === undefined) plain['company'] = pick(values.company);
        people.push({ id: await desk.create(plain), plain });
      }
      const [target, ...sources] = people as [(typeof people)[0], ...typeof people];
      const keepers = fields
        .filter((field) => !isTag(field) && chance(6))
        .map((field) => [field, pick(people)] as const);
      const keep = Object.fromEntries(keepers.map(([field, { plain }]) => [field, plain]));
      const wanted = mergedByHand(
        target.plain,
        sources.map(({ plain }) => plain),
        keep,
      );
      if (!Object.keys(wanted).some((field) => !/^(?:tags|attributes)\.|external_id/.test(field))) continue;
      const ids = sources.map(({ id }) => id);
      const merge = await desk.merge(
        target.id,
        chance(2) ? ids : ids.toReversed(),
        Object.fromEntries(keepers.map(([field, { id }]) => [field, id])),
      );
      const stays = (await desk.whole(target.id)) as StoredContact;
      expect([round, plainOf(stays)]).toEqual([round, wanted]);
      for (const { id, plain } of people) {
        for (const [field, value] of Object.entries(plain)) {
          const isLost = merge.lost.some((one) => one.contact_id === id && one.field === field);
          expect([round, id, field, isLost]).toEqual([round, id, field, wanted[field] !== value]);
        }
      }
      const changed: Record<string, string | null> = {};
      for (const field of fields) {
        if (field !== 'name' && chance(5))
          changed[field] = chance(3) && field !== 'company' ? null : pick(values[field]);
      }
      await desk.update(target.id, changed);
      const between = { ...wanted };
      for (const [field, value] of Object.entries(changed)) {
        if (value === null) delete between[field];
        else between[field] = value;
      }
      const { kept } = await desk.undo(merge.merge_id);
      const after = { ...between };
      const expected = new Set<string>();
      for (const field of [...fields, 'external_id']) {
        if (wanted[field] === target.plain[field]) continue;
        const former = target.plain[field];
        if (between[field] !== wanted[field]) expected.add(isTag(field) ? 'tags' : field);
        else if (former === undefined) delete after[field];
        else after[field] = former;
      }
      if (Object.keys(after).some((field) => !/^(?:tags|attributes)\.|external_id/.test(field))) {
        expect([round, kept.toSorted()]).toEqual([round, [...expected].toSorted()]);
        expect([round, plainOf((await desk.whole(target.id)) as StoredContact)]).toEqual([round, after]);
      }
      for (const { id, plain } of sources) {
        expect([round, plainOf((await desk.whole(id)) as StoredContact)]).toEqual([round, plain]);
      }
      for (const { id } of people) await desk.remove(id, true);
    }
    expect(await totalOf(desk.store, desk)).toBe((await desk.all()).length);
  });

  it('bring sources back exactly, but for updated_at and revision', async () => {
    const desk = await openDesk(opened);
    await desk.stored(
      { id: 'a' },
      { id: 'b', external_id: 'x', tags: ['vip'], import_digest: '2:abc', last_name: 'Ruiz' },
    );
    const before = (await desk.whole('b')) as StoredContact;
    const { merge_id: id } = await desk.merge('a', ['b']);
    await desk.undo(id);
    const after = (await desk.whole('b')) as StoredContact;
    expect({ ...after, updated_at: before.updated_at, revision: before.revision }).toEqual(before);
    expect(after.revision).toBeGreaterThan(before.revision);
  });

  it('leave a file that is imported again without any change', async () => {
    const desk = await openDesk(opened);
    const { projectId, chatbotId, store } = desk;
    const file = [
      { name: 'Ana Ruiz', email: 'ana@example.com', tags: ['lead'] },
      { name: 'A. Ruiz', email: 'ruiz@example.com', company: 'Sample Ltd', tags: ['vip'] },
      { name: 'Ana R.', phone: '+1 555 0102' },
      { name: 'Ruiz', external_id: 'crm-9', email: 'ana@example.org' },
    ];
    expect(await importContacts(store, projectId, chatbotId, file)).toEqual(Array(4).fill('created'));
    const all = await desk.all();
    const idOf = (name: string) => all.find((one) => one.name === name)?.id ?? '';
    await desk.merge(idOf('Ana Ruiz'), ['A. Ruiz', 'Ana R.', 'Ruiz'].map(idOf));
    const [before, ...others] = await desk.all();
    expect(others).toEqual([]);
    const events = (await eventsOf(store, projectId)).length;
    for (const policy of ['update', 'skip'] as const) {
      expect(await importContacts(store, projectId, chatbotId, file, policy)).toEqual(Array(4).fill('unchanged'));
    }
    expect(await desk.all()).toEqual([before]);
    const moved = file.toReversed().map((row) => (row.name === 'Ana Ruiz' ? { ...row, name: 'Ana Ruiz-Sand' } : row));
    expect(await importContacts(store, projectId, chatbotId, moved, 'skip')).toEqual(Array(4).fill('unchanged'));
    expect((await eventsOf(store, projectId)).length).toBe(events);
    expect((await importContacts(store, projectId, chatbotId, moved)).at(-1)).toBe('updated');
  });

  it('leave a mirror that comes again without any change, and fill from it what is empty', async () => {
    const desk = await openDesk(opened);
    const { projectId, chatbotId, store } = desk;
    const there = [
      { id: 'a', name: 'Ana', email: 'ana@example.com' },
      { id: 'b', name: 'A. Ruiz', email: 'ruiz@example.com', phone: '+1 555 0100', tags: ['vip'], external_id: 'b1' },
    ];
    await mirrorContacts(store, projectId, chatbotId, there);
    await desk.merge('a', ['b']);
    const before = await desk.all();
    expect(await mirrorContacts(store, projectId, chatbotId, there)).toEqual(['unchanged', 'unchanged']);
    expect(await desk.all()).toEqual(before);
    await mirrorContacts(store, projectId, chatbotId, [{ ...there[1], id: 'b', company: 'Sample Ltd', phone: '1' }]);
    expect(await desk.all()).toMatchObject([{ id: 'a', phone: '+1 555 0100', company: 'Sample Ltd' }]);
  });

  it('restore the one that stays from the bin for a row of a merged contact', async () => {
    const desk = await openDesk(opened);
    const { projectId, chatbotId, store } = desk;
    await desk.stored({ id: 'a' }, { id: 'b', email: 'b@example.com' });
    await desk.merge('a', ['b']);
    await desk.remove('a');
    expect(await importContacts(store, projectId, chatbotId, [{ id: 'b', name: 'B' }])).toEqual(['created']);
    expect(await desk.all()).toMatchObject([{ id: 'a', name: 'Ana Lucía Ferreira' }]);
  });

  it('lead to the one that stays once it is restored', async () => {
    const desk = await openDesk(opened);
    await desk.stored({ id: 'a' }, { id: 'b', email: 'b@example.com' });
    await desk.merge('a', ['b']);
    await desk.remove('a');
    const lookUp = () => desk.store.contacts.lookup(desk.projectId, desk.chatbotId, 'email', 'B@example.com');
    expect(await lookUp()).toEqual([]);
    await desk.restore('a');
    expect(await lookUp()).toMatchObject([{ id: 'a' }]);
  });

  it('are listed where they can be undone, with whom they took, and not once they are undone', async () => {
    const desk = await openDesk(opened);
    await desk.stored({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' });
    const { merge_id: inner } = await desk.merge('b', ['c', 'd']);
    expect(await desk.merges('b')).toEqual([[inner, ['c', 'd']]]);
    const { merge_id: outer } = await desk.merge('a', ['b']);
    expect([await desk.merges('a'), await desk.merges('b')]).toEqual([[[outer, ['b']]], []]);
    await desk.undo(outer);
    expect([await desk.merges('a'), await desk.merges('b')]).toEqual([[], [[inner, ['c', 'd']]]]);
    const binless = { ...opened, store: storeOn(opened.database, { binDays: 0 }) };
    const actor = operator(desk.projectId);
    const input = { chatbotId: desk.chatbotId, contactId: 'b' };
    expect((await run(listMerges, binless.store, actor, input)).output).toEqual({ merges: [] });
  });

  it('cannot be undone without a bin, keep only ids and keys at once, and lead on', async () => {
    const desk = await openDesk({ ...opened, store: storeOn(opened.database, { binDays: 0 }) });
    await desk.stored({ id: 'a' }, { id: 'b', name: 'Planted', email: 'Planted@example.com' });
    const { merge_id: mergeId, undo_until: until } = await desk.merge('a', ['b']);
    expect(until).toBeNull();
    await expect(desk.undo(mergeId)).rejects.toMatchObject({ code: 'not_found' });
    const [merged] = await desk.store.contacts.mergedAmong(desk.projectId, desk.chatbotId, ['b']);
    expect(merged).toMatchObject({ name: null, email: null, merged_into: 'a' });
    await desk.remove('a');
    expect(await desk.store.contacts.mergedAmong(desk.projectId, desk.chatbotId, ['b'])).toEqual([]);
  });

  it('keep only ids and keys once nobody can undo them, and lead on', async () => {
    const desk = await openDesk(opened);
    await desk.stored({ id: 'a' }, { id: 'b', name: 'Planted', email: 'Planted@example.com', external_id: 'crm-7' });
    const { merge_id: mergeId } = await desk.merge('a', ['b'], { name: 'b' });
    const forget = (before: string) =>
      run(forgetMerges, desk.store, operator(desk.projectId), { chatbotId: desk.chatbotId, before, limit: 10 });
    expect((await forget('2020-01-01T00:00:00+00:00')).output).toBe(0);
    expect((await forget('2999-01-01T00:00:00+00:00')).output).toBe(1);
    const [merged] = await desk.store.contacts.mergedAmong(desk.projectId, desk.chatbotId, ['b']);
    expect(merged).toMatchObject({ name: null, email: null, external_id: null, alias: 'crm-7' });
    const found = await desk.store.contacts.lookup(desk.projectId, desk.chatbotId, 'email', 'planted@example.com');
    expect(found).toMatchObject([{ id: 'a' }]);
    await expect(desk.undo(mergeId)).rejects.toMatchObject({ code: 'not_found' });
  });
});
