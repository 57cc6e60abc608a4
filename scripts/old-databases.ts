/**
 * Makes test/data/databases/COMMIT.json.gz, .sqlite.gz and .postgres.sql.gz with the program of an old commit:
 * `node scripts/old-databases.ts CHECKOUT COMMIT postgres://…`. CHECKOUT is that commit after `npm ci`; the URL names an empty
 * database that pg_dump of this machine can read. All people and secrets are made up.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { Recorded, Story } from '../test/support/old-databases.ts';
import { type Roster, rosterIn } from './support/roster.ts';

const [checkout = '', commit = '', postgresUrl = ''] = process.argv.slice(2);
const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const desk = '8839210412';
const people = `/v2/chatbots/${desk}/contacts`;

/** Two namesakes without an id or an e-mail, and people with either. */
const contacts = [
  'ID,Name,Email,Company,Department,Created At',
  ...range(20).map(
    (n) => `person-${n},Person ${n},p${n}@example.com,Company ${n % 3},,2024-03-0${1 + (n % 9)}T08:00:00Z`,
  ),
  ...range(6).map((n) => `,Élodie Müller ${n},mail${n}@example.org,Ex${n},,`),
  ',Ana Lind,,,Sales,',
  ',Ana Lind,,,Support,',
  ',Bo Chen,,Acme,Sales,',
].join('\n');
const members = [
  'Email,Role,Status',
  'ada@example.com,Owner,Active',
  ...range(33).map((n) => `m${n}@example.com,${n % 4 === 0 ? 'Admin' : 'Agent'},Active`),
].join('\n');

type Ask = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Recorded>;
interface Made {
  id: string;
  token: string;
  url: string;
}

/** What an operator does, and the keys. */
async function fill(roster: Roster, folder: string): Promise<Pick<Story, 'token' | 'revoked'>> {
  const acme = ['--project', 'acme'];
  await roster.json('migrate');
  for (const id of ['acme', 'other']) await roster.json('projects', 'create', id, '--id', id);
  for (const [project, id] of [
    ['acme', desk],
    ['acme', '8839210413'],
    ['other', '7700000001'],
  ] as const)
    await roster.json('chatbots', 'create', '--project', project, '--name', `Chatbot ${id}`, '--id', id);
  const take = (noun: string, text: string, ...where: string[]) => {
    writeFileSync(join(folder, 'people.csv'), text);
    return roster.json(noun, 'import', 'people.csv', ...where);
  };
  await take('members', members, ...acme);
  await take('contacts', contacts, ...acme, '--chatbot', desk);
  const elsewhere = ['--project', 'other', '--chatbot', '7700000001'];
  await take('contacts', 'Name,Email\nPerson Elsewhere,p1@example.com', ...elsewhere);
  const { token } = await roster.json<Made>('keys', 'create', ...acme, '--name', 'All', '--scope', 'all');
  const revoked = await roster.json<Made>('keys', 'create', ...acme, '--name', 'Revoked');
  await roster.json('keys', 'revoke', revoked.id);
  return { token, revoked: revoked.token };
}

function askAt(address: string, token: string): Ask {
  return async (method, path, body, given = {}) => {
    const type = body && { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'old', ...type, ...given };
    const answer = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const { data } = (await answer.json()) as { data?: unknown };
    const cookie = answer.headers.get('set-cookie')?.split(';')[0];
    return { method, path, body, key: given['idempotency-key'], status: answer.status, data, cookie };
  };
}

/** Writes by HTTP, the bin, repeats, links and sessions. */
async function write(story: Story, ask: Ask, roster: Roster): Promise<void> {
  const keyed = async (path: string, body: object, key: string) => {
    const done = await ask('POST', path, body, { 'idempotency-key': key });
    story.repeats.push(done);
    return done.data as { id: string; invitation?: { url: string } };
  };
  const properties = { name: 'Cleo Park', phone: '+1 555 0100', external_id: 'crm-1', tags: ['vip'] };
  const { id } = await keyed(
    people,
    { properties: { ...properties, attributes: { plan: 'pro', seats: 3 } } },
    'create',
  );
  await ask('PATCH', `${people}/${id}`, { properties: { city: 'Łódź' } });
  for (const [n, city] of ['Rome', 'Oslo', 'Łódź', 'Lima'].entries())
    await ask('PATCH', `${people}/person-${n}`, { properties: { city, tags: [`tag-${n}`] } });
  const items = [
    { op: 'upsert', match: { email: 'p4@example.com' }, properties: { job_title: 'Buyer' } },
    { op: 'delete', id: 'nobody' },
  ];
  await keyed(`${people}/bulk`, { items }, 'bulk');
  for (const n of [15, 16, 17, 18]) await ask('DELETE', `${people}/person-${n}`);
  await ask('POST', `${people}/person-16/restore`, {});
  await ask('DELETE', `${people}/person-18?purge=true`);
  const invited = await keyed('/v2/members', { email: 'pending@example.com', roles: ['Viewer'] }, 'invite');
  story.invitation = invited.invitation?.url;
  const { data } = await ask('GET', '/v2/members?email=m5@example.com&include=id');
  await ask('DELETE', `/v2/members/${(data as { members: Made[] }).members[0]?.id}`);
  const feed = async (query: string) =>
    (await ask('GET', `/v2/events?${query}`)).data as { events: unknown[]; next_cursor: string };
  const { next_cursor: after } = await feed('limit=10');
  const { events, next_cursor: end } = await feed(`limit=100&after=${after}`);
  story.feed = { after, events, end };
  const link = await roster.json<Made>('console', 'link', '--member', 'ada@example.com', '--project', 'acme');
  const page = { origin: 'https://roster.test', 'sec-fetch-site': 'same-origin' };
  story.cookie = (await ask('POST', '/console/api/sign-in/link', { token: link.url.split('#')[1] }, page)).cookie;
}

const everything = 'include=details,external_id,attributes,tags,updated_at&per_page=20';
const reads = [
  ...range(4).map((page) => `/v2/members?per_page=10&page=${page + 1}`),
  ...range(20).map((n) => `${people}/person-${n}`),
  `${people}/person-999`,
  '/v2/chatbots/7700000001/contacts/person-1',
  ...['key', 'usage/user-seats', 'usage/chatbots', 'project/settings', 'chatbots'].map((path) => `/v2/${path}`),
  '/v2/members?status=Pending',
  '/v2/events?limit=100',
  ...['', '&state=deleted'].flatMap((bin) => [1, 2].map((page) => `${people}?${everything}&page=${page}${bin}`)),
];
const lookups = [{ email: 'P3@example.com' }, { phone: '+1 555 0100' }, { external_id: 'crm-1' }];
const queries = ['person', 'elodie', 'muller 3', 'compa', 'acme', 'bo', 'nobody'];

async function make(engine: 'sqlite' | 'postgres'): Promise<Story> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'roster-old-'));
  const databaseUrl = engine === 'sqlite' ? `sqlite:${join(folder.path, 'roster.db')}` : postgresUrl;
  const settings = { DATABASE_URL: databaseUrl, ROSTER_PUBLIC_URL: 'https://roster.test' };
  const roster = rosterIn(folder.path, settings, join(checkout, 'dist/main.js'));
  const story: Story = { commit, ...(await fill(roster, folder.path)), contacts, members, reads: [], repeats: [] };
  await using service = await roster.serve();
  const ask = askAt(service.address, story.token);
  await write(story, ask, roster);
  for (const path of reads) story.reads.push(await ask('GET', path));
  for (const body of lookups) story.reads.push(await ask('POST', `${people}/lookup`, body));
  for (const query of queries) story.reads.push(await ask('POST', `${people}/search`, { query }));
  await service.stop();
  if (engine === 'sqlite') {
    await roster.json('backup', 'whole.db');
    keep('sqlite', readFileSync(join(folder.path, 'whole.db')));
  } else {
    const flags = ['--no-owner', '--inserts', '--rows-per-insert=50', postgresUrl];
    const lines = execFileSync('pg_dump', flags, { encoding: 'utf8' }).split('\n');
    keep('postgres.sql', lines.filter((line) => line !== '' && !/^(--|\\)/.test(line)).join('\n'));
  }
  return story;
}

function keep(ending: string, content: Buffer | string): void {
  const file = new URL(`../test/data/databases/${commit}.${ending}.gz`, import.meta.url);
  writeFileSync(file, gzipSync(content, { level: 9 }));
}

keep('json', JSON.stringify({ sqlite: await make('sqlite'), postgres: await make('postgres') }));
