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
type Source = Record<string, unknown> & { id: string };

/** One way of changing contacts: what it is given, an outcome for each, and some of each contact afterwards, by id. */
interface Way {
  /** Items of a bulk request, upserts unless they say otherwise. */
  set?: Item[];
  /** Rows of a file. */
  complete?: Row[];
  /** Contacts of another Roster; of Chatling where `isPartial`. */
  mirror?: Source[];
  isPartial?: true;
  outcomes: string[];
  becomes?: Record<string, Partial<StoredContact>>;
}

interface Case {
  stored: Partial<StoredContact>[];
  /** Ids of those in the bin. */
  deleted?: string[];
  ways: Way[];
}

const nobody = { name: null, email: null, phone: null, website: null };
const ana = { ...nobody, id: 'a', email: 'ana@example.com', name: 'Ana' };
const long = 'x'.repeat(200);
const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`a${i}`, i]));
const taken = 'external_id is that of another contact';
const hasNone = 'has none of name, email, phone, company and the other fields of a contact';

const cases: Record<string, Case> = {
  'an e-mail in another letter case is set and mirrored, and a file leaves it': {
    stored: [ana],
    ways: [
      {
        set: [{ match: { id: 'a' }, properties: { email: 'ANA@example.com' } }],
        outcomes: ['updated'],
        becomes: { a: { email: 'ANA@example.com' } },
      },
      {
        mirror: [{ id: 'a', name: 'Ana', email: 'ANA@example.com' }],
        outcomes: ['updated'],
        becomes: { a: { email: 'ANA@example.com' } },
      },
      { complete: [{ id: 'a', email: 'ANA@example.com' }], outcomes: ['unchanged'], becomes: { a: ana } },
    ],
  },
  'a fault of a new contact is told before an external id that is taken, and of a stored one after it': {
    stored: [ana, { ...nobody, id: 'b', name: 'Bo', external_id: 'crm-1' }],
    ways: [
      {
        set: [
          { op: 'create', properties: { last_name: null, external_id: 'crm-1' } },
          { match: { email: 'cy@example.com' }, properties: { attributes: many, external_id: 'crm-1' } },
          { match: { id: 'a' }, properties: { name: null, email: null, external_id: 'crm-1' } },
        ],
        outcomes: ['validation_failed properties required', 'conflict', 'conflict'],
        becomes: { a: ana },
      },
    ],
  },
  'an e-mail by which somebody is found is not respelled': {
    stored: [ana],
    ways: [
      {
        set: [{ match: { email: 'ANA@example.com' }, properties: { email: 'Ana@Example.com' } }],
        outcomes: ['unchanged'],
        becomes: { a: ana },
      },
      { complete: [{ email: 'ANA@example.com', name: 'Ana' }], outcomes: ['unchanged'], becomes: { a: ana } },
    ],
  },
  'an e-mail that finds nobody is stored as it is given': {
    stored: [],
    ways: [
      {
        set: [{ match: { email: 'BO@example.com' } }],
        outcomes: ['created'],
        becomes: { '': { email: 'BO@example.com' } },
      },
      { complete: [{ email: 'BO@example.com' }], outcomes: ['created'], becomes: { '': { email: 'BO@example.com' } } },
    ],
  },
  'a name alone clears its parts': {
    stored: [{ ...ana, name: 'Ana Ferreira', first_name: 'Ana', last_name: 'Ferreira' }],
    ways: [
      {
        set: [{ match: { id: 'a' }, properties: { name: 'Ana F.' } }],
        outcomes: ['updated'],
        becomes: { a: { name: 'Ana F.', first_name: null, last_name: null } },
      },
      {
        complete: [{ id: 'a', name: 'Ana F.' }],
        outcomes: ['updated'],
        becomes: { a: { name: 'Ana F.', first_name: null, last_name: null } },
      },
      {
        mirror: [{ id: 'a', name: 'Ana F.', email: 'ana@example.com' }],
        isPartial: true,
        outcomes: ['updated'],
        becomes: { a: { name: 'Ana F.', first_name: null, last_name: null } },
      },
    ],
  },
  'the same name alone clears its parts where it is set, and nowhere else': {
    stored: [{ ...ana, name: 'Ana Ferreira', first_name: 'Ana', last_name: 'Ferreira' }],
    ways: [
      {
        set: [{ match: { id: 'a' }, properties: { name: 'Ana Ferreira' } }],
        outcomes: ['updated'],
        becomes: { a: { name: 'Ana Ferreira', first_name: null, last_name: null } },
      },
      {
        complete: [{ id: 'a', name: 'Ana Ferreira' }],
        outcomes: ['unchanged'],
        becomes: { a: { first_name: 'Ana', last_name: 'Ferreira' } },
      },
      {
        mirror: [{ id: 'a', name: 'Ana Ferreira', email: 'ana@example.com' }],
        isPartial: true,
        outcomes: ['unchanged'],
        becomes: { a: { first_name: 'Ana', last_name: 'Ferreira' } },
      },
    ],
  },
  'a part makes the name of the two that then stand': {
    stored: [{ ...ana, name: 'Ana Ferreira', first_name: 'Ana', last_name: 'Ferreira' }],
    ways: [
      {
        set: [{ match: { id: 'a' }, properties: { last_name: 'Lima' } }],
        outcomes: ['updated'],
        becomes: { a: { name: 'Ana Lima', first_name: 'Ana', last_name: 'Lima' } },
      },
      {
        complete: [{ id: 'a', last_name: 'Lima' }],
        outcomes: ['updated'],
        becomes: { a: { name: 'Ana Lima', first_name: 'Ana', last_name: 'Lima' } },
      },
      {
        complete: [
          { id: 'b', first_name: 'Bo', last_name: 'Berg' },
          { id: 'c', last_name: 'Cem' },
        ],
        outcomes: ['created', 'created'],
        becomes: { b: { name: 'Bo Berg' }, c: { name: 'Cem', first_name: null } },
      },
    ],
  },
  'a part that says nothing new leaves the name': {
    stored: [{ ...ana, name: 'Dr. Ana Ferreira', first_name: 'Ana', last_name: 'Ferreira' }],
    ways: [
      {
        set: [{ match: { id: 'a' }, properties: { first_name: 'Ana' } }],
        outcomes: ['unchanged'],
        becomes: { a: { name: 'Dr. Ana Ferreira' } },
      },
      {
        complete: [{ id: 'a', first_name: 'Ana' }],
        outcomes: ['unchanged'],
        becomes: { a: { name: 'Dr. Ana Ferreira' } },
      },
    ],
  },
  'a name beside its parts is kept as given, and refused where it is set': {
    stored: [ana],
    ways: [
      {
        set: [{ match: { id: 'a' }, properties: { name: 'Dr. Ana F.', first_name: 'Ana' } }],
        outcomes: ['validation_failed properties.name not_allowed'],
        becomes: { a: ana },
      },
      {
        complete: [{ id: 'a', name: 'Dr. Ana F.', first_name: 'Ana', last_name: 'F.' }],
        outcomes: ['updated'],
        becomes: { a: { name: 'Dr. Ana F.', first_name: 'Ana', last_name: 'F.' } },
      },
      {
        mirror: [{ id: 'a', name: 'Dr. Ana F.', first_name: 'Ana', last_name: 'F.', email: 'ana@example.com' }],
        outcomes: ['updated'],
        becomes: { a: { name: 'Dr. Ana F.', first_name: 'Ana', last_name: 'F.' } },
      },
    ],
  },
  'a name that its parts make too long is refused': {
    stored: [{ ...ana, name: long, first_name: long }],
    ways: [
      {
        set: [{ match: { id: 'a' }, properties: { last_name: long } }],
        outcomes: ['validation_failed properties.name too_long'],
      },
      { complete: [{ id: 'a', last_name: long }], outcomes: ['name is longer than 255 characters'] },
    ],
  },
  'somebody of whom nothing would be known is refused': {
    stored: [ana],
    ways: [
      {
        set: [
          { match: { external_id: 'new' } },
          { op: 'create', properties: { tags: ['vip'] } },
          { match: { id: 'a' }, properties: { name: null, email: null } },
        ],
        outcomes: Array.from({ length: 3 }, () => 'validation_failed properties required'),
        becomes: { a: ana },
      },
      {
        complete: [{ external_id: 'new', tags: ['vip'] }, { id: 'a' }, { tags: ['vip'] }],
        outcomes: [hasNone, hasNone, hasNone],
        becomes: { a: ana },
      },
      {
        mirror: [
          { id: 'b', tags: ['vip'] },
          { id: 'a', external_id: '1' },
        ],
        outcomes: [hasNone, hasNone],
        becomes: { a: ana },
      },
    ],
  },
  'null clears, an empty cell says nothing, and what is missing at the source stays': {
    stored: [{ ...ana, phone: '1', city: 'Rome', attributes: { n: 1 }, tags: ['vip'] }],
    ways: [
      {
        set: [{ match: { id: 'a' }, properties: { phone: null, city: null, attributes: null, tags: null } }],
        outcomes: ['updated'],
        becomes: { a: { phone: null, city: null, attributes: {}, tags: [] } },
      },
      {
        complete: [{ id: 'a', name: 'Ana' }],
        outcomes: ['unchanged'],
        becomes: { a: { phone: '1', city: 'Rome', attributes: { n: 1 }, tags: ['vip'] } },
      },
      {
        mirror: [{ id: 'a', name: 'Ana', email: 'ana@example.com', phone: null }],
        isPartial: true,
        outcomes: ['updated'],
        becomes: { a: { phone: null, city: 'Rome', attributes: { n: 1 }, tags: ['vip'] } },
      },
      {
        mirror: [{ id: 'a', name: 'Ana', email: 'ana@example.com' }],
        outcomes: ['updated'],
        becomes: { a: { phone: null, city: null, attributes: {}, tags: [] } },
      },
    ],
  },
  'attributes are merged by a request and a file, and replaced by a mirror': {
    stored: [{ ...ana, attributes: { kept: 1, party: 'Red' } }],
    ways: [
      {
        set: [{ match: { id: 'a' }, properties: { attributes: { party: 'Blue', kept: null, n: 2 } } }],
        outcomes: ['updated'],
        becomes: { a: { attributes: { n: 2, party: 'Blue' } } },
      },
      {
        complete: [{ id: 'a', 'attributes.party': 'Blue', 'attributes.kept': '1' }],
        outcomes: ['updated'],
        becomes: { a: { attributes: { kept: 1, party: 'Blue' } } },
      },
      {
        set: [{ match: { id: 'a' }, properties: { attributes: { kept: '1' } } }],
        outcomes: ['updated'],
        becomes: { a: { attributes: { kept: '1', party: 'Red' } } },
      },
      {
        mirror: [{ ...ana, attributes: { n: 2 } }],
        outcomes: ['updated'],
        becomes: { a: { attributes: { n: 2 } } },
      },
    ],
  },
  'attributes beyond their limits are refused': {
    stored: [{ ...ana, attributes: many }],
    ways: [
      {
        set: [
          { match: { id: 'a' }, properties: { attributes: { more: 1 } } },
          { match: { id: 'a' }, properties: { attributes: { a0: null, more: 1 } } },
        ],
        outcomes: ['validation_failed properties.attributes too_many', 'updated'],
      },
      { complete: [{ id: 'a', 'attributes.more': 'x' }], outcomes: ['attributes would be more than 50'] },
      {
        complete: [
          {
            name: 'B',
            ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`attributes.b${i}`, 'ä'.repeat(900)])),
          },
        ],
        outcomes: ['attributes would have more than 16384 bytes'],
      },
      {
        set: [
          {
            op: 'create',
            properties: {
              name: 'B',
              attributes: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`b${i}`, 'ä'.repeat(900)])),
            },
          },
        ],
        outcomes: ['validation_failed properties.attributes too_large'],
      },
    ],
  },
  'tags are replaced by a list, changed by an object, and always lower case, each once': {
    stored: [{ ...ana, tags: ['old', 'vip'] }],
    ways: [
      {
        set: [
          { match: { id: 'a' }, properties: { tags: { add: ['New', 'VIP'], remove: ['OLD'] } } },
          { match: { id: 'a' }, properties: { tags: ['VIP', 'new', 'new'] } },
        ],
        outcomes: ['updated', 'unchanged'],
        becomes: { a: { tags: ['new', 'vip'] } },
      },
      { complete: [{ id: 'a', tags: 'VIP; new' }], outcomes: ['updated'], becomes: { a: { tags: ['new', 'vip'] } } },
      { complete: [{ id: 'a', tags: 'VIP; Old' }], outcomes: ['unchanged'] },
      { mirror: [{ ...ana, tags: ['Z'] }], outcomes: ['updated'], becomes: { a: { tags: ['z'] } } },
      {
        set: [{ match: { id: 'a' }, properties: { tags: { add: Array.from({ length: 49 }, (_, i) => `t${i}`) } } }],
        outcomes: ['validation_failed properties.tags too_many'],
      },
    ],
  },
  'an external id that another contact has is refused': {
    stored: [
      { ...ana, external_id: '1' },
      { ...ana, id: 'b', email: 'bo@example.com', external_id: '2' },
    ],
    ways: [
      {
        set: [
          { match: { id: 'b' }, properties: { external_id: '1' } },
          { op: 'create', properties: { name: 'C', external_id: '1' } },
          { match: { email: 'c@example.com' }, properties: { external_id: '2' } },
        ],
        outcomes: ['conflict', 'conflict', 'conflict'],
      },
      {
        complete: [
          { id: 'b', external_id: '1' },
          { id: 'c', external_id: '1', name: 'C' },
          { id: 'd', external_id: '3', name: 'D' },
          { id: 'e', external_id: '3', name: 'E' },
        ],
        outcomes: [taken, taken, 'created', taken],
      },
      {
        mirror: [
          { ...ana, id: 'b', external_id: '1' },
          { id: 'c', external_id: '1', name: 'C' },
        ],
        outcomes: [taken, taken],
      },
    ],
  },
  'an external id that one change frees goes to another': {
    stored: [
      { ...ana, external_id: '1' },
      { ...ana, id: 'b', email: 'bo@example.com', external_id: '2' },
    ],
    ways: [
      {
        set: [
          { match: { id: 'a' }, properties: { external_id: '3' } },
          { match: { id: 'b' }, properties: { external_id: '1' } },
          { match: { id: 'a' }, properties: { city: 'Rome' } },
        ],
        outcomes: ['updated', 'updated', 'updated'],
        becomes: { a: { external_id: '3', city: 'Rome' }, b: { external_id: '1' } },
      },
      {
        set: [
          { match: { id: 'a' }, properties: { external_id: null } },
          { match: { id: 'b' }, properties: { external_id: '1' } },
          { match: { id: 'a' }, properties: { external_id: '2' } },
        ],
        outcomes: ['updated', 'updated', 'updated'],
        becomes: { a: { external_id: '2' }, b: { external_id: '1' } },
      },
      {
        set: [
          { op: 'delete', id: 'a' },
          { op: 'create', properties: { name: 'C', external_id: '1' } },
        ],
        outcomes: ['deleted', 'created'],
      },
      {
        complete: [
          { id: 'a', external_id: '3' },
          { id: 'b', external_id: '1' },
          { id: 'a', external_id: '2' },
        ],
        outcomes: ['updated', 'updated', 'contradicts line 1: external_id'],
        becomes: { a: { external_id: '3' }, b: { external_id: '1' } },
      },
      {
        mirror: [
          { ...ana, external_id: null },
          { ...ana, id: 'b', email: 'bo@example.com', external_id: '1' },
          { ...ana, external_id: '2' },
        ],
        outcomes: ['updated', 'updated', 'updated'],
        becomes: { a: { external_id: '2' }, b: { external_id: '1' } },
      },
      {
        // In any order, as long as they come together.
        mirror: [
          { ...ana, id: 'b', email: 'bo@example.com', external_id: '1' },
          { ...ana, external_id: '2' },
        ],
        outcomes: ['updated', 'updated'],
        becomes: { a: { external_id: '2' }, b: { external_id: '1' } },
      },
      {
        mirror: [
          { ...ana, id: 'b', email: 'bo@example.com', external_id: '1' },
          { ...ana, external_id: null },
        ],
        outcomes: ['updated', 'updated'],
        becomes: { a: { external_id: null }, b: { external_id: '1' } },
      },
    ],
  },
  'several changes of one person in a batch': {
    stored: [ana],
    ways: [
      {
        set: [
          { match: { email: 'bo@example.com' }, properties: { city: 'Rome' } },
          { match: { email: 'BO@example.com' }, properties: { city: 'Rome' } },
          { match: { email: 'bo@example.com' }, properties: { city: 'Oslo' } },
          { op: 'create', properties: { email: 'bo@example.com' } },
          { match: { email: 'bo@example.com' } },
        ],
        outcomes: ['created', 'unchanged', 'updated', 'created', 'ambiguous_match'],
      },
      {
        complete: [
          { email: 'bo@example.com', city: 'Rome' },
          { email: 'bo@example.com', city: 'Rome' },
          { email: 'BO@example.com', city: 'Rome' },
          { email: 'bo@example.com', phone: '1' },
          { email: 'bo@example.com', city: 'Oslo' },
        ],
        outcomes: ['created', 'duplicate', 'unchanged', 'updated', 'contradicts line 4: city'],
        becomes: { '': { email: 'bo@example.com', city: 'Rome', phone: '1' } },
      },
      {
        mirror: [
          { id: 'b', name: 'Bo' },
          { id: 'b', name: 'Bob' },
          { id: 'b', name: 'Bob' },
        ],
        outcomes: ['created', 'updated', 'unchanged'],
        becomes: { b: { name: 'Bob' } },
      },
    ],
  },
  'somebody who shares an e-mail': {
    stored: [ana, { ...ana, id: 'b', name: 'Bo', inserted_as: '00000000-0000-7000-8000-000000000001' }],
    ways: [
      { set: [{ match: { email: 'ana@example.com' }, properties: { city: 'Rome' } }], outcomes: ['ambiguous_match'] },
      {
        complete: [{ email: 'ana@example.com', city: 'Rome' }],
        outcomes: ['updated'],
        becomes: { a: { city: 'Rome' }, b: { city: null } },
      },
      { mirror: [{ ...ana, id: 'c' }], outcomes: ['created'], becomes: { a: ana, c: { email: 'ana@example.com' } } },
      { complete: [{ id: 'c', email: 'ana@example.com' }], outcomes: ['created'], becomes: { a: ana } },
      {
        complete: [
          { external_id: '1', email: 's@example.com', name: 'A' },
          { external_id: '2', email: 's@example.com', name: 'B' },
        ],
        outcomes: ['created', 'created'],
      },
    ],
  },
  'somebody without id or address is known by the row': {
    stored: [],
    ways: [
      {
        complete: [{ name: 'Only a name' }, { name: 'Only a name', phone: '1' }, { name: 'Only a name' }],
        outcomes: ['created', 'created', 'duplicate'],
      },
    ],
  },
  'an address that changes in a batch finds nobody any more': {
    stored: [ana],
    ways: [
      {
        complete: [
          { id: 'a', email: 'moved@example.com' },
          { email: 'ana@example.com', name: 'Somebody else' },
        ],
        outcomes: ['updated', 'created'],
      },
    ],
  },
  'an external id finds before the e-mail does, and comes to somebody who has none': {
    stored: [
      { ...ana, external_id: '1' },
      { ...ana, id: 'b', email: 'b@example.com' },
    ],
    ways: [
      {
        complete: [
          { external_id: '1', email: 'b@example.com', city: 'Rome' },
          { external_id: '2', email: 'B@example.com', city: 'Oslo' },
        ],
        outcomes: ['updated', 'updated'],
        becomes: { a: { external_id: '1', city: 'Rome' }, b: { external_id: '2', city: 'Oslo' } },
      },
    ],
  },
  'external ids go on to others within a file': {
    stored: [
      { ...ana, external_id: '1' },
      { ...ana, id: 'b', email: 'b@example.com' },
      { ...ana, id: 'c', external_id: '3' },
    ],
    ways: [
      {
        // By the first mention b is stored before c, whose id it takes; a takes one that is new and gives its own.
        complete: [
          { id: 'b', city: 'Rome' },
          { id: 'c', external_id: 'x' },
          { id: 'b', external_id: '3' },
          { id: 'a', external_id: 'new' },
          { id: 'd', external_id: '1', city: 'Oslo' },
        ],
        outcomes: ['updated', 'updated', 'updated', 'updated', 'created'],
        becomes: {
          a: { external_id: 'new' },
          b: { external_id: '3' },
          c: { external_id: 'x' },
          d: { external_id: '1' },
        },
      },
    ],
  },
  'somebody in the bin': {
    stored: [{ ...ana, external_id: '1', updated_at: '2026-01-01T00:00:00+00:00' }],
    deleted: ['a'],
    ways: [
      {
        set: [
          { match: { id: 'a' }, properties: { city: 'Rome' } },
          { match: { email: 'ana@example.com' }, properties: { external_id: '1' } },
        ],
        outcomes: ['not_found', 'created'],
      },
      {
        complete: [{ id: 'a', city: 'Rome' }],
        outcomes: ['created'],
        becomes: { a: { ...ana, external_id: '1', city: 'Rome' } },
      },
      { complete: [{ email: 'ana@example.com' }], outcomes: ['created'], becomes: { '': { external_id: null } } },
      {
        mirror: [{ id: 'a', email: 'ana@example.com', city: 'Rome' }],
        outcomes: ['created'],
        becomes: { a: { name: null, external_id: null, city: 'Rome' } },
      },
      {
        complete: [
          { id: 'b', external_id: '1', name: 'Bo' },
          { id: 'a', city: 'Rome' },
        ],
        outcomes: ['created', taken],
      },
      {
        complete: [
          { id: 'b', external_id: '1', name: 'Bo' },
          { id: 'a', external_id: '2', city: 'Rome' },
        ],
        outcomes: ['created', 'created'],
        becomes: { a: { external_id: '2', city: 'Rome' } },
      },
      {
        complete: [{ id: 'a', name: 'Ana' }],
        outcomes: ['created'],
        becomes: { a: { ...ana, updated_at: '2026-01-01T00:00:00+00:00' } },
      },
    ],
  },
  'a new person has the given id and time of creation, which stay': {
    stored: [{ ...ana, created_at: '2024-01-01T00:00:00+00:00' }],
    ways: [
      {
        complete: [
          { id: 'b', name: 'Bo', created_at: '2020-01-01' },
          { id: 'a', created_at: '2020-01-01', city: 'Rome' },
        ],
        outcomes: ['created', 'updated'],
        becomes: { a: { created_at: '2024-01-01T00:00:00+00:00' }, b: { created_at: '2020-01-01T00:00:00+00:00' } },
      },
      {
        mirror: [
          { id: 'b', name: 'Bo', created_at: '2020-01-01' },
          { ...ana, created_at: '2020-01-01', city: 'Rome' },
        ],
        outcomes: ['created', 'updated'],
        becomes: { a: { created_at: '2024-01-01T00:00:00+00:00' }, b: { created_at: '2020-01-01T00:00:00+00:00' } },
      },
    ],
  },
};

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

  it.each(Object.entries(cases))('%s', async (_says, { stored, deleted = [], ways }) => {
    const { store } = opened;
    const { projectId } = await aProject(store);
    for (const way of ways) {
      const { id: chatbotId } = await createChatbot(store, projectId, { name: 'Desk' });
      await storeContacts(
        store,
        projectId,
        chatbotId,
        stored.map((one) => aContact(one)),
      );
      for (const contactId of deleted) {
        await run(deleteContact, store, operator(projectId), { chatbotId, contactId });
      }
      expect(await changed(store, { projectId, chatbotId }, way)).toEqual(way.outcomes);
      const again = way.outcomes.map((one) => (one === 'created' || one === 'updated' ? 'unchanged' : one));
      if (way.complete) expect(await changed(store, { projectId, chatbotId }, way), 'again').toEqual(again);
      const after = (await Array.fromAsync(store.contacts.listAll(projectId, chatbotId))).flat();
      for (const [id, expected] of Object.entries(way.becomes ?? {})) {
        expect(after.find((one) => (id === '' ? one.id.length === 36 : one.id === id))).toMatchObject(expected);
      }
    }
  });
});
