import { describe, expect, it } from 'vitest';

import { storeOn } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { type Event, eventTypes, type NewEvent } from '../../src/events/event.ts';
import { eventPatterns, typesOf } from '../../src/events/patterns.ts';
import { appOfFile } from '../support/app.ts';
import { report } from '../support/events.ts';
import { aDesk } from '../support/full-desk.ts';
import { aProject } from '../support/people.ts';

const server = appOfFile();

interface Listed {
  events: Event[];
  next_cursor: string | null;
}

async function opened() {
  const desk = await aDesk(server, { members: [], scopes: ['events:read'] });
  const { projectId } = desk;
  const get = (query = '', headers = {}) => desk.ask('GET', `/v2/events${query}`, undefined, headers);
  return {
    ...desk,
    get,
    list: async (query = '', headers = {}) => (await get(query, headers)).data as unknown as Listed,
    report: (...changes: NewEvent[]) => report(server.store, projectId, ...changes),
    /** Reports changes of contacts. */
    change: async (...ids: string[]) => {
      for (const id of ids) await report(server.store, projectId, { type: 'contact.updated', contact_id: id });
    },
    remove: (upTo: number) =>
      server.database.run(sql`delete from events where project_id = ${projectId} and sequence <= ${upTo}`),
  };
}

const numbersOf = ({ events }: Listed) => events.map(({ sequence }) => Number(sequence));

describe('GET /v2/events', () => {
  it('gives what has changed, oldest first, with all thirteen keys in their order', async () => {
    const at = await opened();
    await at.report({ type: 'contact.updated', contact_id: 'a', changed: ['email', 'phone'] });
    const { events, next_cursor } = await at.list();
    expect(events.map(({ type }) => type)).toEqual([
      'project.created',
      'chatbot.created',
      'key.created',
      'contact.updated',
    ]);
    expect(numbersOf({ events, next_cursor })).toEqual([1, 2, 3, 4]);
    expect(events[3]).toEqual({
      id: expect.any(String),
      sequence: '4',
      type: 'contact.updated',
      occurred_at: expect.any(String),
      actor: { type: 'operator', id: 'cli' },
      request_id: null,
      chatbot_id: null,
      contact_id: 'a',
      contact_ids: null,
      member_id: null,
      member_ids: null,
      key_id: null,
      changed: ['email', 'phone'],
    });
    const keys =
      'id sequence type occurred_at actor request_id chatbot_id contact_id contact_ids member_id member_ids key_id changed';
    for (const event of events) expect(Object.keys(event).join(' ')).toBe(keys);
  });

  it('takes the time of an event as it stands, though its plus arrives as a space', async () => {
    const at = await opened();
    const [event] = (await at.list()).events;
    const same = await at.list(`?limit=1&occurred_after=${event?.occurred_at}`);
    expect(same.events).toEqual([event]);
    expect((await at.get('?occurred_after=2024-06-08 10:00')).status).toBe(200);
  });

  it('takes a pattern for all types that begin alike', async () => {
    for (const type of eventTypes) expect(eventPatterns).toContain(`${type.split('.')[0]}.*`);
    expect(typesOf(eventPatterns.slice(eventTypes.length))).toEqual(eventTypes);
    const at = await opened();
    await at.report({ type: 'contacts.exported', count: 1 });
    expect(numbersOf(await at.list('?type=contacts.*,%20key.created&type[]=key.created'))).toEqual([3, 4]);
    expect(numbersOf(await at.list(`?type=${eventTypes.join(',')}`))).toEqual([1, 2, 3, 4]);
  });

  it('takes no cursor of another project', async () => {
    const at = await opened();
    const other = await aProject(at.store, { scopes: ['events:read'] });
    const { next_cursor } = await at.list('', { authorization: `Bearer ${other.token}` });
    const { status, json } = await at.get(`?after=${next_cursor}`);
    expect([status, json.code]).toEqual([410, 'cursor_expired']);
  });
});

describe('GET /v2/events?order=desc', () => {
  it('takes no cursor of the other order, and gives none', async () => {
    const at = await opened();
    const [asc, desc] = [await at.list('?limit=1'), await at.list('?order=desc&limit=1')];
    for (const query of [`?after=${desc.next_cursor}`, `?order=desc&after=${asc.next_cursor}`]) {
      const { status, json } = await at.get(query);
      expect([status, json.errors]).toEqual([
        422,
        [{ field: 'after', code: 'format', message: expect.stringMatching(/of a list with order=(asc|desc)$/) }],
      ]);
    }
  });

  it('goes on to the oldest that is kept, though what comes later is gone or comes', async () => {
    const at = await opened();
    await at.change('a', 'b', 'c');
    const { next_cursor } = await at.list('?order=desc&limit=2');
    const { next_cursor: low } = await at.list('?order=desc&limit=5');
    await at.remove(3);
    const rest = await at.list(`?order=desc&limit=1&wait=0&after=${next_cursor}`);
    expect([numbersOf(rest), rest.next_cursor]).toEqual([[4], null]);
    const none = await at.list(`?order=desc&after=${low}`);
    expect([numbersOf(none), none.next_cursor]).toEqual([[], null]);
    await server.database.run(
      sql`update events set id = 'another' where project_id = ${at.projectId} and sequence = 5`,
    );
    expect((await at.get(`?order=desc&after=${next_cursor}`)).status).toBe(410);
  });
});

describe('a cursor', () => {
  it('has expired once an event after it is no longer kept, and no earlier', async () => {
    const at = await opened();
    await at.change('a', 'b', 'c');
    const cursors = [];
    for (let count = 1; count <= 6; count++) cursors.push((await at.list(`?limit=${count}`)).next_cursor);
    await at.remove(3);
    const answers = await Promise.all(cursors.map((cursor) => at.get(`?after=${cursor}`)));
    expect(answers.map(({ status }) => status)).toEqual([410, 410, 200, 200, 200, 200]);
    expect(answers[0]?.json.code).toBe('cursor_expired');
    expect(numbersOf(await at.list(`?after=${cursors[2]}`))).toEqual([4, 5, 6]);
    expect(numbersOf(await at.list())).toEqual([4, 5, 6]);

    await at.remove(6);
    const none = await Promise.all(cursors.map((cursor) => at.get(`?after=${cursor}`)));
    expect(none.map(({ status }) => status)).toEqual([410, 410, 410, 410, 410, 200]);
    const { events, next_cursor } = await at.list();
    expect(events).toEqual([]);
    await at.change('d');
    for (const cursor of [next_cursor, cursors[5]]) {
      expect(numbersOf(await at.list(`?after=${cursor}`))).toEqual([7]);
    }
  });

  it('of a state that was taken back by hand has expired, though its number is given out again', async () => {
    const at = await opened();
    await at.change('a', 'b');
    const { next_cursor } = await at.list();
    await server.database.run(sql`delete from events where project_id = ${at.projectId} and sequence = 5`);
    await server.database.run(sql`update projects set last_event = 4 where id = ${at.projectId}`);
    expect((await at.get(`?after=${next_cursor}`)).status).toBe(410);
    await at.change('c', 'd');
    expect((await at.get(`?after=${next_cursor}`)).status).toBe(410);
  });

  it('of a project that a process of the version before has made is good, and of no other feed', async () => {
    const at = await opened();
    const insert = (id: string) => sql`insert into projects (id, name, created_at) values (${id}, 'Old', 'now')`;
    for (const id of ['one', 'two']) await server.database.run(insert(id));
    const store = storeOn(server.database);
    const feedOf = async (id: string) => (await store.events.list(id, { after: 0n, types: [], limit: 1 })).feed;
    const feeds = await Promise.all(['one', 'two', at.projectId].map(feedOf));
    for (const feed of feeds) expect(feed).toMatch(/^[\da-f]{16}$/);
    expect(new Set(feeds).size).toBe(3);
  });
});
