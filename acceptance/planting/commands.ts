import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Installation } from '../installation.ts';
import type { Plant } from './plants.ts';

/** A command line that meets plants, and what it has to end with. */
export interface Planted {
  args: readonly string[];
  input?: string | Buffer;
  env?: Record<string, string>;
  code: number;
}

const contacts = ['--project', 'acme', '--chatbot', 'desk'];
const members = ['--project', 'acme'];

/** Rows of people as a file has them, half of them refused for what they hold. */
function rowsOf(plants: readonly Plant[]): Record<string, string>[] {
  return plants.map(({ text }, index) => ({
    name: text,
    email:
      index % 2 === 0 ? `@${text} ` : `${index}.${text.replaceAll(/[^\w.@-]/g, '')}`.replace(/@.*|$/, '@example.com'),
    phone: index % 3 === 0 ? text.repeat(9) : text,
    website: index % 5 === 0 ? `${text} is no address` : `https://example.com/${encodeURIComponent(text)}`,
    roles: index % 2 === 0 ? text : 'Agent',
    status: index % 7 === 0 ? text : 'Active',
  }));
}

function quoted(cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
}

function csvOf(rows: readonly Record<string, string>[], withHeadings = true): string {
  const [first = {}] = rows;
  return [...(withHeadings ? [quoted(Object.keys(first))] : []), ...rows.map((row) => quoted(Object.values(row)))].join(
    '\n',
  );
}

/** Imports of every format that go well, refuse rows or fail, and where. */
export function imports(at: Installation, plants: readonly Plant[]): Planted[] {
  const rows = rowsOf(plants);
  const texts = {
    csv: csvOf(rows),
    ndjson: rows.map((row) => JSON.stringify(row)).join('\n'),
    json: JSON.stringify(rows),
  };
  const [first] = plants;
  const someone = first?.text ?? '';
  const broken = {
    csv: `${texts.csv}\n"${someone} is never closed`,
    ndjson: `${texts.ndjson}\n{"name":"${someone}\n"${someone}"`,
    json: texts.json.slice(0, -20),
  };
  const rejectsFile = (name: string) => ['--rejects', join(at.folder, `asked-${name}`)];
  const commands: Planted[] = [];
  for (const format of ['csv', 'ndjson', 'json'] as const) {
    const form = ['-', '--format', format];
    const [text, damaged] = [texts[format], broken[format]];
    for (const [noun, target] of [
      ['contacts', contacts],
      ['members', members],
    ] as const) {
      const start = [noun, 'import', ...form, ...target];
      commands.push(
        { args: [...start, '--dry-run'], input: text, code: 65 },
        { args: [...start, ...rejectsFile(`${noun}.${format}`)], input: text, code: 65 },
        { args: [...start, '--on-conflict', 'fail'], input: text, code: 65 },
        { args: start, input: damaged, code: 65 },
        { args: [...start, '--rejects', '/dev/full'], input: text, code: 74 },
        { args: start, input: Buffer.from(text, 'utf16le'), code: 65 },
      );
    }
  }
  return [
    ...commands,
    { args: ['contacts', 'import', '-', ...contacts], input: csvOf(rows, false), code: 65 },
    {
      args: ['contacts', 'import', '-', ...contacts, '--map', 'name=Name'],
      input: csvOf(rows, false),
      code: 65,
    },
    { args: ['members', 'import', '-', ...members], input: csvOf(rows, false), code: 65 },
    {
      args: ['contacts', 'import', '-', ...contacts, '--format', 'ndjson'],
      input: JSON.stringify({ [`${someone}@example.com`]: someone }),
      code: 65,
    },
    { args: ['contacts', 'import', '-', ...contacts, '--format', 'json'], input: texts.ndjson, code: 65 },
    { args: ['contacts', 'export', ...contacts, '--output', join(at.folder, 'asked-export.csv')], code: 0 },
    { args: ['contacts', 'export', ...contacts, '--output', '/dev/full/x.csv'], code: 74 },
  ];
}

function wrong(name: string, text: string): Planted {
  return { args: ['serve'], env: { [name]: text }, code: 78 };
}

/** Conditions of commands, which one contact meets or nobody, and other ways to say whom. */
export function conditions(at: Installation, plants: readonly Plant[]): Planted[] {
  const names = plants.filter(({ kind }) => kind === 'name').map(({ text }) => text);
  const [name = '', second = '', third = '', fourth = ''] = names;
  const email = plants.find(({ kind }) => kind === 'email')?.text ?? '';
  const having = (company: string) => ['--where', `company=${company}`, ...contacts];
  const everywhere = ['contacts', 'find', '--all-chatbots', ...members, '--where'];
  return [
    { args: ['contacts', 'update', ...having(second), '--set', `email=${second}`, '--yes'], code: 65 },
    { args: [...everywhere, `${email}=${name}`], code: -1 },
    { args: ['contacts', 'export', ...having(name), '--output', join(at.folder, 'asked-some.csv')], code: 0 },
    { args: ['contacts', 'update', ...having(name), '--set', `city=${name}`], code: 2 },
    { args: ['contacts', 'update', ...having(third), '--set', `city=${name}`, '--yes'], code: 0 },
    { args: ['contacts', 'erase', ...members, '--external-id', `nobody ${name}`, '--reference', name], code: 1 },
    { args: ['contacts', 'delete', ...having(fourth), '--yes'], code: 0 },
    { args: [...everywhere, `attributes.${name}=${email}`], code: -1 },
    { args: [...everywhere, `city=nobody ${name}`], code: 0 },
    { args: ['contacts', 'lookup', '--all-chatbots', ...members, '--email', `${email} is none`], code: 0 },
    { args: ['contacts', 'disclose', ...members, '--external-id', `nobody ${name}`], code: 0 },
    { args: ['contacts', 'dismiss', ...contacts, '--id', name, '--id', email], code: -1 },
    { args: ['contacts', 'merge', name, '--from', email, '--keep', `${name}=${email}`, ...contacts], code: -1 },
    { args: ['contacts', 'unmerge', email, ...contacts], code: 1 },
  ];
}

/** Secrets where they do not belong: in settings that are wrong, in place of an id or a file. */
export function misuses(at: Installation, plants: readonly Plant[]): Planted[] {
  const keys = plants.filter(({ kind }) => kind === 'key').map(({ text }) => text);
  const [one = '', two = ''] = keys;
  const secret = one;
  const email = plants.find(({ kind }) => kind === 'email')?.text ?? '';
  const file = join(at.folder, 'asked-token.txt');
  writeFileSync(file, `${two} and another`);
  const wrongUrls = [
    `postgres://roster:${secret}@127.0.0.1:1/roster`,
    `postgres://roster:${secret}@127.0.0.1:1`,
    `postgres://roster:${secret}/x@127.0.0.1:99999/roster`,
    `postgres://${secret}@127.0.0.1:1/${secret}?sslmode=${secret}`,
    `postgres://roster:%zz${secret}@127.0.0.1:1/roster`,
    `mysql://roster:${secret}@127.0.0.1/roster`,
    secret,
  ];
  const commandsOfUrl = [['doctor'], ['projects', 'list'], ['serve'], ['migrate'], ['backup', 'x.db']];
  return [
    ...wrongUrls.flatMap((url) =>
      commandsOfUrl.map((args): Planted => ({ args, env: { DATABASE_URL: url }, code: -1 })),
    ),
    ...[
      `redis://${secret}@`,
      `redis://user:${secret}@host/x?y`,
      `http://user:${secret}@host`,
      `redis://u:%zz${secret}@h`,
    ].map((url) => wrong('ROSTER_REDIS_URL', url)),
    ...['PORT', 'LOG_LEVEL', 'ROSTER_RATE_LIMIT', 'ROSTER_CORS_ORIGINS', 'ROSTER_TRUST_PROXY', 'ROSTER_WORKERS'].map(
      (name) => wrong(name, secret),
    ),
    { args: ['keys', 'create', '--project', 'acme', '--name', 'k', '--token-file', one], code: -1 },
    { args: ['keys', 'create', '--project', 'acme', '--name', 'k', '--token-file', file], code: 65 },
    { args: ['keys', 'inspect', one], code: 2 },
    { args: ['keys', 'revoke', one], code: 1 },
    { args: ['keys', 'rotate', one], code: 1 },
    { args: ['keys', 'list', '--project', one], code: 1 },
    { args: ['contacts', 'export', '--chatbot', one], code: 1 },
    ...[email, one].map((text) => ({ args: ['members', 'invite', text, ...members, '--role', 'Viewer'], code: -1 })),
    ...['show', 'reinvite', 'remove'].map((verb) => ({ args: ['members', verb, one, ...members], code: 1 })),
    // The message that nobody was found does not repeat the words of the search.
    { args: ['contacts', 'find', ...contacts, `nobody ${one}`], code: 0 },
    { args: ['contacts', 'find', ...contacts, email.repeat(9)], code: -1 },
    { args: ['contacts', 'find', ...contacts, '--tag', `${one};`, '--created-after', email], code: -1 },
    { args: ['members', 'transfer', ...members, '--to', `other.${email}`], code: 1 },
  ];
}
