import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { BulkItem } from '../../src/contacts/bulk-items.ts';
import { bulkContacts } from '../../src/contacts/bulk.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { importContactRows } from '../../src/contacts/import-rows.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { engines, shared } from '../support/engines.ts';
import { aContact, aProject, createChatbot, digestOf, mirrorContacts, storeContacts } from '../support/people.ts';

type Item = Omit<BulkItem, 'op'> & { op?: BulkItem['op'] };
type Row = Record<string, unknown>;
type Source = Row & { id: string };
type People = Record<string, Partial<StoredContact>>;

/** One way of changing contacts: what it is given, an outcome for each, and some of each contact afterwards, by id. */
interface Way {
  set?: Item[];
  complete?: Row[];
  mirror?: Source[];
  isPartial?: true;
  outcomes: string[];
  becomes: People;
}

type MakeWay<Given> = (given: Given[], outcomes: string | string[], becomes?: People) => Way;

/** Items of a bulk request, upserts unless they say otherwise. */
const set: MakeWay<Item> = (given, outcomes, becomes = {}) => ({ set: given, outcomes: [outcomes].flat(), becomes });
/** Rows of a file. */
const file: MakeWay<Row> = (given, outcomes, becomes = {}) => ({
  complete: given,
  outcomes: [outcomes].flat(),
  becomes,
});
/** Contacts of another Roster. */
const mirror: MakeWay<Source> = (given, outcomes, becomes = {}) => ({
  mirror: given,
  outcomes: [outcomes].flat(),
  becomes,
});
/** Contacts of Chatling. */
const partly: MakeWay<Source> = (...way) => ({ ...mirror(...way), isPartial: true });

const byId = (id: string, properties: Row): Item => ({ match: { id }, properties });
const byEmail = (email: string, properties?: Row): Item => ({ match: { email }, ...(properties && { properties }) });
const create = (properties: Row): Item => ({ op: 'create', properties });

const nobody = { name: null, email: null, phone: null, website: null };
const ana = { ...nobody, id: 'a', email: 'ana@example.com', name: 'Ana' };
const inParts = { ...ana, name: 'Ana Ferreira', first_name: 'Ana', last_name: 'Ferreira' };
/** Ana and Bo with an external id each. */
const withIds = [
  { ...ana, external_id: '1' },
  { ...ana, id: 'b', email: 'bo@example.com', external_id: '2' },
];
const long = 'x'.repeat(200);
const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`a${i}`, i]));
const large = Array.from({ length: 20 }, (_, i) => [`b${i}`, 'ä'.repeat(900)] as const);
const taken = 'external_id is that of another contact';
const hasNone = 'has none of name, email, phone, company and the other fields of a contact';

interface Case {
  says: string;
  stored: Partial<StoredContact>[];
  ways: Way[];
  /** Ids of those in the bin. */
  deleted: string[];
}

const when = (says: string, stored: Case['stored'], ways: Way[], deleted: string[] = []): Case => ({
  says,
  stored,
  ways,
  deleted,
});

const odd = 'Zoë 😀 "\'\\\n\t%_';
const upper = { a: { email: 'ANA@example.com' } };
const renamed = { a: { name: 'Ana F.', first_name: null, last_name: null } };
const lima = { a: { name: 'Ana Lima', first_name: 'Ana', last_name: 'Lima' } };
const parts = { a: { first_name: 'Ana', last_name: 'Ferreira' } };
const doctor = { name: 'Dr. Ana F.', first_name: 'Ana', last_name: 'F.' };
const known = { phone: '1', city: 'Rome', attributes: { n: 1 }, tags: ['vip'] };
const cleared = { phone: null, city: null, attributes: {}, tags: [] };
const created = { a: { created_at: '2024-01-01T00:00:00+00:00' }, b: { created_at: '2020-01-01T00:00:00+00:00' } };
const past = '2026-01-01T00:00:00+00:00';

const cases = [
  when(
    'a text of any kind is stored as it is, and stays',
    [{ ...ana, name: odd, city: odd }],
    [set([byId('a', { phone: '1' })], 'updated', { a: { name: odd, city: odd } })],
  ),
  when(
    'an e-mail in another letter case is set and mirrored, and a file leaves it',
    [ana],
    [
      set([byId('a', { email: 'ANA@example.com' })], 'updated', upper),
      mirror([{ id: 'a', name: 'Ana', email: 'ANA@example.com' }], 'updated', upper),
      file([{ id: 'a', email: 'ANA@example.com' }], 'unchanged', { a: ana }),
    ],
  ),
  when(
    'a fault of a new contact is told before an external id that is taken, and of a stored one after it',
    [ana, { ...nobody, id: 'b', name: 'Bo', external_id: 'crm-1' }],
    [
      set(
        [
          create({ last_name: null, external_id: 'crm-1' }),
          byEmail('cy@example.com', { attributes: many, external_id: 'crm-1' }),
          byId('a', { name: null, email: null, external_id: 'crm-1' }),
        ],
        ['validation_failed properties required', 'conflict', 'conflict'],
        { a: ana },
      ),
    ],
  ),
  when(
    'an e-mail by which somebody is found is not respelled',
    [ana],
    [
      set([byEmail('ANA@example.com', { email: 'Ana@Example.com' })], 'unchanged', { a: ana }),
      file([{ email: 'ANA@example.com', name: 'Ana' }], 'unchanged', { a: ana }),
    ],
  ),
  when(
    'an e-mail that finds nobody is stored as it is given',
    [],
    [
      set([byEmail('BO@example.com')], 'created', { '': { email: 'BO@example.com' } }),
      file([{ email: 'BO@example.com' }], 'created', { '': { email: 'BO@example.com' } }),
    ],
  ),
  when(
    'a name alone clears its parts',
    [inParts],
    [
      set([byId('a', { name: 'Ana F.' })], 'updated', renamed),
      file([{ id: 'a', name: 'Ana F.' }], 'updated', renamed),
      partly([{ id: 'a', name: 'Ana F.', email: 'ana@example.com' }], 'updated', renamed),
    ],
  ),
  when(
    'the same name alone clears its parts where it is set, and nowhere else',
    [inParts],
    [
      set([byId('a', { name: 'Ana Ferreira' })], 'updated', {
        a: { name: 'Ana Ferreira', first_name: null, last_name: null },
      }),
      file([{ id: 'a', name: 'Ana Ferreira' }], 'unchanged', parts),
      partly([{ id: 'a', name: 'Ana Ferreira', email: 'ana@example.com' }], 'unchanged', parts),
    ],
  ),
  when(
    'a part makes the name of the two that then stand',
    [inParts],
    [
      set([byId('a', { last_name: 'Lima' })], 'updated', lima),
      file([{ id: 'a', last_name: 'Lima' }], 'updated', lima),
      file(
        [
          { id: 'b', first_name: 'Bo', last_name: 'Berg' },
          { id: 'c', last_name: 'Cem' },
        ],
        ['created', 'created'],
        { b: { name: 'Bo Berg' }, c: { name: 'Cem', first_name: null } },
      ),
    ],
  ),
  when(
    'a part that says nothing new leaves the name',
    [{ ...inParts, name: 'Dr. Ana Ferreira' }],
    [
      set([byId('a', { first_name: 'Ana' })], 'unchanged', { a: { name: 'Dr. Ana Ferreira' } }),
      file([{ id: 'a', first_name: 'Ana' }], 'unchanged', { a: { name: 'Dr. Ana Ferreira' } }),
    ],
  ),
  when(
    'a name beside its parts is kept as given, and refused where it is set',
    [ana],
    [
      set([byId('a', { name: 'Dr. Ana F.', first_name: 'Ana' })], 'validation_failed properties.name not_allowed', {
        a: ana,
      }),
      file([{ id: 'a', ...doctor }], 'updated', { a: doctor }),
      mirror([{ id: 'a', ...doctor, email: 'ana@example.com' }], 'updated', { a: doctor }),
    ],
  ),
  when(
    'a name that its parts make too long is refused',
    [{ ...ana, name: long, first_name: long }],
    [
      set([byId('a', { last_name: long })], 'validation_failed properties.name too_long'),
      file([{ id: 'a', last_name: long }], 'name is longer than 255 characters'),
    ],
  ),
  when(
    'somebody of whom nothing would be known is refused',
    [ana],
    [
      set(
        [{ match: { external_id: 'new' } }, create({ tags: ['vip'] }), byId('a', { name: null, email: null })],
        Array.from({ length: 3 }, () => 'validation_failed properties required'),
        { a: ana },
      ),
      file([{ external_id: 'new', tags: ['vip'] }, { id: 'a' }, { tags: ['vip'] }], [hasNone, hasNone, hasNone], {
        a: ana,
      }),
      mirror(
        [
          { id: 'b', tags: ['vip'] },
          { id: 'a', external_id: '1' },
        ],
        [hasNone, hasNone],
        { a: ana },
      ),
    ],
  ),
  when(
    'null clears, an empty cell says nothing, and what is missing at the source stays',
    [{ ...ana, ...known }],
    [
      set([byId('a', { phone: null, city: null, attributes: null, tags: null })], 'updated', { a: cleared }),
      file([{ id: 'a', name: 'Ana' }], 'unchanged', { a: known }),
      partly([{ id: 'a', name: 'Ana', email: 'ana@example.com', phone: null }], 'updated', {
        a: { ...known, phone: null },
      }),
      mirror([{ id: 'a', name: 'Ana', email: 'ana@example.com' }], 'updated', { a: cleared }),
    ],
  ),
  when(
    'attributes are merged by a request and a file, and replaced by a mirror',
    [{ ...ana, attributes: { kept: 1, party: 'Red' } }],
    [
      set([byId('a', { attributes: { party: 'Blue', kept: null, n: 2 } })], 'updated', {
        a: { attributes: { n: 2, party: 'Blue' } },
      }),
      file([{ id: 'a', 'attributes.party': 'Blue', 'attributes.kept': '1' }], 'updated', {
        a: { attributes: { kept: 1, party: 'Blue' } },
      }),
      set([byId('a', { attributes: { kept: '1' } })], 'updated', { a: { attributes: { kept: '1', party: 'Red' } } }),
      mirror([{ ...ana, attributes: { n: 2 } }], 'updated', { a: { attributes: { n: 2 } } }),
    ],
  ),
  when(
    'attributes beyond their limits are refused',
    [{ ...ana, attributes: many }],
    [
      set(
        [byId('a', { attributes: { more: 1 } }), byId('a', { attributes: { a0: null, more: 1 } })],
        ['validation_failed properties.attributes too_many', 'updated'],
      ),
      file([{ id: 'a', 'attributes.more': 'x' }], 'attributes would be more than 50'),
      file(
        [{ name: 'B', ...Object.fromEntries(large.map(([name, value]) => [`attributes.${name}`, value])) }],
        'attributes would have more than 16384 bytes',
      ),
      set(
        [create({ name: 'B', attributes: Object.fromEntries(large) })],
        'validation_failed properties.attributes too_large',
      ),
    ],
  ),
  when(
    'tags are replaced by a list, changed by an object, and always lower case, each once',
    [{ ...ana, tags: ['old', 'vip'] }],
    [
      set(
        [byId('a', { tags: { add: ['New', 'VIP'], remove: ['OLD'] } }), byId('a', { tags: ['VIP', 'new', 'new'] })],
        ['updated', 'unchanged'],
        { a: { tags: ['new', 'vip'] } },
      ),
      file([{ id: 'a', tags: 'VIP; new' }], 'updated', { a: { tags: ['new', 'vip'] } }),
      file([{ id: 'a', tags: 'VIP; Old' }], 'unchanged'),
      mirror([{ ...ana, tags: ['Z'] }], 'updated', { a: { tags: ['z'] } }),
      set(
        [byId('a', { tags: { add: Array.from({ length: 49 }, (_, i) => `t${i}`) } })],
        'validation_failed properties.tags too_many',
      ),
    ],
  ),
  when('an external id that another contact has is refused', withIds, [
    set(
      [
        byId('b', { external_id: '1' }),
        create({ name: 'C', external_id: '1' }),
        byEmail('c@example.com', { external_id: '2' }),
      ],
      ['conflict', 'conflict', 'conflict'],
    ),
    file(
      [
        { id: 'b', external_id: '1' },
        { id: 'c', external_id: '1', name: 'C' },
        { id: 'd', external_id: '3', name: 'D' },
        { id: 'e', external_id: '3', name: 'E' },
      ],
      [taken, taken, 'created', taken],
    ),
    mirror(
      [
        { ...ana, id: 'b', external_id: '1' },
        { id: 'c', external_id: '1', name: 'C' },
      ],
      [taken, taken],
    ),
  ]),
  when('an external id that one change frees goes to another', withIds, [
    set(
      [byId('a', { external_id: '3' }), byId('b', { external_id: '1' }), byId('a', { city: 'Rome' })],
      ['updated', 'updated', 'updated'],
      { a: { external_id: '3', city: 'Rome' }, b: { external_id: '1' } },
    ),
    set(
      [byId('a', { external_id: null }), byId('b', { external_id: '1' }), byId('a', { external_id: '2' })],
      ['updated', 'updated', 'updated'],
      { a: { external_id: '2' }, b: { external_id: '1' } },
    ),
    set([{ op: 'delete', id: 'a' }, create({ name: 'C', external_id: '1' })], ['deleted', 'created']),
    file(
      [
        { id: 'a', external_id: '3' },
        { id: 'b', external_id: '1' },
        { id: 'a', external_id: '2' },
      ],
      ['updated', 'updated', 'contradicts line 1: external_id'],
      { a: { external_id: '3' }, b: { external_id: '1' } },
    ),
    mirror(
      [
        { ...ana, external_id: null },
        { ...ana, id: 'b', email: 'bo@example.com', external_id: '1' },
        { ...ana, external_id: '2' },
      ],
      ['updated', 'updated', 'updated'],
      { a: { external_id: '2' }, b: { external_id: '1' } },
    ),
    // In any order, as long as they come together.
    ...['2', null].map((external_id) =>
      mirror(
        [
          { ...ana, id: 'b', email: 'bo@example.com', external_id: '1' },
          { ...ana, external_id },
        ],
        ['updated', 'updated'],
        { a: { external_id }, b: { external_id: '1' } },
      ),
    ),
  ]),
  when(
    'several changes of one person in a batch',
    [ana],
    [
      set(
        [
          byEmail('bo@example.com', { city: 'Rome' }),
          byEmail('BO@example.com', { city: 'Rome' }),
          byEmail('bo@example.com', { city: 'Oslo' }),
          create({ email: 'bo@example.com' }),
          byEmail('bo@example.com'),
        ],
        ['created', 'unchanged', 'updated', 'created', 'ambiguous_match'],
      ),
      file(
        [
          { email: 'bo@example.com', city: 'Rome' },
          { email: 'bo@example.com', city: 'Rome' },
          { email: 'BO@example.com', city: 'Rome' },
          { email: 'bo@example.com', phone: '1' },
          { email: 'bo@example.com', city: 'Oslo' },
        ],
        ['created', 'duplicate', 'unchanged', 'updated', 'contradicts line 4: city'],
        { '': { email: 'bo@example.com', city: 'Rome', phone: '1' } },
      ),
      mirror(
        ['Bo', 'Bob', 'Bob'].map((name) => ({ id: 'b', name })),
        ['created', 'updated', 'unchanged'],
        { b: { name: 'Bob' } },
      ),
    ],
  ),
  when(
    'somebody who shares an e-mail',
    [ana, { ...ana, id: 'b', name: 'Bo', inserted_as: '00000000-0000-7000-8000-000000000001' }],
    [
      set([byEmail('ana@example.com', { city: 'Rome' })], 'ambiguous_match'),
      file([{ email: 'ana@example.com', city: 'Rome' }], 'updated', { a: { city: 'Rome' }, b: { city: null } }),
      mirror([{ ...ana, id: 'c' }], 'created', { a: ana, c: { email: 'ana@example.com' } }),
      file([{ id: 'c', email: 'ana@example.com' }], 'created', { a: ana }),
      file(
        [
          { external_id: '1', email: 's@example.com', name: 'A' },
          { external_id: '2', email: 's@example.com', name: 'B' },
        ],
        ['created', 'created'],
      ),
    ],
  ),
  when(
    'somebody without id or address is known by the row',
    [],
    [
      file(
        [{ name: 'Only a name' }, { name: 'Only a name', phone: '1' }, { name: 'Only a name' }],
        ['created', 'created', 'duplicate'],
      ),
    ],
  ),
  when(
    'an address that changes in a batch finds nobody any more',
    [ana],
    [
      file(
        [
          { id: 'a', email: 'moved@example.com' },
          { email: 'ana@example.com', name: 'Somebody else' },
        ],
        ['updated', 'created'],
      ),
    ],
  ),
  when(
    'an external id finds before the e-mail does, and comes to somebody who has none',
    [
      { ...ana, external_id: '1' },
      { ...ana, id: 'b', email: 'b@example.com' },
    ],
    [
      file(
        [
          { external_id: '1', email: 'b@example.com', city: 'Rome' },
          { external_id: '2', email: 'B@example.com', city: 'Oslo' },
        ],
        ['updated', 'updated'],
        { a: { external_id: '1', city: 'Rome' }, b: { external_id: '2', city: 'Oslo' } },
      ),
    ],
  ),
  when(
    'external ids go on to others within a file',
    [
      { ...ana, external_id: '1' },
      { ...ana, id: 'b', email: 'b@example.com' },
      { ...ana, id: 'c', external_id: '3' },
    ],
    [
      // By the first mention b is stored before c, whose id it takes; a takes one that is new and gives its own.
      file(
        [
          { id: 'b', city: 'Rome' },
          { id: 'c', external_id: 'x' },
          { id: 'b', external_id: '3' },
          { id: 'a', external_id: 'new' },
          { id: 'd', external_id: '1', city: 'Oslo' },
        ],
        ['updated', 'updated', 'updated', 'updated', 'created'],
        { a: { external_id: 'new' }, b: { external_id: '3' }, c: { external_id: 'x' }, d: { external_id: '1' } },
      ),
    ],
  ),
  when(
    'somebody in the bin',
    [{ ...ana, external_id: '1', updated_at: past }],
    [
      set([byId('a', { city: 'Rome' }), byEmail('ana@example.com', { external_id: '1' })], ['not_found', 'created']),
      file([{ id: 'a', city: 'Rome' }], 'created', { a: { ...ana, external_id: '1', city: 'Rome' } }),
      file([{ email: 'ana@example.com' }], 'created', { '': { external_id: null } }),
      mirror([{ id: 'a', email: 'ana@example.com', city: 'Rome' }], 'created', {
        a: { name: null, external_id: null, city: 'Rome' },
      }),
      file(
        [
          { id: 'b', external_id: '1', name: 'Bo' },
          { id: 'a', city: 'Rome' },
        ],
        ['created', taken],
      ),
      file(
        [
          { id: 'b', external_id: '1', name: 'Bo' },
          { id: 'a', external_id: '2', city: 'Rome' },
        ],
        ['created', 'created'],
        { a: { external_id: '2', city: 'Rome' } },
      ),
      file([{ id: 'a', name: 'Ana' }], 'created', { a: { ...ana, updated_at: past } }),
    ],
    ['a'],
  ),
  when(
    'a new person has the given id and time of creation, which stay',
    [{ ...ana, ...created.a }],
    [
      file(
        [
          { id: 'b', name: 'Bo', created_at: '2020-01-01' },
          { id: 'a', created_at: '2020-01-01', city: 'Rome' },
        ],
        ['created', 'updated'],
        created,
      ),
      mirror(
        [
          { id: 'b', name: 'Bo', created_at: '2020-01-01' },
          { ...ana, created_at: '2020-01-01', city: 'Rome' },
        ],
        ['created', 'updated'],
        created,
      ),
    ],
  ),
];

async function changed(
  store: Store,
  { projectId, chatbotId }: { projectId: string; chatbotId: string },
  { set, complete, mirror, isPartial }: Way,
): Promise<string[]> {
  if (set) {
    const items = set.map(({ op = 'upsert', ...item }) =>
      item.match?.id === undefined ? { op, ...item } : { ...item, op: 'update' as const },
    );
    const { output } = await run(bulkContacts, store, operator(projectId), { chatbotId, items });
    return output.results.map(({ outcome, code, errors = [] }) =>
      [code ?? outcome, ...errors.flatMap(({ field, code: own }) => [field, own])].join(' '),
    );
  }
  if (mirror) {
    const outcomes = await mirrorContacts(store, projectId, chatbotId, mirror, isPartial !== true);
    return outcomes.map((one) => (typeof one === 'string' ? one : one.refused));
  }
  const rows = (complete ?? []).map((row, index) => {
    const [values, texts] = [
      Object.entries(row).filter(([name]) => name === 'tags' || name.startsWith('attributes.')),
      Object.entries(row).filter(([name]) => name !== 'tags' && !name.startsWith('attributes.')),
    ];
    return {
      line: index + 1,
      digest: digestOf(row),
      texts: Object.fromEntries(texts),
      ...(values.length > 0 && { values: Object.fromEntries(values) }),
    };
  });
  const input = { chatbotId, on_conflict: 'update' as const, dry_run: false, rows };
  const { output } = await run(importContactRows, store, operator(projectId), input);
  return output.outcomes.map((one) =>
    typeof one === 'string' ? one : [one.refused, ...(one.differing ? [one.differing.join(', ')] : [])].join(': '),
  );
}

describe.each(engines)('a change of a contact on $engine', ({ open }) => {
  const opened = shared(open);

  it.each(cases)('$says', async ({ stored, deleted, ways }) => {
    const { store } = opened;
    const { projectId } = await aProject(store);
    for (const way of ways) {
      const { id: chatbotId } = await createChatbot(store, projectId, { name: 'Desk' });
      const contacts = stored.map((one) => aContact(one));
      await storeContacts(store, projectId, chatbotId, contacts);
      for (const contactId of deleted) {
        await run(deleteContact, store, operator(projectId), { chatbotId, contactId });
      }
      expect(await changed(store, { projectId, chatbotId }, way)).toEqual(way.outcomes);
      const again = way.outcomes.map((one) => (one === 'created' || one === 'updated' ? 'unchanged' : one));
      if (way.complete) expect(await changed(store, { projectId, chatbotId }, way), 'again').toEqual(again);
      const after = (await Array.fromAsync(store.contacts.listAll(projectId, chatbotId))).flat();
      for (const [id, expected] of Object.entries(way.becomes)) {
        expect(after.find((one) => (id === '' ? one.id.length === 36 : one.id === id))).toMatchObject(expected);
      }
    }
  });
});
