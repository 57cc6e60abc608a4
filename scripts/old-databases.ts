/**
 * Makes test/data/databases/COMMIT.json.gz, .sqlite.gz and .postgres.sql.gz with the program of an old commit:
 * `node scripts/old-databases.ts CHECKOUT COMMIT postgres://…`. CHECKOUT is that commit with its packages; the URL names an empty
 * database that pg_dump of this machine can read. All people and secrets are made up.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import type { Recorded, Story } from '../test/support/old-databases.ts';
import { desk, people, writes } from './old-database-writes.ts';

const [checkout = '', commit = '', postgresUrl = ''] = process.argv.slice(2);
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

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
  ...range(33).map((n) => `m${n}@example.com,${n % 4 === 0 ? 'Admin' : 'Agent'},Active`),
].join('\n');

async function make(engine: 'sqlite' | 'postgres'): Promise<Story> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-old-'));
  const databaseUrl = engine === 'sqlite' ? `sqlite:${join(folder, 'roster.db')}` : postgresUrl;
  const isFirst = !readFileSync(join(checkout, 'package.json'), 'utf8').includes('simplewebauthn');
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    PORT: '18080',
    ROSTER_METRICS_PORT: '0',
    ROSTER_RATE_LIMIT: '0',
    ...(!isFirst && { ROSTER_PUBLIC_URL: 'https://roster.test' }),
  };
  const main = join(checkout, 'src/main.ts');
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [main, ...args], {
      env,
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const json = (...args: string[]) => JSON.parse(run(...args, '--json')) as never as { id: string; token: string };
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  run('migrate');
  json('projects', 'create', 'Acme', '--id', 'acme');
  json('projects', 'create', 'Other', '--id', 'other');
  for (const [project, id] of [
    ['acme', desk],
    ['acme', '8839210413'],
    ['other', '7700000001'],
  ] as const) {
    json('chatbots', 'create', '--project', project, '--name', `Chatbot ${id}`, '--id', id);
  }
  json('members', 'import', file('owner.csv', 'Email,Role,Status\nada@example.com,Owner,Active'), '--project', 'acme');
  json('members', 'import', file('members.csv', members), '--project', 'acme');
  json('contacts', 'import', file('contacts.csv', contacts), '--project', 'acme', '--chatbot', desk);
  json(
    'contacts',
    'import',
    file('others.csv', 'Name,Email\nPerson Elsewhere,p1@example.com'),
    '--project',
    'other',
    '--chatbot',
    '7700000001',
  );
  const scopes = isFirst ? [] : ['--scope', 'all'];
  const key = json('keys', 'create', '--project', 'acme', '--name', 'All', ...scopes);
  const revoked = json('keys', 'create', '--project', 'acme', '--name', 'Revoked');
  run('keys', 'revoke', revoked.id);
  const serving = spawn(process.execPath, [main, 'serve'], { env, cwd: folder, stdio: 'ignore' });
  const ended = new Promise((resolve) => serving.once('exit', resolve));
  const base = 'http://127.0.0.1:18080';
  while (
    !(await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(50);
  const ask = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Recorded> => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key.token}`,
        'x-request-id': 'old',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = (await answer.json()) as { data?: unknown };
    return {
      method,
      path,
      body,
      key: headers['idempotency-key'],
      status: answer.status,
      data,
      cookie: answer.headers.get('set-cookie')?.split(';')[0],
    };
  };
  const story: Story = { commit, token: key.token, revoked: revoked.token, contacts, members, reads: [], repeats: [] };
  if (!isFirst) await writes(story, ask, json);
  const reads = [
    ...range(4).map((page) => `/v2/members?per_page=10&page=${page + 1}`),
    ...range(20).map((n) => `${people}/person-${n}`),
    `${people}/person-999`,
    '/v2/chatbots/7700000001/contacts/person-1',
    ...(isFirst
      ? []
      : [
          '/v2/key',
          '/v2/usage/user-seats',
          '/v2/usage/chatbots',
          '/v2/project/settings',
          '/v2/chatbots',
          '/v2/members?status=Pending',
          '/v2/events?limit=100',
          ...['', '&state=deleted'].flatMap((bin) =>
            [1, 2].map(
              (page) =>
                `${people}?include=details,external_id,attributes,tags,updated_at&per_page=20&page=${page}${bin}`,
            ),
          ),
        ]),
  ];
  for (const path of reads) story.reads.push(await ask('GET', path));
  if (!isFirst) {
    for (const body of [{ email: 'P3@example.com' }, { phone: '+1 555 0100' }, { external_id: 'crm-1' }])
      story.reads.push(await ask('POST', `${people}/lookup`, body));
    for (const query of ['person', 'elodie', 'muller 3', 'compa', 'acme', 'bo', 'nobody'])
      story.reads.push(await ask('POST', `${people}/search`, { query }));
  }
  serving.kill('SIGTERM');
  await ended;
  const stem = new URL(`../test/data/databases/${commit}`, import.meta.url).pathname;
  if (engine === 'sqlite') {
    run('backup', 'whole.db');
    writeFileSync(`${stem}.sqlite.gz`, gzipSync(readFileSync(join(folder, 'whole.db')), { level: 9 }));
  } else {
    const dump = execFileSync('pg_dump', ['--no-owner', '--inserts', '--rows-per-insert=50', postgresUrl], {
      encoding: 'utf8',
    });
    const sql = dump
      .split('\n')
      .filter((line) => line !== '' && !/^(--|\\)/.test(line))
      .join('\n');
    writeFileSync(`${stem}.postgres.sql.gz`, gzipSync(sql, { level: 9 }));
  }
  return story;
}

const stories = { sqlite: await make('sqlite'), postgres: await make('postgres') };
writeFileSync(
  new URL(`../test/data/databases/${commit}.json.gz`, import.meta.url),
  gzipSync(JSON.stringify(stories), { level: 9 }),
);
