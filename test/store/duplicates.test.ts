import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { bulkContacts } from '../../src/contacts/bulk.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { dismissDuplicates } from '../../src/contacts/duplicates/dismiss.ts';
import { findDuplicates } from '../../src/contacts/duplicates/find.ts';
import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { importContacts, looksKnown } from '../../src/contacts/import.ts';
import { mergeContacts } from '../../src/contacts/merging/merge.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import { sql } from '../../src/database/sql.ts';
import { run } from '../../src/operation.ts';
import { engines, type Opened, shared } from '../support/engines.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';

interface Answer {
  groups: { band: string; reasons: { field: string; match: string }[]; contacts: { id: string }[] }[];
  next_cursor: string | null;
  as_of: string;
}

type Given = Partial<Parameters<typeof aContact>[0]>;
const nobody = { name: null, email: null, phone: null, website: null, company: null };
const person = (id: string, given: Given) => aContact({ ...nobody, id, ...given });

async function openDesk({ store, database }: Opened, people: ReturnType<typeof person>[]) {
  const { projectId, chatbotId } = await aProject(store, { contacts: people });
  const count = async () => {
    for await (const _ of suggestInProject(store, 'find-duplicates', projectId));
  };
  await count();
  const actor = operator(projectId);
  const ask = async (input: { band?: 'certain' | 'likely'; limit?: number; cursor?: string } = {}) =>
    (await run(findDuplicates, store, actor, { chatbotId, ...input })).output as unknown as Answer;
  const found = async () =>
    (await ask({ limit: 100 })).groups.map(({ band, contacts }) => `${band} ${contacts.map(({ id }) => id).join(' ')}`);
  const set = (id: string, properties: object) =>
    run(bulkContacts, store, actor, { chatbotId, items: [{ op: 'update', id, properties }] } as never);
  const leftIn = async (table: 'keys' | 'pairs' | 'dismissed') => {
    const query = {
      keys: sql`select count(*) as total from duplicate_keys where project_id = ${projectId}`,
      pairs: sql`select count(*) as total from duplicate_pairs where project_id = ${projectId}`,
      dismissed: sql`select count(*) as total from dismissed_duplicates where project_id = ${projectId}`,
    }[table];
    return Number((await database.first<{ total: number }>(query))?.total);
  };
  return { store, database, projectId, chatbotId, actor, count, ask, found, set, leftIn };
}

/** Of name, e-mail, phone and company. */
function givenAs(text: string): Given {
  const cells = text.split('|').map((cell) => (cell === '' ? null : cell));
  const [name = null, email = null, phone = null, company = null] = cells;
  return { name, email, phone, company };
}

const [sameEmail, sameWords, sameDigits] = ['email same', 'name same_words', 'phone same_digits'];

const sharing = (number: number, given: Given) =>
  Array.from({ length: number }, (_, i) =>
    person(`s${i}`, { name: `Ana Bo ${'abcdefghijklmnopqrstuvwxyz'[i]}`, ...given }),
  );

// Both engines suggest alike: labelled-duplicates.test.ts.
describe('two contacts', () => {
  const opened = shared(engines[0].open);
  const judged = async (one: string, other: string) => {
    const desk = await openDesk(opened, [person('a', givenAs(one)), person('b', givenAs(other))]);
    return (await desk.ask()).groups.map(
      ({ band, reasons }) => `${band} ${reasons.map(({ field, match }) => `${field} ${match}`).join(', ')}`,
    );
  };

  it.each([
    ['the same e-mail and words of the name', 'Ana Ruiz|a@b.example', 'RUIZ, Ána|A@B.example', [sameEmail, sameWords]],
    ['a name on one side', 'Ana Ruiz|a@b.example', '|a@b.example', [sameEmail, 'name one_side']],
    ['the same e-mail alone', '|a@b.example||One', '|a@b.example||Two', [sameEmail]],
    ['the last nine digits', 'Ana Ruiz||+34 612 555 010', 'Ana Ruiz||0034 (612) 55-50-10', [sameDigits, sameWords]],
    ['digits of another script', 'سارة علي||٠٥٥٥٠١٠١٢٣', 'سَارة علي||0555010123', [sameDigits, sameWords]],
    ['another phone', 'Ana Ruiz|a@b.example|5550100100', 'Ana Ruiz|a@b.example|5550100200', [sameEmail, sameWords]],
  ])('are certain by %s', async (_, one, other, reasons) => {
    expect(await judged(one, other)).toEqual([`certain ${reasons.join(', ')}`]);
  });

  it.each([
    ['another name', 'Ana Ruiz|a@b.example', 'Bo Ruiz|a@b.example', [sameEmail]],
    ['vowel signs, which make other names', 'राम|a@b.example', 'रमा|a@b.example', [sameEmail]],
    ['the same company', 'Ana Ruiz|||Example Ltd.', 'Ana Ruiz|||EXAMPLE', [sameWords, 'company same']],
    ['the same domain', 'Ana Ruiz|a@b.example', 'Ana Ruiz|ana@b.example', [sameWords, 'email_domain same']],
  ])('are likely by %s', async (_, one, other, reasons) => {
    expect(await judged(one, other)).toEqual([`likely ${reasons.join(', ')}`]);
  });

  it.each([
    ['too few digits', 'Ana Ruiz||5550', 'Ana Ruiz||5550'],
    ['a public mailbox', 'Ana Ruiz|a@gmail.com', 'Ana Ruiz|ana@gmail.com'],
    ['a name alone', 'Ana Ruiz', 'Ana Ruiz'],
    ['e-mail and phone that differ', 'Ana Ruiz|a@b.example|5550100100|Acme', 'Ana Ruiz|c@b.example|5550100200|Acme'],
  ])('are none by %s', async (_, one, other) => {
    expect(await judged(one, other)).toEqual([]);
  });
});

describe.each(engines)('suggestions of duplicates on $engine', ({ open }) => {
  const opened = shared(open);

  it('put three into one group only where each is in a pair with each, and a pair into one band', async () => {
    const desk = await openDesk(opened, [
      person('a', { name: 'Ana Ruiz', email: 'a@b.example', phone: '5550100100' }),
      person('b', { name: 'Ana Ruiz', email: 'a@b.example' }),
      person('c', { name: 'Ana Ruiz', email: 'a@b.example' }),
      person('d', { name: 'Bo Ruiz', phone: '5550100100' }),
      person('e', { name: 'Cy Sand', phone: '5550100777', email: 'cy@c.example' }),
      person('f', { name: 'Cy Sand', email: 'cy@c.example' }),
      person('g', { name: 'Cy Sand', phone: '5550100777' }),
    ]);
    expect(await desk.found()).toEqual(['certain a b c', 'certain e f', 'certain e g', 'likely a d']);
  });

  it('are certain of no contact without a name whom several may be', async () => {
    const desk = await openDesk(opened, [
      person('a', { name: 'Ana Ruiz', email: 'home@b.example' }),
      person('b', { name: 'Bo Ruiz', phone: '5550100100' }),
      person('x', { email: 'home@b.example', phone: '5550100100' }),
    ]);
    expect(await desk.found()).toEqual(['likely a x', 'likely b x']);
    await desk.set('b', { name: 'Ana Ruiz' });
    await desk.count();
    expect(await desk.found()).toEqual(['certain a x', 'certain b x']);
  });

  it.each([
    ['e-mail', 5, { email: 'a@b.example' }],
    ['phone', 5, { phone: '5550100100' }],
    ['name with its company', 20, { name: 'Ana Ruiz', company: 'Acme' }],
  ] as const)('take a %s that more than %i share for no reason, and follow when it changes', async (_, max, given) => {
    const desk = await openDesk(opened, [...sharing(max, given), person('z', {})]);
    const sizes = async () => (await desk.ask()).groups.map(({ contacts }) => contacts.length);
    expect(await sizes()).toEqual([max]);
    await desk.set('z', { name: 'Ana Zed', ...given });
    await desk.count();
    expect(await sizes()).toEqual([]);
    await run(deleteContact, desk.store, desk.actor, { chatbotId: desk.chatbotId, contactId: 's0' });
    await desk.count();
    expect(await sizes()).toEqual([max]);
  });

  it('walk from group to group, each once, by band or all', async () => {
    const people = Array.from({ length: 60 }, (_, i) => [
      person(`a${i}`, { name: i % 3 ? 'Ana Ruiz' : 'Bo Sand', email: `p@b${i}.example` }),
      person(`b${i}`, { name: 'Ana Ruiz', email: `p@b${i}.example` }),
      person(`c${i}`, { name: 'Ana Ruiz', email: `p@b${i}.example` }),
    ]).flat();
    const desk = await openDesk(opened, people);
    for (const [band, number] of [
      [undefined, 60 + 40],
      ['certain', 60],
      ['likely', 40],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | null = '*';
      while (cursor !== null) {
        const page: Answer = await desk.ask({ limit: 7, cursor, ...(band && { band }) });
        expect(page.groups.length).toBeLessThanOrEqual(7);
        seen.push(...page.groups.map((group) => `${group.band} ${group.contacts.map(({ id }) => id).join(' ')}`));
        cursor = page.next_cursor;
      }
      expect([seen.length, new Set(seen).size]).toEqual([number, seen.length]);
    }
  });

  it('lose who is deleted at once, and have them again when they are restored', async () => {
    const two = [person('a', { name: 'Ana Ruiz', email: 'a@b.example' }), person('b', { email: 'a@b.example' })];
    const desk = await openDesk(opened, two);
    const b = { chatbotId: desk.chatbotId, contactId: 'b' };
    await run(deleteContact, desk.store, desk.actor, b);
    expect(await desk.found()).toEqual([]);
    await run(restoreContact, desk.store, desk.actor, b);
    await desk.count();
    expect(await desk.found()).toEqual(['certain a b']);
    await run(deleteContact, desk.store, desk.actor, { ...b, purge: true });
    expect([await desk.leftIn('keys'), await desk.leftIn('pairs')]).toEqual([1, 0]);
  });

  it('never show again together who was dismissed, through changes and the bin, until one is purged', async () => {
    const all = ['a', 'b', 'c'].map((id) => person(id, { name: 'Ana Ruiz', email: 'a@b.example' }));
    const desk = await openDesk(opened, all);
    const { chatbotId, store, actor } = desk;
    await run(dismissDuplicates, store, actor, { chatbotId, contact_ids: ['c', 'a'] });
    expect(await desk.found()).toEqual(['certain a b', 'certain b c']);
    await desk.set('c', { phone: '5550100100' });
    await run(deleteContact, store, actor, { chatbotId, contactId: 'a' });
    await run(restoreContact, store, actor, { chatbotId, contactId: 'a' });
    await desk.count();
    expect(await desk.found()).toEqual(['certain a b', 'certain b c']);
    await run(deleteContact, store, actor, { chatbotId, contactId: 'a' });
    expect(await desk.leftIn('dismissed')).toBe(1);
    await run(deleteContact, store, actor, { chatbotId, contactId: 'a', purge: true });
    expect(await desk.leftIn('dismissed')).toBe(0);
    await expect(run(dismissDuplicates, store, actor, { chatbotId, contact_ids: ['a', 'b'] })).rejects.toThrow();
  });

  it.each(['purge', 'merge', 'bin'] as const)(
    'come back to five who share an e-mail once the sixth goes by a %s',
    async (way) => {
      const six = [...sharing(6, { email: 'a@b.example' }), person('t', { name: 'Cy', email: 'c@b.example' })];
      const desk = await openDesk(opened, six);
      expect(await desk.found()).toEqual([]);
      const { chatbotId, store, actor } = desk;
      if (way === 'merge') await run(mergeContacts, store, actor, { chatbotId, contactId: 't', from: ['s3'] });
      else await run(deleteContact, store, actor, { chatbotId, contactId: 's3', purge: way === 'purge' });
      await desk.count();
      expect(await desk.found()).toEqual(['likely s0 s1 s2 s4 s5']);
    },
  );

  it('forget who was dismissed once they are purged with the contact into which they were put', async () => {
    const desk = await openDesk(
      opened,
      ['a', 'b', 'c'].map((id) => person(id, { name: id })),
    );
    const { chatbotId, store, actor } = desk;
    await run(dismissDuplicates, store, actor, { chatbotId, contact_ids: ['a', 'b'] });
    await run(mergeContacts, store, actor, { chatbotId, contactId: 'c', from: ['b'] });
    expect(await desk.leftIn('dismissed')).toBe(1);
    await run(deleteContact, store, actor, { chatbotId, contactId: 'c', purge: true });
    expect(await desk.leftIn('dismissed')).toBe(0);
  });

  it('begin from nothing where events are gone, and say which event they know', async () => {
    const desk = await openDesk(opened, [person('a', { email: 'a@b.example' })]);
    const last = async () => (await desk.store.events.list(desk.projectId, { after: 0n, types: [], limit: 1 })).last;
    expect((await desk.ask()).as_of).toBe(String(await last()));
    await storeContacts(desk.store, desk.projectId, desk.chatbotId, [person('b', { email: 'a@b.example' })]);
    await desk.set('a', { company: 'One' });
    await desk.database.run(sql`delete from events where project_id = ${desk.projectId}`);
    expect(await desk.found()).toEqual([]);
    await desk.count();
    expect(await desk.found()).toEqual(['certain a b']);
    expect((await desk.ask()).as_of).toBe(String(await last()));
  });

  it('name the lines of an import whose new people look like some who were there, and store them all the same', async () => {
    const there = [
      person('a', { name: 'Ana Ruiz', phone: '+34 612 555 010' }),
      person('b', { name: 'Bo Sand', company: 'Acme', email: 'bo@b.example', phone: '5550100100' }),
    ];
    const desk = await openDesk(opened, there);
    const given = [
      { name: 'Cy', phone: '0034612555010' },
      { name: 'Bo Sand', company: 'ACME Ltd.' },
      { name: 'Bo Sand', company: 'Acme', email: 'other@b.example', phone: '5550100200' },
      { name: 'Dee Ray', email: 'dee@b.example' },
      { name: 'Bo Sand', email: 'bo@b.example' },
    ];
    const rows = given.map((texts, i) => ({ line: i + 2, digest: `2:${i}`, draft: { texts } }));
    const batch = {
      mode: 'complete',
      policy: 'update',
      isDry: false,
      earlier: new Map(),
      planned: [],
      created: 0,
    } as const;
    const input = { ...batch, chatbotId: desk.chatbotId, rows };
    const imported = await run(importContacts, desk.store, desk.actor, input as never);
    const { outcomes, warnings } = imported.output;
    expect(outcomes).toEqual(['created', 'created', 'created', 'created', 'unchanged']);
    expect(warnings).toEqual([2, 3].map((line) => ({ line, warning: looksKnown })));
  });

  it('hold another project and another chatbot apart', async () => {
    const desk = await openDesk(opened, [person('a', { email: 'a@b.example' })]);
    await aProject(desk.store, { contacts: [person('b', { email: 'a@b.example' })], chatbotId: desk.chatbotId });
    for (const { id } of await desk.store.projects.list()) {
      for await (const _ of suggestInProject(desk.store, 'find-duplicates', id));
    }
    expect(await desk.found()).toEqual([]);
  });
});

describe('pairs of duplicates on SQLite', () => {
  it('are found by either contact, so that a deletion does not read all pairs of the chatbot', async () => {
    await using opened = await engines[0].open();
    const plan = await opened.database.all<{ detail: string }>(
      sql`explain query plan delete from duplicate_pairs where project_id = 'a' and chatbot_id = 'b' and other_id = 'c'`,
    );
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('duplicate_pairs_by_other')]);
  });
});
