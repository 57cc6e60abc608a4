import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { aDesk, chatbotId, type Page, toDesk } from '../support/desk.ts';
import { eventsOf } from '../support/events.ts';
import { commandUser, serving } from '../support/process.ts';

describe('the commands of contacts print with --json what HTTP answers', () => {
  let desk: Awaited<ReturnType<typeof aDesk>>;
  let server: Awaited<ReturnType<typeof serving>>;
  beforeAll(async () => {
    const created = (day: number) => `2024-06-0${day}T00:00:00+00:00`;
    desk = await aDesk(
      { id: 'a', email: 'Ana@example.com', created_at: created(1), tags: ['vip'], attributes: { party: 'Liberal' } },
      { id: 'b', email: 'bo@example.com', created_at: created(2), external_id: 'crm-1' },
      { id: 'c', email: null, phone: '+1 555 0199', created_at: created(3) },
      { id: 'd', email: 'd@example.com', created_at: created(4) },
      { id: 'e', email: 'e@example.com', created_at: created(5) },
    );
    for (const id of ['d', 'e']) await desk.run('delete', id);
    server = await serving(desk.at);
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  const http = async (path: string, body?: object): Promise<string> => {
    const answer = await fetch(`${server.address}/v2/chatbots/${chatbotId}/contacts${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${desk.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = (await answer.json()) as { data: unknown };
    return JSON.stringify(data);
  };
  const command = async (words: string[], input = '') =>
    JSON.stringify(await desk.fed<object>(input, words[0] ?? '', ...words.slice(1)));

  it.each([
    [['list'], '?cursor=*'],
    [['list', '--sort', 'date_asc', '--limit', '2'], '?cursor=*&sort=date_asc&per_page=2'],
    [['list', '--include', 'tags,attributes'], '?cursor=*&include=tags,attributes'],
    [['list', '--deleted', '--limit', '1'], '?cursor=*&state=deleted&per_page=1'],
    [['show', 'a'], '/a'],
    [['show', 'a', '--include', 'external_id', '--include', 'details'], '/a?include=details,external_id'],
    [['show', 'a', '--include', 'all'], '/a?include=details,external_id,attributes,tags,updated_at'],
  ])('%j', async (words, path) => {
    expect(await command(words)).toBe(await http(path));
  });

  it.each([
    ['--email', ' ANA@example.com\n', { email: 'ana@example.com' }, ['a']],
    ['--phone', '15550199', { phone: '1 555 0199' }, ['c']],
    ['--external-id', 'crm-1', { external_id: 'crm-1' }, ['b']],
    ['--external-id', 'crm-2', { external_id: 'crm-2' }, []],
  ])('lookup %s, with the value on stdin', async (option, input, body, ids) => {
    const answer = await command(['lookup', option, '-'], input);
    expect(answer).toBe(await http('/lookup', body));
    expect((JSON.parse(answer) as Page).contacts.map(({ id }) => id)).toEqual(ids);
    expect(await command(['lookup', option, input])).toBe(answer);
  });

  it('lookup --id, which may be repeated', async () => {
    const answer = await command(['lookup', '--id', 'c', '--id', 'nobody', '--id', 'a']);
    expect(answer).toBe(await http('/lookup', { ids: ['c', 'nobody', 'a'] }));
    expect((JSON.parse(answer) as Page).contacts.map(({ id }) => id)).toEqual(['c', 'a']);
  });

  it.each([
    [['find', 'BO', 'ex'], { query: 'bo ex' }, ['b']],
    [['find', '--created-after', '2024-06-01T12:00:00Z'], { created_after: '2024-06-01T12:00:00Z' }, ['c', 'b']],
    [['find', '--tag', 'vip', ' '], { tag: 'vip', query: ' ' }, ['a']],
  ])('%j', async (words, body, ids) => {
    const answer = await command(words);
    expect(answer).toBe(await http('/search', body));
    expect((JSON.parse(answer) as Page).contacts.map(({ id }) => id)).toEqual(ids);
  });

  it('update and restore, with what --include asks for', async () => {
    const updated = await command(['update', 'b', '--set', 'city=Lisbon', '--include', 'details']);
    expect(updated).toBe(await http('/b?include=details'));
    expect(updated).toContain('"city":"Lisbon"');
    await desk.json('delete', 'b');
    expect(await command(['restore', 'b'])).toBe(await http('/b'));
  });

  it('go on after a cursor of HTTP', async () => {
    const { next_cursor: next } = JSON.parse(await http('?cursor=*&per_page=1')) as Page;
    const { contacts } = await desk.json<Page>('list', '--after', next ?? '');
    expect(contacts.map(({ id }) => id)).toEqual(['b', 'a']);
  });
});

describe('roster contacts create and update', () => {
  it('write every kind of property, by the names of HTTP', async () => {
    await using desk = await aDesk();
    const made = await desk.json(
      'create',
      ...['first_name= Ana Lucía ', 'last_name=Ferreira', 'email=Ana@example.com', 'company_name=A = B'].flatMap(set),
      ...['website_url=example.com', 'tags=VIP, lead', 'external_id=crm-1', 'attributes.party=42'].flatMap(set),
    );
    expect(Object.keys(made)).toEqual(['id']);
    const all = ['--include', 'all'];
    expect(await desk.json('show', made.id, ...all)).toMatchObject({
      name: 'Ana Lucía Ferreira',
      email: 'Ana@example.com',
      company: 'A = B',
      website: 'example.com',
      first_name: 'Ana Lucía',
      external_id: 'crm-1',
      attributes: { party: '42' },
      tags: ['lead', 'vip'],
    });
    const flags = ['--set', 'company=Example Ltd', '--unset', 'website_url', '--unset', 'attributes.party'];
    const tags = ['--add-tag', 'New', '--add-tag', 'b', '--remove-tag', 'VIP'];
    const more = ['--set', 'attributes.since=2024', '--set', 'email='];
    expect(await desk.json('update', made.id, ...flags, ...tags, ...more, ...all)).toMatchObject({
      name: 'Ana Lucía Ferreira',
      email: null,
      company: 'Example Ltd',
      website: null,
      attributes: { since: '2024' },
      tags: ['b', 'lead', 'new'],
    });
    const cleared = await desk.json('update', made.id, '--unset', 'tags', '--unset', 'attributes', ...all);
    expect(cleared).toMatchObject({ tags: [], attributes: {} });
    await using store = await openCurrentStore(desk.at.databaseUrl);
    const events = await eventsOf(store, 'acme', { types: ['contact.created', 'contact.updated'] });
    expect(events.map(({ changed, actor }) => [changed, actor.id])).toEqual([
      [null, commandUser],
      [['email', 'website', 'company', 'attributes', 'tags'], commandUser],
      [['attributes', 'tags'], commandUser],
    ]);
  });

  it('read all properties as JSON from stdin, where no other user sees them', async () => {
    await using desk = await aDesk();
    const input = '{"email":" bo@example.com ","attributes":{"age":5,"member":true}}';
    const { id } = await desk.fed(input, 'create', '--properties', '-');
    const change = '{"city":"Lisbon","attributes":{"member":null},"tags":{"add":["a"]}}';
    expect(await desk.fed(change, 'update', id, '--properties', '-', '--include', 'all')).toMatchObject({
      email: 'bo@example.com',
      city: 'Lisbon',
      attributes: { age: 5 },
      tags: ['a'],
    });
  });

  const set = (property: string) => ['--set', property];
});

describe('roster contacts list', () => {
  it('gives as many as --limit says, beyond a page of HTTP, and the rest after its cursor', async () => {
    const ids = Array.from({ length: 230 }, (_, index) => `c${String(index).padStart(3, '0')}`);
    await using desk = await aDesk(...ids.map((id) => ({ id })));
    const idsOf = ({ contacts }: Page) => contacts.map(({ id }) => id);
    const first = await desk.json<Page>('list', '--limit', '205', '--sort', 'date_asc');
    expect(idsOf(first)).toEqual(ids.slice(0, 205));
    const rest = await desk.json<Page>('list', '--sort', 'date_asc', '--after', first.next_cursor ?? '');
    expect([idsOf(rest), rest.next_cursor]).toEqual([ids.slice(205), null]);
  });
});

describe('roster contacts delete, restore and purge', () => {
  it('delete nobody for good unasked: also where there is no bin', async () => {
    await using desk = await aDesk({ id: 'a' });
    const env = { ROSTER_BIN_DAYS: '0' };
    const refused = { code: 2, stdout: '', stderr: expect.stringMatching(/^roster: This deletes .*; add --yes/) };
    expect(await desk.run('purge', 'a')).toMatchObject(refused);
    expect(await desk.at.run(['contacts', 'delete', 'a', ...toDesk], { env })).toMatchObject(refused);
    expect(await desk.json('show', 'a')).toMatchObject({ id: 'a' });
    const purged = await desk.at.json(['contacts', 'delete', 'a', '--yes', ...toDesk], { env });
    expect(purged).toEqual({ id: 'a', outcome: 'purged' });
    await desk.json('create', '--set', 'name=Bo');
    const [bo] = (await desk.json<Page>('list')).contacts;
    await desk.json('delete', bo?.id ?? '');
    const unrestored = await desk.at.run(['contacts', 'restore', bo?.id ?? '', ...toDesk], { env });
    expect([unrestored.code, unrestored.stderr]).toEqual([
      1,
      expect.stringMatching(/^roster: With ROSTER_BIN_DAYS=0 nothing can be restored from the bin of the [^;]+\.\n$/),
    ]);
    await desk.json('purge', bo?.id ?? '', '--yes');
    expect((await desk.json<Page>('list', '--deleted')).contacts).toEqual([]);
  });

  it('restore nobody whose id another contact has meanwhile', async () => {
    await using desk = await aDesk({ id: 'a' });
    await desk.json('delete', 'a');
    const words = ['contacts', 'import', '-', '--format', 'ndjson', ...toDesk];
    await desk.at.run(words, { input: '{"id":"a","name":"Bo"}\n', env: { ROSTER_BIN_DAYS: '0' } });
    const { code, stderr } = await desk.run('restore', 'a');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^roster: Another contact of the chatbot has this id: a\.\n$/),
    ]);
  });

  it('name the contact that has the external id meanwhile', async () => {
    await using desk = await aDesk({ id: 'a', external_id: 'crm-1' });
    await desk.json('delete', 'a');
    const { id } = await desk.json('create', '--set', 'name=Bo', '--set', 'external_id=crm-1');
    for (const words of [
      ['restore', 'a'],
      ['create', '--set', 'name=Cy', '--set', 'external_id=crm-1'],
    ]) {
      const { code, stderr } = await desk.run(words[0] ?? '', ...words.slice(1));
      expect([code, stderr]).toEqual([1, expect.stringContaining(`has this external_id: ${id}; `)]);
    }
  });
});
