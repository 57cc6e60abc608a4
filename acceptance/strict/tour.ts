import { type Ask, type Asks, asksOf, everything } from './asks.ts';
import { putTogetherAndErase } from './one-directory.ts';
import { aroundWebhooks } from './webhooks.ts';

const whole = {
  first_name: 'Zoë',
  last_name: 'Ångström',
  email: 'zoë@example.com',
  phone: '+1 555 0100',
  job_title: 'Nurse',
  company_name: 'Example Ltd',
  website_url: 'example.com',
  industry: 'Health',
  address: '1 Main Street',
  city: 'Lisbon',
  state: 'Lisboa',
  postal_code: '1000-001',
  country: 'Portugal',
  external_id: 'crm-1',
  attributes: { plan: 'gold', seats: 7, is_vip: true },
  tags: ['vip', 'new'],
};

/** Every operation with each of its successes, and refusals of all kinds. */
export async function tour(ask: Ask, contacts: string): Promise<void> {
  const asks = asksOf(ask);
  await aroundTheProject(asks);
  await aroundTheMembers(asks);
  const one = await createAndRead(asks, contacts);
  await upsertAndBulk(asks, contacts);
  await putTogetherAndErase(asks, contacts);
  await deleteAndFollow(asks, contacts, one);
  await aroundWebhooks(asks);
}

async function aroundTheProject({ get, post, patch }: Asks): Promise<void> {
  for (const path of ['/livez', '/readyz', '/v2/key', '/v2/project/settings', '/v2/usage/user-seats']) await get(path);
  for (const path of ['/v2/usage/contacts', '/v2/chatbots?include=contact_count']) await get(path);
  for (const path of [
    '/v2/usage/chatbots',
    '/v2/usage/contacts',
    '/v2/members',
    '/v2/members?per_page=1&page=2',
    '/v2/chatbots',
  ])
    await get(path);
  await patch('/v2/project/settings', { name: 'Other' }, 200);
  await patch('/v2/project/settings', { name: 'Acme' }, 412, '"other"');
  await patch('/v2/project/settings', {}, 422);
  await get('/v2/chatbots?cursor=*&per_page=1');
  await get('/v2/chatbot-templates');
  await get('/v2/members?page=0', 422);
  const bot = await post('/v2/chatbots', { name: 'Desk' }, 201, 'bot');
  await post('/v2/chatbots', { name: 'Desk' }, 201, 'bot');
  await post('/v2/chatbots', { name: 'Another' }, 422, 'bot');
  await post('/v2/chatbots', { template_id: 'x' }, 422);
  await get(`/v2/chatbots/${bot.data.id}`);
  await patch(`/v2/chatbots/${bot.data.id}`, { visibility: 'public' }, 200);
  await get('/v2/chatbots/none', 404);
}

async function aroundTheMembers({ ask, get, post, patch }: Asks): Promise<void> {
  const invited = { email: 'zoë@example.com', roles: ['Editor', 'Billing'], expires_in: '2h' };
  const { data: member } = await post('/v2/members', invited, 201, 'invited');
  await post('/v2/members', invited, 201, 'invited');
  await post('/v2/members', invited, 409);
  await post('/v2/members', { email: 'x', roles: ['Owner'] }, 422);
  const path = `/v2/members/${member.id}`;
  await get(path);
  await get('/v2/members/none', 404);
  await get('/v2/members?include=joined_at,id,invited_at');
  await post(`${path}/invitation`, {}, 200, 'again');
  await post(`${path}/invitation`, {}, 200, 'again');
  const { data } = await post(`${path}/invitation`, { expires_in: '1d' }, 200);
  const { url } = data['invitation'] as unknown as { url: string };
  const token = url.split('#')[1];
  await post('/v2/invitations/accept', { token }, 200);
  await post('/v2/invitations/accept', { token }, 404);
  await post('/v2/invitations/accept', {}, 422);
  await post(`${path}/invitation`, {}, 409);
  await patch(path, { roles: ['Viewer'] }, 200);
  await patch(path, { roles: ['Admin'] }, 412, '"other"');
  await ask({ method: 'DELETE', path }, 200);
  await ask({ method: 'DELETE', path }, 404);
}

async function createAndRead({ ask, get, post, patch }: Asks, contacts: string): Promise<string> {
  const made = await post(contacts, { properties: whole }, 201, 'made');
  await post(contacts, { properties: whole }, 201, 'made');
  const bare = await post(contacts, { properties: { email: 'zoë@example.com' } }, 201);
  await post(contacts, { properties: { name: 'A', external_id: 'crm-1' } }, 409);
  await post(contacts, { properties: { nickname: 'A', email: 'x' } }, 422);
  await post('/v2/chatbots/none/contacts', { properties: { name: 'A' } }, 404);
  await ask({ method: 'POST', path: contacts, body: '[]' }, 400);
  const one = `${contacts}/${made.data.id}`;
  for (const query of ['', `?${everything}`, '?include=tags']) await get(`${one}${query}`);
  await get(`${contacts}/${bare.data.id}?${everything}`);
  await get(`${one}?include=secrets`, 422);
  for (const query of ['', '?page=2&per_page=1', '?sort=date_asc', `?cursor=*&per_page=1&${everything}`])
    await get(`${contacts}${query}`);
  await get(`${contacts}?cursor=abc`, 422);
  await patch(one, { properties: { city: null, tags: { add: ['late'] }, attributes: { plan: null } } }, 200);
  await patch(`${one}?${everything}`, { properties: { name: 'Other' } }, 200);
  await patch(one, { properties: { name: 'X' } }, 412, '"other"');
  await patch(`${contacts}/none`, { properties: { name: 'X' } }, 404);
  return one;
}

async function upsertAndBulk({ post }: Asks, contacts: string): Promise<void> {
  const upsert = `${contacts}/upsert`;
  await post(`${upsert}?${everything}`, { match: { email: 'new@example.com' } }, 201, 'upsert');
  await post(`${upsert}?${everything}`, { match: { email: 'new@example.com' } }, 201, 'upsert');
  await post(upsert, { match: { email: 'new@example.com' }, properties: { city: 'Porto' } }, 200);
  await post(upsert, { match: { email: 'new@example.com' } }, 200);
  await post(upsert, { match: { email: 'zoë@example.com' } }, 409);
  await post(upsert, { match: { id: 'none' } }, 404);
  for (const by of [{ email: 'zoë@example.com' }, { phone: '15550100' }, { external_id: 'none' }])
    await post(`${contacts}/lookup?${everything}`, by, 200);
  await post(`${contacts}/lookup`, {}, 422);
  await searchForSome(post, contacts);
  const items = [
    { op: 'create', properties: { name: 'Bo' } },
    { op: 'create', properties: { nickname: 'Bo' } },
    { op: 'update', id: 'none', properties: { name: 'Cy' } },
    { op: 'upsert', match: { external_id: 'crm-1' }, properties: { city: 'Porto' } },
    { op: 'delete', match: { email: 'new@example.com' } },
    { op: 'upsert', match: { email: 'zoë@example.com' }, properties: { city: 'Porto' } },
  ];
  await post(`${contacts}/bulk`, { items }, 200, 'bulk');
  await post(`${contacts}/bulk`, { items }, 200, 'bulk');
  await post(`${contacts}/bulk`, { items: [{ op: 'merge' }] }, 422);
}

async function searchForSome(post: Asks['post'], contacts: string): Promise<void> {
  const search = `${contacts}/search`;
  for (const query of ['', `?${everything}`, '?include=tags']) {
    const { data } = await post(`${search}${query}`, { query: 'ZOE', limit: 1, cursor: '*' }, 200);
    await post(`${search}${query}`, { query: 'zoe', limit: 2, cursor: data['next_cursor'] }, 200);
  }
  await post(search, {}, 200);
  await post(search, { query: '!?', sort: 'date_asc', created_before: '2024-06-08' }, 200);
  await post(search, { query: 'nurse', tag: 'VIP', created_after: '2024-06-08T13:38:33Z' }, 200);
  await post(search, { query: 'other', cursor: 'abc' }, 422);
  await post(search, { query: 'a b c d e f g h i j k', limit: 0, sort: 'name' }, 422);
  await post(search, { query: 'a'.repeat(65), created_after: 'soon' }, 422);
  await post(search, { words: 'zoe' }, 422);
  await post('/v2/chatbots/none/contacts/search', { query: 'zoe' }, 404);
}

async function deleteAndFollow({ ask, get, post }: Asks, contacts: string, one: string): Promise<void> {
  await ask({ method: 'DELETE', path: one }, 200);
  await ask({ method: 'DELETE', path: one }, 404);
  await post(contacts, { properties: whole }, 201, 'made');
  await get(`${contacts}?state=deleted&${everything}`);
  await ask({ method: 'POST', path: `${one}/restore?${everything}`, idempotencyKey: 'back' }, 200);
  await ask({ method: 'DELETE', path: one, ifMatch: '"other"' }, 412);
  await ask({ method: 'DELETE', path: `${one}?purge=true` }, 200);
  await ask({ method: 'POST', path: `${one}/restore?${everything}`, idempotencyKey: 'back' }, 200);
  await ask({ method: 'POST', path: `${one}/restore` }, 404);
  for (const query of ['', '?limit=2', '?type=contact.created&wait=1', '?type=member.removed&wait=1'])
    await get(`/v2/events${query}`);
  for (const query of [
    '',
    '&limit=2',
    '&type=contact.*',
    '&actor_type=key&occurred_after=2026-01-01',
    '&contact_id=none',
  ])
    await get(`/v2/events?order=desc${query}`);
  await get('/v2/events?after=abc', 422);
  await get('/v2/events?order=desc&wait=1', 422);
}
