import { describe, expect, it } from 'vitest';

import { storeOn } from '../../src/database/open-store.ts';
import { appOfFile, openApp } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { aDesk, type Method } from '../support/full-desk.ts';
import { aContact, storeContacts } from '../support/people.ts';

const server = appOfFile();

const half = 'a\ud800';
const long = (length: number) => 'x'.repeat(length);
const some = (properties: object) => ({ properties: { name: 'A', ...properties } });
const many = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`);
const [settings, chatbots, members] = ['/v2/project/settings', '/v2/chatbots', '/v2/members'];
const grace = { email: 'grace@example.com', roles: ['Viewer'] };
const [disclose, erase] = ['/v2/contacts/disclose', '/v2/contacts/erase'];

describe('what breaks a rule', () => {
  it.each<[method: Method, url: string, payload: object | string, ...errors: string[]]>([
    ['POST', '', {}, 'properties required'],
    ['POST', '', { properties: {} }, 'properties required'],
    ['POST', '', { properties: { first_name: ' ', email: null } }, 'properties required'],
    ['POST', '', { properties: { tags: ['a'], external_id: 'x', attributes: { a: 1 } } }, 'properties required'],
    ['POST', '', { properties: { email: 'nobody' } }, 'properties.email format'],
    ['POST', '', { properties: { website_url: 'not a site' } }, 'properties.website_url format'],
    ['POST', '', { properties: { first_name: 7 } }, 'properties.first_name type'],
    ['POST', '', { properties: { nickname: 'A' } }, 'properties.nickname unknown'],
    ['POST', '', { ...some({}), id: 'x' }, 'id unknown'],
    ['POST', '', { properties: { city: long(256) } }, 'properties.city too_long'],
    ['POST', '', { properties: { address: long(1_001) } }, 'properties.address too_long'],
    ['POST', '', { properties: { postal_code: long(65) } }, 'properties.postal_code too_long'],
    ['POST', '', { properties: { company: 'A', company_name: 'A' } }, 'properties.company not_allowed'],
    ['POST', '', { properties: { website: 'a.example', website_url: 'a.example' } }, 'properties.website not_allowed'],
    ['POST', '', some({ first_name: 'A' }), 'properties.name not_allowed'],
    ['POST', '', some({ attributes: { list: [1] } }), 'properties.attributes.list type'],
    ['POST', '', some({ attributes: { a: long(1_001) } }), 'properties.attributes.a too_long'],
    ['POST', '', '{"properties":{"attributes":{"big":1e400}}}', 'properties.attributes.big too_large'],
    ['POST', '', '{"properties":{"attributes":{"big":-1e999}}}', 'properties.attributes.big too_large'],
    ['POST', '', some({ tags: ['a;b'] }), 'properties.tags[0] format'],
    ['POST', '', some({ tags: [long(41)] }), 'properties.tags[0] too_long'],
    ['POST', '', some({ external_id: long(256) }), 'properties.external_id too_long'],
    ['POST', '', { properties: { name: half } }, 'properties.name format'],
    ['POST', '', { properties: { first_name: half } }, 'properties.first_name format'],
    [
      'POST',
      '',
      some({ email: `${half}@b.example`, phone: half, company_name: half, website_url: `b.example/${half}` }),
      ...['email', 'phone', 'company_name', 'website_url'].map((field) => `properties.${field} format`),
    ],
    [
      'POST',
      '',
      some({ address: half, external_id: half }),
      'properties.address format',
      'properties.external_id format',
    ],
    // What could be in no chatbot is refused before the chatbot is looked for.
    ['POST', '/v2/chatbots/0000000000/contacts', {}, 'properties required'],
    ['POST', '/upsert', some({}), 'match required'],
    ['POST', '/upsert', { match: {} }, 'match required'],
    ['POST', '/upsert', { match: { id: 'a', email: 'a@example.com' } }, 'match too_many'],
    ['POST', '/upsert', { match: { phone: '1' } }, 'match.phone unknown'],
    ['POST', '/upsert', { match: { external_id: 'a' } }, 'properties required'],
    ['POST', '/upsert', { match: { id: half } }, 'match.id format'],
    ['POST', '/upsert', { match: { email: `${half}@example.com` } }, 'match.email format'],
    ['POST', '/upsert', { match: { external_id: half } }, 'match.external_id format'],
    [
      'POST',
      '/upsert',
      { match: { email: 'a@example.com' }, properties: { email: 'b@example.com' } },
      'properties.email not_allowed',
    ],
    ['POST', '/lookup', {}, 'email required'],
    ['POST', '/lookup', { email: 'a@example.com', phone: '1' }, 'phone not_allowed'],
    ['POST', '/lookup', { external_id: 'a', ids: ['1'] }, 'ids not_allowed'],
    ['POST', '/lookup', { email: half }, 'email format'],
    ['POST', '/lookup', { phone: half }, 'phone format'],
    ['POST', '/lookup', { external_id: half }, 'external_id format'],
    ['POST', '/bulk', { items: [] }, 'items required'],
    ['POST', '/bulk', { items: [{ op: 'merge' }] }, 'items[0].op not_allowed'],
    ['POST', '/bulk', { items: [{ op: 'create', ...some({}) }, { op: 'update' }] }, 'items[1].id required'],
    ['POST', '/bulk', { items: [{ op: 'upsert', properties: {} }] }, 'items[0].match required'],
    ['POST', '/bulk', { items: [{ op: 'delete', id: 'a', force: true }] }, 'items[0].force unknown'],
    ['POST', '/bulk', { items: [{ op: 'delete', match: { id: half } }] }, 'items[0].match.id format'],
    [
      'POST',
      '/bulk',
      { items: Array.from({ length: 1_001 }, () => ({ op: 'create', ...some({}) })) },
      'items too_many',
    ],
    ['POST', '/duplicates', { band: 'maybe' }, 'band not_allowed'],
    ['POST', '/duplicates', { limit: 0 }, 'limit too_small'],
    ['POST', '/duplicates', { limit: 101 }, 'limit too_large'],
    ['POST', '/duplicates', { cursor: 'abc' }, 'cursor format'],
    ['POST', '/duplicates', { page: 1 }, 'page unknown'],
    ['POST', '/duplicates/dismiss', { contact_ids: ['a'] }, 'contact_ids required'],
    ['POST', '/duplicates/dismiss', { contact_ids: ['a', 'a'] }, 'contact_ids not_allowed'],
    ['POST', '/duplicates/dismiss', { contact_ids: many(21) }, 'contact_ids too_many'],
    ['POST', disclose, {}, 'email required'],
    ['POST', disclose, { email: 'a@example.com', contacts: [{ chatbot_id: 'x', id: 'y' }] }, 'contacts not_allowed'],
    ['POST', erase, { contacts: [] }, 'contacts required'],
    ['POST', erase, { contacts: many(101).map((id) => ({ chatbot_id: 'x', id })) }, 'contacts too_many'],
    ['DELETE', '/x?purge=yes', '', 'purge type'],
    ['POST', chatbots, { name: half }, 'name format'],
    ['PATCH', settings, { name: half }, 'name format'],
    ['POST', chatbots, { name: 'x', template_id: 't' }, 'template_id unknown'],
    ['POST', chatbots, { name: 'x', id: '1' }, 'id unknown'],
    ['PATCH', settings, {}, 'name required'],
    ['PATCH', settings, { name: long(256) }, 'name too_long'],
    ['PATCH', settings, { name: 'x', seats: 3 }, 'seats unknown'],
    ['PATCH', settings, { name: 'rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17' }, 'name not_allowed'],
    ['POST', members, { ...grace, roles: ['Owner'] }, 'roles[0] not_allowed'],
    ['POST', members, { ...grace, roles: [] }, 'roles required'],
    ['POST', members, { ...grace, roles: ['Admin', 'Admin'] }, 'roles not_allowed'],
    ['POST', members, { ...grace, email: 'nobody' }, 'email format'],
    ['POST', members, { ...grace, expires_in: '59m' }, 'expires_in too_small'],
    ['POST', members, { ...grace, expires_in: '31d' }, 'expires_in too_large'],
    ['POST', members, { ...grace, expires_in: 'soon' }, 'expires_in format'],
    ['POST', members, { ...grace, status: 'Active' }, 'status unknown'],
    ['POST', '/search', { query: 7 }, 'query type'],
    ['POST', '/search', { query: Array.from({ length: 11 }, (_, i) => `a${i}`).join(' ') }, 'query too_many'],
    ['POST', '/search', { query: 'a '.repeat(11) }, 'query too_many'],
    ['POST', '/search', { query: 'x'.repeat(65) }, 'query too_long'],
    ['POST', '/search', { limit: 0 }, 'limit too_small'],
    ['POST', '/search', { limit: 101 }, 'limit too_large'],
    ['POST', '/search', { limit: '5' }, 'limit type'],
    ['POST', '/search', { sort: 'name' }, 'sort not_allowed'],
    ['POST', '/search', { tag: 'a,b' }, 'tag format'],
    ['POST', '/search', { tag: 'x'.repeat(41) }, 'tag too_long'],
    ['POST', '/search', { created_after: 'yesterday' }, 'created_after format'],
    ['POST', '/search', { page: 1 }, 'page unknown'],
    ['POST', '/search', { cursor: 'nonsense' }, 'cursor format'],
    ['GET', '/v2/events?limit=0', '', 'limit too_small'],
    ['GET', '/v2/events?limit=501', '', 'limit too_large'],
    ['GET', '/v2/events?limit=1e2', '', 'limit type'],
    ['GET', '/v2/events?wait=21', '', 'wait too_large'],
    ['GET', '/v2/events?wait=-1', '', 'wait type'],
    ['GET', '/v2/events?wait=soon', '', 'wait type'],
    ['GET', '/v2/events?type=', '', 'type not_allowed'],
    ['GET', '/v2/events?type=contact.created&type[]=contact.lost', '', 'type not_allowed'],
    ['GET', '/v2/events?type=contact.lost', '', 'type not_allowed'],
    ['GET', '/v2/events?type=contact.created,', '', 'type not_allowed'],
    ['GET', '/v2/events?type=*', '', 'type not_allowed'],
    ['GET', '/v2/events?type=contact.', '', 'type not_allowed'],
    ['GET', '/v2/events?type=contact*', '', 'type not_allowed'],
    ['GET', '/v2/events?chatbot_id=', '', 'chatbot_id too_short'],
    ['GET', '/v2/events?after=', '', 'after too_short'],
    ['GET', '/v2/events?after=rubbish', '', 'after format'],
    ['GET', '/v2/events?after=e1.1', '', 'after format'],
    ['GET', '/v2/events?after=*&after=*', '', 'after too_many'],
    ['GET', '/v2/events?order=newest', '', 'order not_allowed'],
    ['GET', '/v2/events?order=desc&wait=1', '', 'wait not_allowed'],
    ['GET', '/v2/events?actor_type=robot', '', 'actor_type not_allowed'],
    ['GET', '/v2/events?actor_id=', '', 'actor_id too_short'],
    ['GET', '/v2/events?contact_id=', '', 'contact_id too_short'],
    ['GET', '/v2/events?member_id=', '', 'member_id too_short'],
    ['GET', '/v2/events?occurred_after=yesterday', '', 'occurred_after format'],
    ['GET', '/v2/events?occurred_before=2026-02-30', '', 'occurred_before format'],
  ])('is told with the field and why, and changes nothing: %s %s %j', async (method, url, payload, ...errors) => {
    const desk = await aDesk(server);
    const before = await desk.events();
    const answer = await desk.ask(method, url, payload === '' ? undefined : payload);
    expect([answer.status, answer.json.code, answer.errors]).toEqual([422, 'validation_failed', errors]);
    expect(await desk.events()).toEqual(before);
  });

  it.each([
    ['attributes.note', { attributes: { note: half } }],
    ['tags[0]', { tags: [half] }],
    ['tags.add[0]', { tags: { add: [half] } }],
  ])('is refused in %s by every write of a contact, and fails its item of a bulk alone', async (field, properties) => {
    const { ask, create } = await aDesk(server);
    const id = await create({ phone: '1' });
    const errors = [`properties.${field} format`];
    expect((await ask('POST', '', { properties })).errors).toEqual(errors);
    expect((await ask('PATCH', `/${id}`, { properties })).errors).toEqual(errors);
    expect((await ask('POST', '/upsert', { match: { id }, properties })).errors).toEqual(errors);
    const items = [properties, { name: 'A \u{1f600}' }].map((one) => ({ op: 'create', properties: one }));
    const { data } = await ask('POST', '/bulk', { items });
    const failed = { outcome: 'failed', errors: [{ field: `properties.${field}`, code: 'format' }] };
    expect(data['results']).toMatchObject([failed, { outcome: 'created' }]);
  });

  it('is an attribute with a forbidden name, reported with its path and the rule', async () => {
    const { ask } = await aDesk(server);
    const message = 'must begin with a letter a to z and go on with at most 39 letters a to z, digits or _';
    for (const name of ['A', '_a', 'a-b', 'x'.repeat(41), 'y'.repeat(300)]) {
      const { status, json } = await ask('POST', '', some({ attributes: { [name]: 1 } }));
      const field = `properties.attributes.${name}`.slice(0, 255);
      expect([status, json.errors]).toEqual([422, [{ field, code: 'format', message }]]);
    }
  });

  it.each<[method: Method, url: string, of: (text: string | null) => object, field: string, message?: string]>([
    ['PATCH', settings, (name) => ({ name }), 'name'],
    ['POST', chatbots, (name) => ({ name }), 'name'],
    ['POST', '/lookup', (email) => ({ email }), 'email', 'is required, or phone, external_id or ids'],
    ['POST', '/upsert', (email) => ({ match: { email } }), 'match.email'],
    ['POST', '', (text) => some({ tags: ['a', text] }), 'properties.tags[1]'],
  ])('is an empty text or null where one is required: %s %s', async (method, url, of, field, message) => {
    const { ask } = await aDesk(server);
    for (const text of ['', '  ', null]) {
      const { json } = await ask(method, url, of(text));
      expect(json.errors).toEqual([{ field, code: 'required', message: message ?? 'must not be empty' }]);
    }
  });
});

describe('a number in place of a text', () => {
  it('is taken as its decimal text for phone and postal_code, on every way in, and for nothing else', async () => {
    const { ask, create } = await aDesk(server);
    const properties = { phone: 15_550_100, postal_code: 1e4 };
    const known = { phone: '15550100', postal_code: '10000' };
    const id = await create({ name: 'Ana', ...properties });
    const whole = `/${id}?include=details`;
    expect((await ask('GET', whole)).data).toMatchObject(known);
    const { data } = await ask('PATCH', whole, { properties: { phone: 7, postal_code: -1.5 } });
    expect(data).toMatchObject({ phone: '7', postal_code: '-1.5' });
    const upserted = await ask('POST', '/upsert?include=details', { match: { id }, properties });
    expect(upserted.data).toMatchObject({ contact: known });
    await ask('POST', '/bulk', { items: [{ op: 'update', id, properties: { phone: 8 } }] });
    expect((await ask('GET', `/${id}`)).data).toMatchObject({ phone: '8' });
    for (const wrong of [{ phone: 12_345_678_901_234_567_000 }, { phone: 1e-9 }, { postal_code: 1e300 }, { city: 5 }]) {
      const { status, json } = await ask('PATCH', `/${id}`, { properties: wrong });
      expect([status, json.errors?.[0]?.field]).toEqual([422, `properties.${Object.keys(wrong).join()}`]);
    }
  });
});

it('a purge with If-Match finds the contact in the bin by the tag that it had, or by *', async () => {
  const { ask, create } = await aDesk(server);
  const [id, other] = [await create({ name: 'Ana', tags: ['a'] }), await create({ name: 'Bo' })];
  const { etag } = await ask('GET', `/${id}?include=tags`);
  const remove = async (path: string, tag: string) =>
    (await ask('DELETE', path, undefined, { 'if-match': tag })).status;
  for (const one of [id, other]) await ask('DELETE', `/${one}`);
  expect(await remove(`/${id}?purge=true`, '"other"')).toBe(412);
  expect(await remove(`/${id}?purge=true`, etag)).toBe(200);
  expect(await remove(`/${id}?purge=true`, '*')).toBe(404);
  expect(await remove(`/${other}`, '*')).toBe(404);
  expect(await remove(`/${other}?purge=true`, '*')).toBe(200);
});

it('a restore of an id that another contact has meanwhile is 409 and names it', async () => {
  await using opened = await openStoreOfRun();
  await using withBin = await openApp({}, storeOn(opened.database, { binDays: 30 }));
  const { ask, projectId, chatbotId } = await aDesk(withBin);
  const withoutBin = storeOn(opened.database, { binDays: 0 });
  const store = () => storeContacts(withoutBin, projectId, chatbotId, [aContact({ id: 'X2' })]);
  await store();
  await ask('DELETE', '/X2');
  await store();
  const { status, json } = await ask('POST', '/X2/restore');
  expect([status, json.code, json['existing']]).toEqual([409, 'conflict', ['X2']]);
});

it('every walk refuses a cursor whose place no row can have', async () => {
  const { ask, contacts, create } = await aDesk(server);
  for (const name of ['A', 'B', 'C']) {
    await ask('DELETE', `/${await create({ name })}`);
    await create({ name });
    await ask('POST', chatbots, { name });
  }
  for (const walk of [`${contacts}?`, `${contacts}?sort=date_asc&`, `${contacts}?state=deleted&`, `${chatbots}?`]) {
    const url = `${walk}per_page=1&cursor=`;
    const cursor = String((await ask('GET', `${url}*`)).data['next_cursor']);
    const [mark, time, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
    const statusOf = async (...parts: (string | undefined)[]) => {
      const forged = Buffer.from(JSON.stringify(parts)).toString('base64url');
      return (await ask('GET', `${url}${forged}`)).status;
    };
    expect(await statusOf(mark, time, id)).toBe(200);
    expect(await statusOf(mark, '2024-06-08T13:38:33+00:00', id)).toBe(200);
    for (const bad of ['\0', '', '\ud800', 'a', `${time} `, `${time}\n`]) {
      expect(await statusOf(mark, bad, id), JSON.stringify(bad)).toBe(422);
    }
    for (const bad of ['\0', '', '\ud800', long(65)]) expect(await statusOf(mark, time, bad)).toBe(422);
  }
});
