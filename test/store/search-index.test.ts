import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { createContact } from '../../src/contacts/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import type { ContactSearch } from '../../src/contacts/store.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { contactReplacement, toRow } from '../../src/database/contact-rows.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase, storeOn } from '../../src/database/open-store.ts';
import { compareIndex, emptySearchIndex, searchIndexState } from '../../src/database/search/status.ts';
import { termsIn } from '../../src/database/search/terms.ts';
import { sql } from '../../src/database/sql.ts';
import { run } from '../../src/operation.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { engines, type Opened, shared } from '../support/engines.ts';
import { runJobs } from '../support/jobs.ts';
import { somebody, someQuery } from '../support/many-scripts.ts';
import { aContact, aProject, createChatbot, storeContacts } from '../support/people.ts';
import { aSession } from '../support/postgres.ts';
import { seededRandom } from '../support/random.ts';
import { askOf, type Desk, expected, findAll } from '../support/searches.ts';
import { servingRole } from '../support/serving-role.ts';

const complete = { isMissing: false, isOtherFolding: false, unindexed: 0 };

/** Contacts that are neither in the index nor in the order of additions, as a migration left them, the newest first. */
async function addAsBefore({ database }: Opened, { projectId, chatbotId }: Desk, names: Record<string, string>) {
  for (const [older, [id, name]] of Object.entries(names).entries()) {
    const at = formatTimestamp(addSeconds(new Date('2024-06-08T13:38:33Z'), -older));
    await database.run(sql`insert into contacts (project_id, chatbot_id, id, name, created_at, updated_at)
      values (${projectId}, ${chatbotId}, ${id}, ${name}, ${at}, ${at})`);
    await database.run(sql`update contacts set place = null
      where project_id = ${projectId} and chatbot_id = ${chatbotId} and id = ${id}`);
  }
}

const han = (from: number, length: number) => Array.from({ length }, (_, i) => String.fromCodePoint(from + i)).join('');
const runs = {
  name: han(0x20000, 255),
  company: han(0x20200, 255),
  job_title: han(0x20400, 255),
  external_id: han(0x20600, 255),
};
const tags = (of: (number: number) => string) => Array.from({ length: 50 }, (_, i) => of(i)).toSorted();
const parted = `田${'강'.repeat(63)}`;

/** [what, of a contact, each word that finds it]. */
const longContacts: [string, Partial<StoredContact>, string[]][] = [
  [
    'all that a contact may hold, also characters that stand for many',
    {
      name: `${'㌖'.repeat(254)}山`,
      company: '\u{20000}'.repeat(255),
      job_title: '각'.repeat(255),
      tags: tags((i) => '㌖'.repeat(38) + String.fromCodePoint(0x4e00 + i)),
      external_id: 'x'.repeat(255),
    },
    ['キロメートル', '\u{20000}'.repeat(64), '각'.repeat(64), 'x'.repeat(64), '山'],
  ],
  [
    'the last that the longest fields begin with',
    { ...runs, tags: tags((i) => han(0x5000 + 40 * i, 40)) },
    [...Object.values(runs), han(0x5000 + 40 * 49, 40)].map((text) => Array.from(text).slice(-20).join('')),
  ],
  ['a word of 64 characters in a run, though each may be taken apart', { name: `山${parted}김` }, [parted]],
];

/** The definition of the index as the engine has it. */
async function definitionOf(database: Database): Promise<unknown> {
  return database.engine === 'sqlite'
    ? [
        await database.all(sql`select sql from sqlite_schema where name like 'contact_words%' order by name`),
        await database.all(sql`select * from contact_words_config order by k`),
      ]
    : database.all(sql`select indexdef from pg_indexes where indexname = 'contacts_by_words'`);
}

describe.each(engines)('the index of search on $engine', ({ open, openOwn }) => {
  const opened = shared(open);

  it('lets nobody be found by half: until all are indexed a search of the chatbot is unavailable, others are not', async () => {
    const { store } = opened;
    const desk = await aProject(store, { contacts: [aContact({ id: 'first', name: 'Ana Li', email: null })] });
    const other = await aProject(store, { contacts: [aContact({ id: 'other', name: 'Ana Wu', email: null })] });
    await addAsBefore(opened, desk, { old1: 'Ana Old', old2: 'Bo Old', old3: 'Ana Gone', old4: 'Ana Older' });
    const [ask, askOther] = [askOf(store, desk), askOf(store, other)];
    await expect(ask({ query: 'ana' })).rejects.toMatchObject({ code: 'unavailable' });
    expect((await askOther({ query: 'ana' })).ids).toEqual(['other']);
    const { projectId, chatbotId } = desk;
    const actor = operator(projectId);
    // Meanwhile everybody can be written.
    const { output } = await run(createContact, store, actor, { chatbotId, properties: { name: 'Ana New' } });
    await run(updateContact, store, actor, { chatbotId, contactId: 'old2', properties: { name: 'Ana Bo' } });
    await run(updateContact, store, actor, { chatbotId, contactId: 'first', properties: { name: 'Cy Li' } });
    await run(deleteContact, store, actor, { chatbotId, contactId: 'old3' });
    await expect(ask({ query: 'ana' })).rejects.toMatchObject({ code: 'unavailable' });
    for (let rows = 2; rows === 2;) rows = await store.upkeep.indexContacts(projectId, 2);
    expect(await searchIndexState(opened.database)).toEqual(complete);
    expect((await ask({ query: 'ana' })).ids).toEqual([output.id, 'old1', 'old2', 'old4']);
    expect((await ask({ query: 'cy' })).ids).toEqual(['first']);
    expect((await ask({ query: 'gone' })).ids).toEqual([]);
  });

  it('made anew finds everybody as before, and is as its migration made it', async () => {
    await using opened = await openOwn();
    const random = seededRandom(9);
    const people = Array.from({ length: 150 }, (_, i) => aContact(somebody(random, `p${i}`)));
    const desk = await aProject(opened.store, { contacts: people });
    const before = await definitionOf(opened.database);
    await opened.database.run(sql`update search_state set folding = 0`);
    expect(await searchIndexState(opened.database)).toEqual({ ...complete, isOtherFolding: true });
    const ask = askOf(opened.store, desk);
    await expect(ask({})).rejects.toMatchObject({ code: 'unavailable' });
    // Writes go on; what they change is indexed with the others.
    const { projectId, chatbotId } = desk;
    await run(deleteContact, opened.store, operator(projectId), { chatbotId, contactId: 'p7' });
    await storeContacts(opened.store, projectId, chatbotId, [aContact({ id: 'new', name: 'Zyta New' })]);
    await opened.database.script(
      opened.database.engine === 'sqlite' ? 'drop table contact_words' : 'drop index contacts_by_words',
    );
    expect((await searchIndexState(opened.database)).isMissing).toBe(true);
    await emptySearchIndex(opened.database);
    expect(await definitionOf(opened.database)).toEqual(before);
    for (let rows = 40; rows === 40;) rows = await opened.store.upkeep.indexContacts(projectId, 40);
    expect(await searchIndexState(opened.database)).toEqual(complete);
    const current = [...people.filter(({ id }) => id !== 'p7'), aContact({ id: 'new', name: 'Zyta New' })];
    for (let number = 0; number < 20; number++) {
      const asked = { query: someQuery(random, people).split(/[ -]/).slice(0, 3).join(' ') };
      expect({ asked, ids: await findAll(ask, asked) }).toEqual({ asked, ids: expected(current, asked) });
    }
    expect((await ask({ query: 'zyta' })).ids).toEqual(['new']);
  });

  it.each(longContacts)('finds %s', async (_what, given, queries) => {
    const desk = await aProject(opened.store, { contacts: [aContact({ id: 'one', ...given })] });
    for (const query of queries) expect((await askOf(opened.store, desk)({ query })).ids).toEqual(['one']);
  });

  it('finds who has a word among many who have its parts alone', async () => {
    const contacts = Array.from({ length: 120 }, (_, i) =>
      aContact({ id: `p${i}`, name: i % 40 === 7 ? '山川田' : '川田の山川', email: null }),
    );
    const desk = await aProject(opened.store, { contacts });
    const ask = askOf(opened.store, desk);
    for (const sort of ['date_desc', 'date_asc'] as const) {
      const asked = { query: '山川田', sort, limit: 2 };
      expect(await findAll(ask, asked)).toEqual(expected(contacts, asked));
    }
    expect((await ask({ query: '川田' })).ids).toHaveLength(25);
  });

  it('waits with those of a chatbot that is being indexed, and with no others in the same transaction', async () => {
    const desk = await aProject(opened.store);
    const other = await aProject(opened.store);
    await addAsBefore(opened, desk, { old: 'Ana Old' });
    const create = ({ projectId, chatbotId }: Desk) =>
      run(createContact, opened.store, operator(projectId), { chatbotId, properties: { name: 'Ana' } });
    await Promise.all([create(desk), create(other), create(desk), create(other)]);
    expect((await askOf(opened.store, other)({ query: 'ana' })).ids).toHaveLength(2);
    await expect(askOf(opened.store, desk)({ query: 'ana' })).rejects.toMatchObject({ code: 'unavailable' });
    await opened.store.upkeep.indexContacts(desk.projectId, 10);
    expect((await askOf(opened.store, desk)({ query: 'ana' })).ids).toHaveLength(3);
  });

  it('is told to be wrong by doctor where it has a word too many or too few, and too few in a large one', async () => {
    await using opened = await openOwn();
    const names = ['Ana Li', 'Bo Li', 'Cy Li'].map((name, i) => aContact({ id: `p${i}`, name }));
    await aProject(opened.store, { contacts: names });
    expect(await compareIndex(opened.database)).toEqual({ total: 3, compared: 3, wrong: 0 });
    await opened.database.run(sql`update contacts set name = 'Bo' where id = 'p1'`);
    await opened.database.run(sql`update contacts set name = 'Cy Li Chen' where id = 'p2'`);
    expect(await compareIndex(opened.database)).toEqual({ total: 3, compared: 3, wrong: 2 });
    const unlisted = { total: 3, compared: 3, wrong: opened.database.engine === 'sqlite' ? 1 : 2 };
    expect(await compareIndex(opened.database, { listedMax: 0 })).toEqual(unlisted);
  });

  it('is completed by the job', async () => {
    const desk = await aProject(opened.store);
    await addAsBefore(opened, desk, Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`o${i}`, `Ana ${i}`])));
    expect((await runJobs(opened)).filter(({ fields }) => 'indexed' in fields)).toMatchObject([
      { fields: { job: 'index-search', indexed: 250 }, message: 'job index-search: indexed 250' },
    ]);
    expect((await askOf(opened.store, desk)({ query: 'ana 24', limit: 100 })).ids).toHaveLength(11);
  });

  it('forgets no word of others when many share them, and finds none that was changed away', async () => {
    const same = { name: 'Ana Same', email: 'same@example.com', tags: ['vip'] };
    const people = ['a', 'b', 'c'].map((id) => aContact({ id, ...same }));
    const desk = await aProject(opened.store, { contacts: people });
    const { projectId, chatbotId } = desk;
    const ask = askOf(opened.store, desk);
    const properties = { name: 'Bo', email: null, tags: [] };
    for (let time = 0; time < 3; time++) {
      await run(updateContact, opened.store, operator(projectId), { chatbotId, contactId: 'b', properties });
      expect((await ask({ query: 'same', tag: 'vip' })).ids).toEqual(['c', 'a']);
      expect((await ask({ query: 'bo' })).ids).toEqual(['b']);
      const back = { ...same, tags: [...same.tags] };
      await run(updateContact, opened.store, operator(projectId), { chatbotId, contactId: 'b', properties: back });
      expect((await ask({ query: 'same', tag: 'VIP' })).ids).toEqual(['c', 'b', 'a']);
      expect((await ask({ query: 'bo' })).ids).toEqual([]);
    }
  });
});

describe('the index of search on SQLite', () => {
  /** The words of the index without their project, each as often as contacts have it, and its entries. */
  async function inside({ database }: Opened) {
    await database.script(
      'create virtual table if not exists temp.terms using fts5vocab(main, contact_words, instance)',
    );
    const terms = await database.all<{ term: string }>(sql`select term from terms order by term`);
    const entries = await database.all<{ entry: number }>(sql`select entry from indexed_contacts`);
    const words = terms.map(({ term }) => term.slice(4)).filter((term) => /^[a-z]+$/.test(term));
    return { words, entries: entries.length };
  }

  it('has one entry of a contact that is replaced by a copy of the statement, and no word of one that is purged', async () => {
    await using opened = await engines[0].open();
    const contact = aContact({ id: 'one', name: 'Ana', email: null, phone: null });
    const { projectId, chatbotId } = await aProject(opened.store, { contacts: [contact] });
    const termsOf = termsIn(projectId, chatbotId);
    const copy = { ...contactReplacement, columns: contactReplacement.columns.toReversed() };
    const values = [
      ...toRow(projectId, chatbotId, { ...contact, name: 'Bo' }),
      termsOf({ ...contact, name: 'Bo' }),
      termsOf(contact),
    ];
    await opened.database.transaction((connection) => connection.insertAll(copy, [values.toReversed()]));
    expect(await inside(opened)).toEqual({ words: ['bo'], entries: 1 });
    await run(deleteContact, opened.store, operator(projectId), { chatbotId, contactId: 'one', purge: true });
    expect(await inside(opened)).toEqual({ words: [], entries: 0 });
  });
});

/** Whom a search finds, and how often it looks into the index. */
function scanned({ database }: Opened, projectId: string, search: ContactSearch) {
  return database.transaction(async (connection) => {
    const found = await connection.search(projectId, search, false);
    const asked = sql`select cast(pg_stat_get_xact_numscans('contacts_by_words'::regclass) as integer) as scans`;
    return { ids: found.map(({ id }) => id), ...(await connection.first<{ scans: number }>(asked)) };
  });
}

describe('search of a role that owns no table', () => {
  it('never runs with the rights of the owner, whatever that role calls contacts', async () => {
    await using opened = await engines[1].open();
    await using role = await servingRole(opened.url);
    await using session = await aSession(role.url);
    const ran = await session.query(
      `create function pg_temp.spy() returns text language plpgsql as
        $$ begin return set_config('spy.ran_as', current_user, false); end $$`,
      `create temporary view contacts as select pg_temp.spy() as project_id, 'desk' as chatbot_id, 'a' as id,
        'a' as created_at, 1::bigint as place, null::tsvector as search_key, '' as tags`,
      `select * from find_contacts('acme', 'x', null, true, 0, 10, '', 'b', 10)`,
      `select current_setting('spy.ran_as', true) as role`,
    );
    expect(ran).toEqual([{ role: new URL(role.url).username }]);
  });

  it('finds who is rare by the index, and nobody of another project', async () => {
    await using opened = await engines[1].open();
    const many = Array.from({ length: 2_500 }, (_, i) =>
      aContact({ id: `p${i}`, name: i === 3 ? 'Rarissima' : `Ana ${i}`, created_at: `2024-06-08T13:38:33+00:00` }),
    );
    const desk = await aProject(opened.store, { chatbotId: 'same', contacts: many });
    const other = await aProject(opened.store, {
      chatbotId: 'same',
      contacts: [aContact({ id: 'x', name: 'Rarissima' })],
    });
    const scans = async () =>
      Number(
        (
          await opened.database.first<{ scans: string }>(
            sql`select pg_stat_get_numscans('contacts_by_words'::regclass) as scans, pg_stat_force_next_flush()`,
          )
        )?.scans,
      );
    await using role = await servingRole(opened.url);
    const before = await scans();
    {
      await using store = storeOn(await openDatabase(role.url));
      expect((await askOf(store, desk)({ query: 'rarissima', sort: 'date_asc' })).ids).toEqual(['p3']);
      expect((await askOf(store, other)({ query: 'rar' })).ids).toEqual(['x']);
    }
    await expect.poll(scans).toBeGreaterThan(before);
  });

  it('finds a frequent word of a chatbot without the index after many were added to another', async () => {
    await using opened = await engines[1].open();
    const people = (count: number) =>
      Array.from({ length: count }, (_, i) => aContact({ id: `p${i}`, name: 'Ana', email: null }));
    const { projectId, chatbotId } = await aProject(opened.store, { contacts: people(3) });
    const other = await createChatbot(opened.store, projectId, { name: 'HR' });
    await storeContacts(opened.store, projectId, other.id, people(600));
    const search = { chatbotIds: [chatbotId], words: ['ana'], order: 'newest', limit: 2 } as const;
    expect(await scanned(opened, projectId, search)).toEqual({ ids: ['p2', 'p1'], scans: 0 });
  });

  it('finds who lacks a value that nearly all have without the index, which would read them all', async () => {
    await using opened = await engines[1].open();
    const people = Array.from({ length: 3_000 }, (_, i) =>
      aContact({ id: `p${i}`, city: i === 3 || i === 2_100 ? null : 'Lisbon' }),
    );
    const { projectId } = await aProject(opened.store, { contacts: people });
    const search = { words: [], where: [{ field: 'city', known: false }], order: 'newest', limit: 2 } as const;
    expect(await scanned(opened, projectId, search)).toEqual({ ids: ['p2100', 'p3'], scans: 0 });
  });
});
