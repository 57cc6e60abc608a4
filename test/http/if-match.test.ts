import type { IncomingMessage, ServerResponse } from 'node:http';

import inject from 'light-my-request';
import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import { appOfFile } from '../support/app.ts';
import { aDesk, type Method } from '../support/full-desk.ts';
import { aContact, storeContacts } from '../support/people.ts';
import { seededRandom } from '../support/random.ts';

const server = appOfFile();

async function openDesk() {
  const desk = await aDesk(server);
  return {
    ...desk,
    /** Without a look at the document, which takes longer than the answer. */
    quick: async (...asked: Parameters<typeof desk.optionsOf>) => {
      const take = (request: IncomingMessage, response: ServerResponse) =>
        void server.app.server.emit('request', request, response);
      const { statusCode, headers } = await inject(take, desk.optionsOf(...asked));
      return { status: statusCode, etag: String(headers['etag']) };
    },
    /** The status of a write that expects this tag. */
    guarded: async (tag: string, method: Method, url: string, payload?: object) =>
      (await desk.ask(method, url, payload, { 'if-match': tag })).status,
  };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

describe('If-Match on a contact', () => {
  it('takes the tag of any answer about it, whatever its include', async () => {
    const desk = await openDesk();
    const created = await desk.ask('POST', '', { properties: { email: 'ana@example.com' } });
    const path = `/${String(created.data['id'])}`;
    const properties = { company: 'Example Ltd' };
    const answers = [
      created,
      await desk.ask('GET', `${path}?include=tags`),
      await desk.ask('PATCH', path, { properties: {} }),
      await desk.ask('POST', `/upsert`, { match: { email: 'ana@example.com' } }),
      await desk.ask('GET', path),
    ];
    const revisions = new Set(answers.map(({ etag }) => etag.split('.')[0]));
    expect([revisions.size, new Set(answers.map(({ etag }) => etag)).size]).toEqual([1, 4]);
    for (const { etag } of answers) {
      for (const query of ['', '?include=attributes']) {
        expect(await desk.guarded(etag, 'PATCH', `${path}${query}`, { properties: {} })).toBe(200);
      }
    }
    const [changed] = [await desk.ask('PATCH', path, { properties }, { 'if-match': answers[1]?.etag ?? '' })];
    for (const { etag } of answers) expect(await desk.guarded(etag, 'DELETE', path)).toBe(412);
    expect(await desk.guarded(changed.etag, 'DELETE', `${path}?include=tags`)).toBe(200);
  });

  const ofAna = { match: { email: 'ana@example.com' } };

  it.each<[says: string, ...requests: [method: Method, url: string, payload?: object][]]>([
    ['its tags', ['PATCH', '/ana', { properties: { tags: ['vip'] } }]],
    ['an attribute', ['PATCH', '/ana', { properties: { attributes: { plan: 'pro' } } }]],
    ['a bulk request', ['POST', '/bulk', { items: [{ op: 'upsert', ...ofAna, properties: { city: 'Rome' } }] }]],
    ['an upsert', ['POST', '/upsert', { ...ofAna, properties: { country: 'Italy' } }]],
    ['deletion and restoration', ['DELETE', '/ana'], ['POST', '/ana/restore']],
    [
      'a change and its undoing',
      ['PATCH', '/ana', { properties: { city: 'Oslo' } }],
      ['PATCH', '/ana', { properties: { city: null } }],
    ],
    ['an import'],
  ])('is 412 after %s, though the caller saw nothing of that', async (_says, ...requests) => {
    const { ask, guarded, store, projectId, chatbotId } = await openDesk();
    const keep = (given: object) => storeContacts(store, projectId, chatbotId, [aContact({ id: 'ana', ...given })]);
    await keep({});
    const { etag } = await ask('GET', '/ana');
    for (const one of requests) await ask(...one);
    if (requests.length === 0) await keep({ state: 'WA' });
    expect(await guarded(etag, 'PATCH', '/ana', { properties: { city: 'Bergen' } })).toBe(412);
    expect(await guarded((await ask('GET', '/ana')).etag, 'DELETE', '/ana')).toBe(200);
  });

  it('takes W/ and a missing pair of quotes, lists and *, and refuses a tag without a revision', async () => {
    const desk = await openDesk();
    const path = `/${await desk.create({ name: 'Ana' })}`;
    const { etag } = await desk.ask('GET', path);
    const bare = etag.replaceAll('"', '');
    const [revision, digest] = bare.split('.');
    const patch = (tag: string) => desk.guarded(tag, 'PATCH', path, { properties: {} });
    // Compressing proxies add a suffix to the digest.
    const right = [etag, `W/${etag}`, bare, `W/${bare}`, `"x", ${etag}`, `"${bare}-gzip"`, ' * '];
    for (const tag of right) expect([tag, await patch(tag)]).toEqual([tag, 200]);
    const wrong = [`"${digest}"`, digest, `"${revision}"`, '"0.x"', `"x,${bare}"`, '"', ',', '"*"', `"1${bare}"`];
    for (const tag of wrong) expect([tag, await patch(tag ?? '')]).toEqual([tag, 412]);
  });

  it('guards an upsert, which is 412 too where nobody is there', async () => {
    const desk = await openDesk();
    const path = `/${await desk.create({ email: 'ana@example.com' })}`;
    const { etag } = await desk.ask('GET', path);
    const upsert = (tag: string, match: object, properties = {}) =>
      desk.guarded(tag, 'POST', `/upsert`, { match, properties });
    expect(await upsert('"nope"', { email: 'ana@example.com' })).toBe(412);
    expect(await upsert(etag, { email: 'Ana@example.com' }, { city: 'Rome' })).toBe(200);
    expect(await upsert(etag, { email: 'ana@example.com' }, { city: 'Oslo' })).toBe(412);
    for (const match of [{ email: 'bo@example.com' }, { external_id: 'b' }, { id: 'b' }]) {
      for (const tag of ['*', etag]) expect(await upsert(tag, match)).toBe(412);
    }
    expect((await desk.ask('GET', path)).data).toMatchObject({ email: 'ana@example.com' });
    const nowhere = `${desk.contacts.replace(desk.chatbotId, '0000000000')}/upsert`;
    expect(await desk.guarded('*', 'POST', nowhere, { match: { email: 'a@example.com' } })).toBe(404);
  });

  it('guards a restoration by the tag of before the deletion, and not a second time', async () => {
    const desk = await openDesk();
    const path = `/${await desk.create({ name: 'Ana' })}`;
    const { etag } = await desk.ask('GET', path);
    expect(await desk.guarded(etag, 'POST', `${path}/restore`)).toBe(404);
    await desk.ask('DELETE', path);
    expect(await desk.guarded('"1.x"', 'POST', `${path}/restore`)).toBe(412);
    expect(await desk.guarded(etag, 'POST', `${path}/restore`)).toBe(200);
    expect(await desk.guarded(etag, 'DELETE', path)).toBe(412);
  });

  it('is not satisfied by a namesake that takes the id of somebody deleted for good', async () => {
    const desk = await openDesk();
    const { store, projectId, chatbotId } = desk;
    const path = `/own-1`;
    const again = () => storeContacts(store, projectId, chatbotId, [aContact({ id: 'own-1' })]);
    await again();
    const { etag } = await desk.ask('GET', path);
    await desk.ask('DELETE', `${path}?purge=true`);
    await again();
    expect(await desk.guarded(etag, 'DELETE', path)).toBe(412);
  });
});

describe('If-Match on the others', () => {
  it('sees every change of a member, also by a new link and a transfer', async () => {
    const desk = await openDesk();
    const invited = await desk.ask('POST', '/v2/members', { email: 'eve@example.com', roles: ['Viewer'] });
    const path = `/v2/members/${String(invited.data['id'])}`;
    expect((await desk.ask('GET', path)).etag.split('.')[0]).toBe(invited.etag.split('.')[0]);
    expect(await desk.guarded('"1.x"', 'POST', `${path}/invitation`)).toBe(412);
    const linked = await desk.ask('POST', `${path}/invitation`, undefined, { 'if-match': invited.etag });
    expect(linked.status).toBe(200);
    expect(await desk.guarded(invited.etag, 'PATCH', path, { roles: ['Agent'] })).toBe(412);
    expect(await desk.guarded(linked.etag, 'DELETE', path)).toBe(200);
  });

  it('is not moved for a chatbot or a project by their contacts, and is by a limit that no answer shows', async () => {
    const desk = await openDesk();
    const [chatbot, project] = [`/v2/chatbots/${desk.chatbotId}`, '/v2/project/settings'];
    const before = [(await desk.ask('GET', chatbot)).etag, (await desk.ask('GET', project)).etag];
    await desk.create({ name: 'Ana' });
    expect([(await desk.ask('GET', chatbot)).etag, (await desk.ask('GET', project)).etag]).toEqual(before);
    const [ofChatbot = '', ofProject = ''] = before;
    const renamed = await desk.ask('PATCH', chatbot, { name: 'Front' }, { 'if-match': ofChatbot });
    expect(await desk.guarded(ofChatbot, 'PATCH', chatbot, { name: 'Back' })).toBe(412);
    expect(await desk.guarded(renamed.etag, 'PATCH', chatbot, { name: 'Back' })).toBe(200);
    for (const tag of ['*', ofChatbot]) {
      expect(await desk.guarded(tag, 'PATCH', '/v2/chatbots/0000000000', { name: 'x' })).toBe(404);
    }
    await run(limitProject, desk.store, operator(desk.projectId), { seats_max: 9 });
    expect(await desk.guarded(ofProject, 'PATCH', project, { name: 'Other' })).toBe(412);
    expect((await desk.ask('POST', '/v2/chatbots', { name: 'New' })).etag).toMatch(/^"\d{13}\.[\w-]{27}"$/);
  });
});

describe('guarded writes', () => {
  it('lose no update in 300 random interleavings', async () => {
    const desk = await openDesk();
    const lanes = Array.from({ length: 10 }, (_, lane) => interleave(desk, lane, 30));
    expect((await Promise.all(lanes)).flat()).toEqual([]);
  });
});

const includes = ['', '?include=tags', '?include=details,attributes', '?include=updated_at,external_id'];

/**
 * Two callers who hold tags of one contact write at once, among changes that neither has seen: one who has seen the last
 * change is let through, and nobody else. Returns the rounds where it was otherwise.
 */
async function interleave(desk: Desk, seed: number, rounds: number): Promise<object[]> {
  const { below, pick } = seededRandom(seed);
  const id = await desk.create({ external_id: `x${seed}`, name: 'Ana' });
  const path = `/${id}`;
  let value = 0;
  const change = () => pick([{ city: `${++value}` }, { tags: [`t${++value}`] }, { attributes: { n: ++value } }]);
  const upsert = { match: { external_id: `x${seed}` } };
  const readings = [
    () => desk.quick('GET', `${path}${pick(includes)}`),
    () => desk.quick('PATCH', `${path}${pick(includes)}`, { properties: { name: 'Ana' } }),
    () => desk.quick('POST', `/upsert${pick(includes)}`, upsert),
  ];
  const guarded = (tag: string) => {
    const [properties, headers] = [change(), { 'if-match': pick([tag, `W/${tag}`, tag.replaceAll('"', '')]) }];
    return pick([
      () => desk.quick('PATCH', `${path}${pick(includes)}`, { properties }, headers),
      () => desk.quick('POST', `/upsert${pick(includes)}`, { ...upsert, properties }, headers),
    ])();
  };
  const unseen = [
    () => desk.quick('PATCH', path, { properties: change() }),
    () => desk.quick('POST', `/bulk`, { items: [{ op: 'update', id, properties: change() }] }),
    () => desk.quick('DELETE', path).then(() => desk.quick('POST', `${path}/restore`)),
  ];
  const wrong: object[] = [];
  let [stale, current] = ['"1.x"', (await pick(readings)()).etag];
  for (let round = 0; round < rounds; round++) {
    const isUnseen = below(4) === 0;
    if (isUnseen) {
      await pick(unseen)();
      [stale, current] = [current, (await pick(readings)()).etag];
    }
    const isRace = !isUnseen && below(2) === 0;
    const answers = await Promise.all([guarded(isRace ? current : stale), guarded(current)]);
    const told = answers.map(({ status }) => status);
    const isRight = told.join() === '412,200' || (isRace && told.join() === '200,412');
    if (!isRight) wrong.push({ seed, round, isUnseen, isRace, told });
    [stale, current] = [current, answers.find(({ status }) => status === 200)?.etag ?? ''];
  }
  return wrong;
}
