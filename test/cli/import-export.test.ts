import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { contactFields } from '../../src/contacts/contact.ts';
import { account, officials, toDesk, withDesk } from '../support/desk.ts';
import { serving, stop } from '../support/process.ts';

describe('the officials of legislators-current.csv', () => {
  it('are imported in one command, served with exactly their fields, and exported and imported without a change', async () => {
    await using at = await withDesk();
    expect(await at.json(['contacts', 'import', officials, ...toDesk])).toEqual(account({ read: 537, created: 537 }));
    const contacts = await at.everybody();
    expect(contacts).toHaveLength(537);
    const server = await serving(at, { ROSTER_RATE_LIMIT: '0' });
    for (const contact of contacts.slice(0, 40)) {
      const url = `${server.address}/v2/chatbots/8839210412/contacts/${contact.id}`;
      const served = await (await fetch(url, { headers: { authorization: `Bearer ${at.token}` } })).json();
      const data = Object.fromEntries(contactFields.map((field) => [field, contact[field]]));
      expect(served).toEqual({ status: 'success', data });
    }
    await stop(server);
    expect(contacts.find(({ name }) => name === 'Maria Cantwell')).toMatchObject({
      email: null,
      job_title: null,
      phone: '202-224-3441',
      website: 'https://www.cantwell.senate.gov',
      company: null,
      first_name: 'Maria',
      last_name: 'Cantwell',
      address: '511 Hart Senate Office Building Washington DC 20510',
      state: 'WA',
      tags: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    });
    // Two records have no full name; one of them has nothing but first and last name.
    expect(contacts.find(({ name }) => name === 'James Gallagher')).toMatchObject({ phone: null, website: null });
    expect(contacts.filter(({ name }) => name === 'Analilia Mejia')).toHaveLength(1);

    const unchanged = account({ read: 537, unchanged: 537 });
    expect(await at.json(['contacts', 'import', officials, ...toDesk])).toEqual(unchanged);
    for (const format of ['csv', 'ndjson', 'json']) {
      const file = join(at.folder, `officials.${format}`);
      await at.run(['contacts', 'export', ...toDesk, '--output', file]);
      expect(await at.json(['contacts', 'import', file, ...toDesk])).toEqual(unchanged);
      await at.json(['chatbots', 'create', '--project', 'acme', '--name', 'Copy', '--id', format]);
      await at.json(['contacts', 'import', file, '--chatbot', format]);
      expect(await at.json(['contacts', 'export', '--chatbot', format])).toEqual(contacts);
    }
  });

  it('can be named and identified by columns that the operator chooses', async () => {
    await using at = await withDesk();
    const map = ['--map', 'id=bioguide_id', '--map', 'name=wikipedia_id', '--map', 'company=party'];
    const { code, stdout, stderr } = await at.run(['contacts', 'import', officials, ...toDesk, ...map, '--json']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('id <- bioguide_id')]);
    expect(JSON.parse(stdout)).toEqual(account({ read: 537, created: 537 }));
    const { stdout: exported } = await at.run(['contacts', 'export', ...toDesk]);
    expect(exported).toContain('C000127,Maria Cantwell,,,202-224-3441,https://www.cantwell.senate.gov,Democrat,');
  });
});

const numbered = (from: number, to: number, row: (i: number) => string) =>
  Array.from({ length: to - from }, (_, i) => `${row(from + i)}\n`).join('');
const nested = [3, 64, 65, 3_000, 60_000].map(
  (depth) => `{"name":"A${depth}","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`,
);
const notes = numbered(0, 1_100, (i) => `P ${i % 1_050},n ${i % 1_050}`);

describe('an import', () => {
  it.each([
    [
      'of rows that differ in any cell makes a person of each, and counts equal rows as duplicates',
      [
        'id,name,email,bioguide\n,William Smith,,S000630\n,William Smith,,S000631\n, William Smith ,,S000630',
        'one,One,one@example.com,1\none,One,one@example.com, 1\n,Two,two@example.com,',
        ',Two,two@example.com,\n,Two,TWO@example.com,\n',
      ].join('\n'),
      { read: 8, created: 4, unchanged: 1, duplicates: 3 },
      { read: 8, unchanged: 5, duplicates: 3 },
    ],
    [
      'rejects a row that contradicts another batches before it',
      `name,email\n${numbered(0, 1_200, (i) => `Person ${i},p${i % 1_150}@example.com`)}`,
      { read: 1_200, created: 1_150, rejected: 50 },
      { read: 1_200, unchanged: 1_150, rejected: 50 },
    ],
    [
      'finds the duplicates of rows batches before them',
      `name,note\n${notes}`,
      { read: 1_100, created: 1_050, duplicates: 50 },
      { read: 1_100, unchanged: 1_050, duplicates: 50 },
    ],
    [
      'takes no two rows of JSON for one whose numbers cannot be compared',
      '{"name":"A","x":12345678901234567891}\n{"name":"A","x":12345678901234567892}',
      { read: 2, created: 2 },
      { read: 2, unchanged: 2 },
    ],
    [
      'rejects rows of NDJSON that are nested deeper than 64',
      nested.join('\n'),
      { read: 5, created: 2, rejected: 3 },
      { read: 5, unchanged: 2, rejected: 3 },
    ],
    [
      'rejects rows of JSON that are nested deeper than 64',
      `[${nested.join(',\n')}]`,
      { read: 5, created: 2, rejected: 3 },
      { read: 5, unchanged: 2, rejected: 3 },
    ],
  ])('%s, in a dry run too, and finds everybody again', async (_what, input, first, again) => {
    await using at = await withDesk();
    expect((await at.take(input, '--dry-run')).report).toEqual(account(first));
    expect(await at.everybody()).toEqual([]);
    expect((await at.take(input)).report).toEqual(account(first));
    for (const more of [['--dry-run'], []]) expect((await at.take(input, ...more)).report).toEqual(account(again));
  });

  it('finds the same rows in another format and order', async () => {
    await using at = await withDesk();
    await at.take(`name,note\n${notes}`);
    const ndjson = notes
      .replaceAll(/^(.*),(.*)$/gm, '{"note":"$2","name":"$1"}')
      .split('\n')
      .toReversed();
    expect((await at.take(ndjson.join('\n'))).report).toEqual(
      account({ read: 1_100, unchanged: 1_050, duplicates: 50 }),
    );
  });

  it('never changes when a person was created', async () => {
    await using at = await withDesk();
    for (const [headings, who] of [
      ['id,name', 'k1,A'],
      ['email', 'b@example.com'],
    ] as const)
      for (const [day, how] of [
        ['08', 'created'],
        ['07', 'unchanged'],
        ['09', 'unchanged'],
      ] as const) {
        const { report } = await at.take(`${headings},created_at\n${who},2024-06-${day}T12:00:00Z\n`);
        expect(report).toEqual(account({ read: 1, [how]: 1 }));
      }
    const times = (await at.everybody()).map(({ created_at }) => created_at);
    expect(times).toEqual(Array(2).fill('2024-06-08T12:00:00+00:00'));
  });

  it('ends with 130 when it is interrupted, and leaves whole batches', async () => {
    await using at = await withDesk();
    const lines = (from: number, to: number) => numbered(from, to, (i) => `Person ${i},p${i}@example.com`);
    const running = at.start(['contacts', 'import', '-', '--format', 'csv', ...toDesk]);
    const input = running.child.stdin;
    input?.on('error', () => undefined).write(`name,email\n${lines(0, 1_500)}`);
    const stored = async () => (await at.everybody()).length;
    await expect.poll(stored, { timeout: 10_000 }).toBe(1_000);
    running.child.kill('SIGINT');
    input?.write(lines(1_500, 2_500));
    expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('can be run again') });
    expect((await stored()) % 1_000).toBe(0);
    const { report } = await at.take(`name,email\n${lines(0, 2_500)}`);
    expect(report).toMatchObject({ read: 2_500, rejected: 0 });
    expect(await stored()).toBe(2_500);
  });

  it('counts in a dry run as in the real one when an address moves and comes back batches later', async () => {
    await using at = await withDesk();
    await at.take('id,name,email\nvend,V,old@example.com\n');
    const filler = numbered(0, 1_000, (i) => `,F${i},f${i}@example.com`);
    const input = `id,name,email\nvend,V,moved@example.com\n${filler},New,old@example.com\n`;
    for (const more of [['--dry-run'], []])
      expect((await at.take(input, ...more)).report).toEqual(account({ read: 1_002, created: 1_001, updated: 1 }));
  });
});

describe('members', () => {
  it('are known by headings of other languages, in rows of which some are equal in every cell', async () => {
    await using at = await withDesk();
    const input =
      'E-Mail-Adresse;Rolle;Status\na@example.com;Admin;Aktiv\na@example.com;Admin;Aktiv\nA@example.com;Admin;\n';
    const args = ['members', 'import', '-', '--project', 'acme'];
    const created = account({ read: 3, created: 1, unchanged: 1, duplicates: 1 });
    expect(await at.json(args, { input })).toEqual(created);
    expect(await at.json(args, { input })).toEqual(account({ read: 3, unchanged: 2, duplicates: 1 }));
    const { stdout } = await at.run(['members', 'export', '--project', 'acme']);
    expect(stdout).toContain('a@example.com,Active,Admin\n');
  });

  it('are imported with several roles in a cell and exported in their order, the Owner first', async () => {
    await using at = await withDesk();
    const input =
      'E-mail;Role;Status\nBob@example.com;"viewer, ADMIN";active\nada@example.com;owner|Billing;Active\ncem@example.com;Agent;\n';
    const from = (format: string) => ['members', 'import', '-', '--format', format, '--project', 'acme'];
    expect(await at.json(from('csv'), { input })).toEqual(account({ read: 3, created: 3 }));
    const exported = async (format: string) =>
      (await at.run(['members', 'export', '--project', 'acme', '--format', format])).stdout;
    expect(await exported('csv')).toBe(
      'email,status,roles\nada@example.com,Active,"Owner,Billing"\nBob@example.com,Active,"Admin,Viewer"\ncem@example.com,Pending,Agent\n',
    );
    for (const format of ['csv', 'ndjson', 'json'])
      expect(await at.json(from(format), { input: await exported(format) })).toEqual(
        account({ read: 3, unchanged: 3 }),
      );
  });
});
