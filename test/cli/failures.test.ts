import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { anInstallation, aProjectThere, type Installation } from '../support/process.ts';

/** [what, command line or its words, exit code, what the sentence says, input, settings]. */
type Case = [string, string | string[], number, RegExp, (string | Buffer)?, Record<string, string>?];

const importing = 'contacts import - --chatbot 8839210412';

const aToken = 'rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17';

const cases: Case[] = [
  ['a group of commands alone', 'keys', 2, /^Usage: roster keys \[options\] \[command\]\n/],
  ['a limit that is out of range', 'events list --project acme --limit 501', 2, /whole numbers from 1 to 500/],
  ['a flag without its value', 'keys create --project', 2, /--project/],
  [
    'all required flags missing',
    'keys create',
    2,
    /^roster: required options '--project <id>', '--name <name>' are missing\nSee: roster keys create --help\n$/,
  ],
  ['a flag mistyped that is required', 'keys create --projct acme', 2, /'--projct'\n.*mean --project\?/],
  ['an argument too many', 'projects create a b', 2, /too many arguments/],
  ['a chatbot id that is taken', 'chatbots create --project acme --name x --id 8839210412', 1, /already/],
  ['a project id of 65 characters', ['projects', 'create', 'x', '--id', 'x'.repeat(65)], 65, /1 to 64/],
  ['an import of a folder', 'contacts import . --chatbot 8839210412', 74, /folder/],
  ['an unknown format', `${importing} --format xlsx`, 2, /csv, ndjson, json/],
  ['a mapping without a field', `${importing} --map nonsense`, 2, /FIELD=HEADING/],
  [
    'a mapping to a heading that is not there',
    `${importing} --map name=Nick --format csv`,
    65,
    /no column "Nick" for name; it has: name\./,
    'name\nA\n',
  ],
  [
    'a mapping of an attribute with a bad name',
    `${importing} --map attributes.2x=Party`,
    2,
    /tags, attributes\.NAME; fix/,
  ],
  ['a mapping of attributes without a name', `${importing} --map attributes=Party`, 2, /tags, attributes\.NAME; fix/],
  [
    'a mapping given twice',
    `${importing} --map attributes.party=A --map attributes.PARTY=B`,
    2,
    /attributes\.party twice/,
  ],
  [
    'a column to leave out that is not there',
    `${importing} --leave-out Nota`,
    65,
    /no column "Nota" for --leave-out/,
    'name\nA\n',
  ],
  ['a backup into a folder that is missing', 'backup no/such/b.db', 74, /no such file or folder.*no\/such/],
  ['a slip after backup', 'backup verfy', 2, /did you mean "roster backup verify FILE"/],
  ['a word after backup that names no file', 'backup list --json', 2, /did you mean "roster backup verify FILE"/],
  ['a number of files to keep for one file', 'backup create b.db --keep 2', 2, /--keep goes with a folder/],
  ['no backup to keep', 'backup create . --keep 0', 2, /whole number/],
  ['backups to keep without "create"', 'backup ../bk --keep 2', 2, /roster backup create FOLDER --keep N/],
  [
    'a restore of PostgreSQL',
    'restore b.db',
    2,
    /pg_restore .*roster copy --from sqlite:/,
    '',
    { DATABASE_URL: 'postgres://roster:secret@db.example.com/roster' },
  ],
  ['a limit below zero', 'projects update acme --seats=-1', 2, /whole numbers from 0/],
  ['a limit beyond all', 'projects update acme --seats=2147483647', 2, /whole numbers from 0/],
  ['an empty file', `${importing} --format csv`, 65, /empty/, ''],
  [
    'another encoding',
    `${importing} --encoding shift_jis`,
    65,
    /not SHIFT_JIS/,
    Buffer.from('name\nJo\x80s\xff\n', 'latin1'),
  ],
  ['a JSON file that is no array', `${importing} --format json`, 65, /not a JSON array/, '{"name":"A"}'],
  ['a JSON array that breaks off', `${importing} --format json`, 65, /no JSON after entry 1/, '[{"name":"A"},{"na'],
  ['rows of JSON that are no objects', `${importing} --format ndjson`, 65, /line 1: is not a JSON object/, '42\n'],
  ['lines that are no JSON', `${importing} --format ndjson`, 65, /line 2: is not JSON/, '{"name":"A"}\nnonsense\n'],
  ['an engine that is not there', 'serve', 78, /DATABASE_URL/, '', { DATABASE_URL: 'mysql://secret@host' }],
  [
    'a database in a place that cannot be',
    ['projects', 'create', 'Example Ltd'],
    69,
    /cannot be opened/,
    '',
    { DATABASE_URL: 'sqlite:/dev/null/x.db' },
  ],
  ['a verification of a folder', 'backup verify .', 74, /is not a file/],
  [
    'rejects in a folder that is missing',
    `${importing} --rejects no/such.csv --format csv`,
    74,
    /no such file or folder.*: no/,
    'name\nA\n',
  ],
  [
    'a CSV file without headings, whose first line is somebody',
    `${importing} --format csv`,
    65,
    /No column of the file is known.*names the columns/,
    'Ana secret,ana.secret@example.com\n',
  ],
  [
    'a mapping to a heading where the first line is somebody',
    `${importing} --format csv --map name=Name`,
    65,
    /no column "Name".*names the columns/,
    'Ana secret,+1 555 0100 100\n',
  ],
  [
    'a token as the name of a key',
    ['keys', 'create', '--project', 'acme', '--name', aToken],
    65,
    /^roster: Name must hold no API key\.\n$/,
  ],
  ['a token as a scope', ['keys', 'update', 'x', '--scope', aToken], 2, /'rst_…' is invalid/],
  ['a token as a command', [aToken], 2, /unknown command 'rst_…'/],
  ['a control character as an option', ['--\u001B[31m'], 2, /unknown option '--\?\[31m'/],
  ['a folder for rejected rows', `${importing} --format csv --rejects .`, 74, /a folder; name a file/, 'name\nA\n'],
  [
    'a token instead of the file that holds it',
    'keys create --project acme --name x --token-file rst_secret',
    74,
    /no such file or folder; check the path: the one after --token-file\.\n$/,
  ],
  ['an export to a name without format', 'contacts export --chatbot 8839210412 --output people.xlsx', 2, /--format/],
  [
    'an export to a folder that is missing',
    'contacts export --chatbot 8839210412 --output no/such.csv',
    74,
    /no such file or folder.*: no\./,
  ],
];

describe('a mistake gets one sentence with a next step, and its exit code:', () => {
  let at: Installation;
  beforeAll(async () => {
    at = await anInstallation();
    await aProjectThere(at);
  });
  afterAll(() => at[Symbol.asyncDispose]());

  it.each(cases)('%s', async (_what, line, code, sentence, input = '', env = {}) => {
    const ended = await at.run(typeof line === 'string' ? line.split(' ') : line, { input, env });
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(sentence)]);
    expect(ended.stderr).not.toMatch(/\n\s+at |Error:|node:|secret|rst_\w{36}/);
    expect(ended.stderr).not.toContain('\u001B');
  });
});
