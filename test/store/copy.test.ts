import { beforeAll, describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { furtherDetailNames } from '../../src/contacts/contact.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { listContacts } from '../../src/contacts/list.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import { includes, viewOf } from '../../src/contacts/view.ts';
import { sql } from '../../src/database/sql.ts';
import { tables } from '../../src/database/upkeep/copy-tables.ts';
import { copyDatabase, type CopyReport } from '../../src/database/upkeep/copy.ts';
import { unchanged } from '../../src/events/event.ts';
import { listEvents } from '../../src/events/feed.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { columnsIn, engines, type Opened, shared } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { addressOf, asOwner, everybody, someMembers } from '../support/members.ts';
import { aContact, aMember, aProject, storeContacts } from '../support/people.ts';
import { aRetry, storeWebhook } from '../support/webhooks.ts';

const [onDisk, onServer] = engines;
const ways = [
  { from: onDisk, to: onServer },
  { from: onServer, to: onDisk },
];

/** Three projects, with texts and ids that two engines may sort or write differently. */
async function fill({ store }: Opened, bulkLength = 50) {
  const ids = ['a', 'B', 'ä', 'Z', '😀', '_', '-', 'é', '00042', "it's", 'a b', 'ß'];
  for (const id of ['acme', 'Übung', 'zeta']) {
    await aProject(store, {
      id,
      chatbotId: `${id}-bot`,
      members: [
        aMember({ email: 'Owner@example.com', roles: ['Owner', 'Billing'] }),
        aMember({ email: 'grace@example.com', status: 'Pending' }),
      ],
      contacts: ids.map((one) =>
        aContact({
          id: one,
          name: 'Zoë "\\\\" {x,NULL}\n\ttab',
          phone: null,
          company: 'NULL',
          import_digest: one,
        }),
      ),
    });
  }
  const bulk = Array.from({ length: bulkLength }, (_, i) => aContact({ id: `bulk-${i}`, email: `p${i}@example.com` }));
  await storeContacts(store, 'acme', 'acme-bot', bulk);
  await store.write(operator('acme'), async ({ idempotency, members }) => {
    const [grace] = await members.findForWriting('acme', { emails: ['grace@example.com'] });
    const link = { member_id: grace?.id ?? '', token_hash: 'hash of the link', expires_at: noon.at };
    await members.keepInvitation('acme', { ...link, created_by_type: 'operator', created_by_id: 'cli' });
    await idempotency.claim('acme', 'some-key', request, noon);
    await idempotency.keep('acme', 'some-key', request.keyHash, { id: 'kept' });
    return unchanged(undefined);
  });
}

/** More than one page. */
const manyContacts = 300;
const pageSize = 100;
/** What `fill` stores beside them. */
const rows = 72;
const request = { keyHash: 'hash of the key', requestDigest: 'digest of the request' };
const noon = { at: '2026-01-01T12:00:00+00:00', forgetBefore: '2025-12-31T12:00:00+00:00' };

/** A copy that ends between two pages of contacts. */
function stoppedCopy(source: Opened, target: Opened) {
  const throwIfStopped = (handled: number) => {
    if (handled > 150) throw new Error('stopped');
  };
  return copyDatabase(source.database, target.database, throwIfStopped, pageSize);
}

const withName = (way: (typeof ways)[number]) => ({ ...way, name: `${way.from.engine} to ${way.to.engine}` });

describe.each(engines)('what a copy holds of $engine', ({ open }) => {
  it('is every column of every table of people and keys, but the name of the feed', async () => {
    await using opened = await open();
    const rows = await columnsIn(opened.database);
    // Triggers count the contacts of the target, which has a feed and an index of its own.
    const ofTarget = /^(contacts_(?:added|removed)|feed|is_deleted|search_key)$/;
    // Suggestions of duplicates and marks of events are found again.
    const ofProgram =
      /^(schema_migrations|duplicate_(?:keys|pairs|progress)|event_marks|jobs|bin_ages|merge_ages|project_ages|unindexed_projects|search_state|indexed_contacts|contact_words.*|sign_in_secret)$/;
    // Who is signed in stays with the source.
    const ofSource = /^(sessions|sign_in_links)$/;
    const there = rows.filter(
      ({ table, column }) => ![ofProgram, ofSource].some((one) => one.test(table)) && !ofTarget.test(column),
    );
    const held = tables.flatMap(({ name, columns }) => columns.map((column) => ({ table: name, column })));
    const sorted = (list: { table: string; column: string }[]) =>
      list.map(({ table, column }) => `${table}.${column}`).toSorted();
    expect(sorted(held)).toEqual(sorted(there));
  });
});

describe.each(ways.map(withName))('a whole copy from $name', ({ from, to }) => {
  const [source, target] = [shared(from.open), shared(to.open)];
  let copied: CopyReport;
  beforeAll(async () => {
    await fill(source);
    copied = await copyDatabase(source.database, target.database);
  });

  it('holds everything, keys included, with equal counts and digests', async () => {
    expect(copied.to).toEqual(copied.from);
    expect(copied.to.rows).toEqual({
      projects: 3,
      chatbots: 3,
      import_walks: 0,
      members: 6,
      invitations: 1,
      passkeys: 0,
      contacts: 86,
      deleted_contacts: 0,
      merged_contacts: 0,
      merges: 0,
      dismissed_duplicates: 0,
      events: 19,
      idempotency_keys: 1,
      webhooks: 0,
      webhook_deliveries: 0,
      api_keys: 3,
    });
    expect(copied.copied).toBe(rows + 50);
    const [key] = await source.store.apiKeys.list('zeta');
    expect(await target.store.apiKeys.list('zeta')).toEqual([key]);
    expect(await target.store.members.list('Übung', {}, 10, 0)).toEqual(
      await source.store.members.list('Übung', {}, 10, 0),
    );
    expect((await copyDatabase(source.database, target.database)).copied).toBe(0);
  });

  it('begins a feed of its own, which stays when it is run again', async () => {
    const list = (opened: Opened, after: string | null = '*') =>
      run(listEvents, opened.store, operator('acme'), { after: after ?? '' }).then(({ output }) => output);
    const [ofSource, ofTarget] = [await list(source), await list(target)];
    expect(ofTarget.events).toEqual(ofSource.events);
    await expect(list(target, ofSource.next_cursor)).rejects.toMatchObject({ code: 'cursor_expired' });
    await copyDatabase(source.database, target.database);
    expect(await list(target, ofTarget.next_cursor)).toEqual({ events: [], next_cursor: ofTarget.next_cursor });
  });

  it('goes on with the numbers of events, the ids of members and the idempotency keys', async () => {
    const before = await eventsOf(source.store, 'acme');
    expect(before.map(({ sequence }) => sequence)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    await report(target.store, 'acme', { type: 'project.updated', changed: ['name'] });
    const after = await eventsOf(target.store, 'acme');
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.at(-1)).toMatchObject({ sequence: '8', type: 'project.updated' });
    const ids = sql`select project_id, id, email from members order by project_id, id`;
    expect(await target.database.all(ids)).toEqual(await source.database.all(ids));
    const kept = await target.store.write(operator('acme'), async ({ idempotency }) =>
      unchanged(await idempotency.claim('acme', 'some-key', request, noon)),
    );
    expect(kept).toEqual({ requestDigest: request.requestDigest, result: { id: 'kept' } });
  });
});

describe.each(ways.map(withName))('a copy from $name', ({ from, to }) => {
  it('holds every field of contacts, and the bin, from which they can be restored', async () => {
    await using source = await from.open();
    await using target = await to.open();
    const whole = aContact({
      id: 'whole',
      ...Object.fromEntries(furtherDetailNames.map((name) => [name, `some ${name} ß😀`])),
      external_id: 'Ünïque',
      attributes: { a: 1.5, b: true, c: 'x "y"' },
      tags: ['ß', 'vip'],
      updated_at: '2026-01-01T00:00:00+00:00',
    });
    const { projectId, chatbotId } = await aProject(source.store, {
      contacts: [whole, { ...whole, id: 'b', external_id: 'B' }],
    });
    await run(deleteContact, source.store, operator(projectId), { chatbotId, contactId: 'b' });
    const copied = await copyDatabase(source.database, target.database);
    expect(copied.to).toEqual(copied.from);
    expect(copied.to.rows).toMatchObject({ contacts: 1, deleted_contacts: 1, events: 5 });
    const listed = async ({ store }: Opened, state: 'active' | 'deleted') => {
      const input = { chatbotId, state, include: [...includes] };
      return (await run(listContacts, store, operator(projectId), input)).output.contacts;
    };
    for (const state of ['active', 'deleted'] as const)
      expect(await listed(target, state)).toEqual(await listed(source, state));
    expect(await listed(target, 'active')).toEqual([viewOf(whole, includes)]);
    expect(await listed(target, 'deleted')).toMatchObject([
      { id: 'b', external_id: 'B', attributes: whole.attributes },
    ]);
    await run(restoreContact, target.store, operator(projectId), { chatbotId, contactId: 'b' });
    expect(await target.store.contacts.findWhole(projectId, chatbotId, 'b')).toMatchObject({ tags: ['ß', 'vip'] });
  });

  it('holds webhooks, and what they are still to be sent', async () => {
    await using source = await from.open();
    await using target = await to.open();
    const { projectId } = await aProject(source.store);
    await storeWebhook(source.store, projectId, 'hook', { retry_at: noon.at, chatbot_ids: ['8839210412'] });
    await source.store.write(operator(projectId), async ({ webhooks }) =>
      unchanged(await webhooks.noteDeliveries(projectId, 'hook', [aRetry(1)])),
    );
    const copied = await copyDatabase(source.database, target.database);
    expect(copied.to).toEqual(copied.from);
    const held = async ({ webhooks }: Store) => [
      await webhooks.find(projectId, 'hook'),
      await webhooks.retries(projectId, 'hook', 10),
    ];
    expect(await held(target.store)).toEqual(await held(source.store));
    expect(await held(target.store)).toMatchObject([{ retry_at: noon.at }, [aRetry(1)]]);
  });

  it('that is stopped in the middle gets no key while it would differ, and is whole when it is run again', async () => {
    await using source = await from.open();
    await using target = await to.open();
    await fill(source, manyContacts);
    await expect(stoppedCopy(source, target)).rejects.toThrow('stopped');
    // Nobody is served from a half-made copy.
    expect(await target.store.apiKeys.list('acme')).toEqual([]);
    // The service went on for a day before the copy was run again.
    await source.database.script("update contacts set phone = '1' where id = 'bulk-0'");
    await expect(copyDatabase(source.database, target.database)).rejects.toThrow('not the same ones');
    expect(await target.store.apiKeys.list('acme')).toEqual([]);
    await source.database.script("update contacts set phone = '+1 555 0100' where id = 'bulk-0'");
    const copied = await copyDatabase(source.database, target.database, undefined, pageSize);
    expect(copied.to).toEqual(copied.from);
    expect(copied.copied).toBeGreaterThan(0);
    expect(copied.copied).toBeLessThan(rows + manyContacts);
  });

  it('is not begun in a database that holds somebody else', async () => {
    await using source = await from.open();
    await using target = await to.open();
    await aProject(source.store, { id: 'ours' });
    await aProject(target.store, { id: 'theirs' });
    await expect(copyDatabase(source.database, target.database)).rejects.toThrow('people of another database');
    expect(await target.store.projects.list()).toHaveLength(1);
  });

  it('lists members as the source does', async () => {
    await using source = await from.open();
    await using target = await to.open();
    await aProject(source.store, { id: 'acme', members: [...someMembers(6), asOwner(7)] });
    const gone = [2, 3].map((n) => `'${addressOf(n)}'`).join();
    await source.database.script(`delete from members where project_id = 'acme' and email_key in (${gone})`);
    const copied = await copyDatabase(source.database, target.database);
    expect(copied.to).toEqual(copied.from);
    const emails = [7, 1, 4, 5, 6].map(addressOf);
    for (const { store } of [source, target]) expect(await everybody(store, 'acme', 2)).toEqual(emails);
  });

  it('is of one moment, whatever is written meanwhile', async () => {
    await using source = await from.open();
    await using target = await to.open();
    const other = await source.another();
    await fill(source);
    let late: Promise<unknown> | undefined;
    const copied = await copyDatabase(source.database, target.database, () => {
      late ??= aProject(other, { id: 'zz-late' });
    });
    expect(copied.to.rows['projects']).toBe(3);
    await late;
    expect(await other.projects.find('zz-late')).toBeDefined();
  });
});
