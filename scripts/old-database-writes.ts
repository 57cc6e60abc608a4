import type { Recorded, Story } from '../test/support/old-databases.ts';

export const desk = '8839210412';
export const people = `/v2/chatbots/${desk}/contacts`;
const cities = ['Rome', 'Oslo', 'Łódź', 'Lima'];

type Ask = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Recorded>;

/** What came after the first release: writes by HTTP, the bin, repeats, links and sessions. */
export async function writes(
  story: Story,
  ask: Ask,
  json: (...args: string[]) => { id: string; url?: string },
): Promise<void> {
  const keyed = async (method: string, path: string, body: object | undefined, key: string) => {
    const done = await ask(method, path, body, { 'idempotency-key': key });
    story.repeats.push(done);
    return done.data as { id: string; url?: string; invitation?: { url: string } };
  };
  const person = {
    name: 'Cleo Park',
    phone: '+1 555 0100',
    external_id: 'crm-1',
    tags: ['vip'],
    attributes: { plan: 'pro', seats: 3 },
  };
  const { id } = await keyed('POST', people, { properties: person }, 'create');
  await ask('PATCH', `${people}/${id}`, { properties: { city: 'Łódź' } });
  for (const [n, city] of cities.entries())
    await ask('PATCH', `${people}/person-${n}`, { properties: { city, tags: [`tag-${n}`] } });
  const items = [
    { op: 'upsert', match: { email: 'p4@example.com' }, properties: { job_title: 'Buyer' } },
    { op: 'delete', id: 'nobody' },
  ];
  await keyed('POST', `${people}/bulk`, { items }, 'bulk');
  for (const n of [15, 16, 17, 18]) await ask('DELETE', `${people}/person-${n}`);
  await ask('POST', `${people}/person-16/restore`, {});
  await ask('DELETE', `${people}/person-18?purge=true`);
  const invited = await keyed('POST', '/v2/members', { email: 'pending@example.com', roles: ['Viewer'] }, 'invite');
  story.invitation = invited.invitation?.url;
  const listed = (await ask('GET', '/v2/members?email=m5@example.com&include=id')).data as {
    members: { id: string }[];
  };
  await ask('DELETE', `/v2/members/${listed.members[0]?.id}`);
  const half = (await ask('GET', '/v2/events?limit=10')).data as { next_cursor: string };
  const rest = (await ask('GET', `/v2/events?limit=100&after=${half.next_cursor}`)).data as {
    events: unknown[];
    next_cursor: string;
  };
  story.feed = { after: half.next_cursor, events: rest.events, end: rest.next_cursor };
  const link = json('console', 'link', '--member', 'ada@example.com', '--project', 'acme');
  const token = link.url?.split('#')[1];
  const page = { origin: 'https://roster.test', 'sec-fetch-site': 'same-origin' };
  story.cookie = (await ask('POST', '/console/api/sign-in/link', { token }, page)).cookie;
}
