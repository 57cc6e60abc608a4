import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { contactFields } from '../../src/contacts/contact.ts';
import { account, officials, toDesk, withDesk } from '../support/desk.ts';
import { serving } from '../support/process.ts';

describe('the officials of legislators-current.csv', () => {
  it('are imported in one command, and any of them is served with exactly its fields', async () => {
    await using at = await withDesk();
    const imported = await at.json(['contacts', 'import', officials, ...toDesk]);
    expect(imported).toEqual(account({ read: 537, created: 537 }));
    const { stdout } = await at.run(['contacts', 'export', ...toDesk, '--format', 'ndjson']);
    const contacts = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; name: string; [field: string]: unknown });
    expect(contacts).toHaveLength(537);

    const server = await serving(at, { ROSTER_RATE_LIMIT: '0' });
    const served = await Promise.all(
      contacts.map(async ({ id }) => {
        const url = `${server.address}/v2/chatbots/8839210412/contacts/${id}`;
        return (await fetch(url, { headers: { authorization: `Bearer ${at.token}` } })).json();
      }),
    );
    const shown = (contact: Record<string, unknown>) =>
      Object.fromEntries(contactFields.map((field) => [field, contact[field]]));
    expect(served).toEqual(contacts.map((contact) => ({ status: 'success', data: shown(contact) })));
    server.child.kill();
    await server.ended;

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
    expect(contacts.find(({ name }) => name === 'James Gallagher')).toMatchObject({
      phone: null,
      website: null,
    });
    expect(contacts.filter(({ name }) => name === 'Analilia Mejia')).toHaveLength(1);
  });

  it.each(['csv', 'ndjson', 'json'])('are exported as %s, and imported again without a change', async (format) => {
    await using at = await withDesk();
    await at.json(['contacts', 'import', officials, ...toDesk]);
    const file = join(at.folder, `officials.${format}`);
    await at.run(['contacts', 'export', ...toDesk, '--output', file]);
    expect(await at.json(['contacts', 'import', file, ...toDesk])).toEqual(account({ read: 537, unchanged: 537 }));
    expect(await at.json(['contacts', 'import', officials, ...toDesk])).toEqual(account({ read: 537, unchanged: 537 }));

    await at.json(['chatbots', 'create', '--project', 'acme', '--name', 'Copy', '--id', 'copy']);
    await at.json(['contacts', 'import', file, '--chatbot', 'copy']);
    const [one, copy] = await Promise.all(
      ['8839210412', 'copy'].map(async (id) => (await at.run(['contacts', 'export', '--chatbot', id])).stdout),
    );
    expect(copy).toBe(one);
  });

  it('can be named and identified by columns that the operator chooses', async () => {
    await using at = await withDesk();
    const map = ['--map', 'id=bioguide_id', '--map', 'name=wikipedia_id', '--map', 'company=party'];
    const { code, stdout, stderr } = await at.run(['contacts', 'import', officials, ...toDesk, ...map, '--json']);
    expect(stderr).toContain('id <- bioguide_id');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(account({ read: 537, created: 537 }));
    const { stdout: exported } = await at.run(['contacts', 'export', ...toDesk]);
    expect(exported).toContain('C000127,Maria Cantwell,,,202-224-3441,https://www.cantwell.senate.gov,Democrat,');
  });
});

describe('an import', () => {
  it('never changes when a person came to be', async () => {
    await using at = await withDesk();
    const id = (day: string) => `id,name,created_at\nk1,A,2024-06-${day}T12:00:00Z\n`;
    const email = (day: string) => `email,created_at\nb@example.com,2024-06-${day}T12:00:00Z\n`;
    for (const file of [id, email]) {
      const args = ['contacts', 'import', '-', '--format', 'csv', ...toDesk];
      expect(await at.json(args, { input: file('08') })).toEqual(account({ read: 1, created: 1 }));
      expect(await at.json(args, { input: file('07') })).toEqual(account({ read: 1, unchanged: 1 }));
      expect(await at.json(args, { input: file('09') })).toEqual(account({ read: 1, unchanged: 1 }));
    }
    const stored = await at.json<{ created_at: string }[]>(['contacts', 'export', ...toDesk]);
    expect(stored.map(({ created_at }) => created_at)).toEqual(Array(2).fill('2024-06-08T12:00:00+00:00'));
  });

  it('says in a dry run what would happen, over batches too, and stores nothing', async () => {
    await using at = await withDesk();
    const rows = Array.from({ length: 2_200 }, (_, i) => `Person ${i},p${i % 2_100}@example.com`);
    const input = `name,email\n${rows.join('\n')}\n`;
    const args = ['contacts', 'import', '-', '--format', 'csv', ...toDesk, '--json'];
    const dry = await at.run([...args, '--dry-run'], { input });
    expect((await at.run(['contacts', 'export', ...toDesk])).stdout.trim().split('\n')).toHaveLength(1);
    const real = await at.run(args, { input });
    expect(JSON.parse(dry.stdout)).toEqual(JSON.parse(real.stdout));
    expect(JSON.parse(real.stdout)).toEqual(account({ read: 2_200, created: 2_100, rejected: 100 }));
  });

  it('makes a person of each row that differs in any cell, and counts equal rows as duplicates', async () => {
    await using at = await withDesk();
    const input = [
      'id,name,email,bioguide',
      ',William Smith,,S000630',
      ',William Smith,,S000631',
      ', William Smith ,,S000630',
      'one,One,one@example.com,1',
      'one,One,one@example.com, 1',
      ',Two,two@example.com,',
      ',Two,two@example.com,',
      ',Two,TWO@example.com,',
    ].join('\n');
    const args = ['contacts', 'import', '-', '--format', 'csv', ...toDesk];
    const created = account({ read: 8, created: 4, unchanged: 1, duplicates: 3 });
    expect(await at.json([...args, '--dry-run'], { input })).toEqual(created);
    expect(await at.json(args, { input })).toEqual(created);
    const again = account({ read: 8, unchanged: 5, duplicates: 3 });
    expect(await at.json([...args, '--dry-run'], { input })).toEqual(again);
    expect(await at.json(args, { input })).toEqual(again);
    expect((await at.run(['contacts', 'export', ...toDesk])).stdout.trim().split('\n')).toHaveLength(5);
  });

  it('prints its counts in this order, the five between the first and the last adding up', async () => {
    await using at = await withDesk();
    const args = ['contacts', 'import', '-', '--format', 'csv', ...toDesk, '--json'];
    const { code, stdout } = await at.run(args, {
      input: 'name,email\nA,a@example.com\nA,a@example.com\nB,bad\n',
    });
    const report = JSON.parse(stdout) as Record<string, number>;
    expect([code, report]).toEqual([65, account({ read: 3, created: 1, duplicates: 1, rejected: 1 })]);
    expect(Object.keys(report)).toEqual([
      'read',
      'created',
      'updated',
      'unchanged',
      'duplicates',
      'rejected',
      'rejects_file',
      'encoding',
      'left_out',
      'warnings',
    ]);
  });

  it('finds the duplicates of far earlier rows, and the same rows in another format and order', async () => {
    await using at = await withDesk();
    const people = Array.from({ length: 2_300 }, (_, i) => ({
      name: `P ${i % 2_200}`,
      note: `n ${i % 2_200}`,
    }));
    const csv = `name,note\n${people.map(({ name, note }) => `${name},${note}\n`).join('')}`;
    const args = ['contacts', 'import', '-', ...toDesk];
    expect(await at.json(args, { input: csv })).toEqual(account({ read: 2_300, created: 2_200, duplicates: 100 }));
    const ndjson = people.map(({ name, note }) => `${JSON.stringify({ note, name })}\n`).toReversed();
    expect(await at.json(args, { input: ndjson.join('') })).toEqual(
      account({ read: 2_300, unchanged: 2_200, duplicates: 100 }),
    );
  });

  it('takes no two rows of JSON for one whose numbers cannot be compared', async () => {
    await using at = await withDesk();
    const input = ['{"name":"A","x":12345678901234567891}', '{"name":"A","x":12345678901234567892}'].join('\n');
    const args = ['contacts', 'import', '-', '--format', 'ndjson', ...toDesk];
    expect(await at.json(args, { input })).toEqual(account({ read: 2, created: 2 }));
    expect(await at.json(args, { input })).toEqual(account({ read: 2, unchanged: 2 }));
  });

  it.each(['ndjson', 'json'])(
    'rejects rows of %s that are nested deeper than 64, and takes the others',
    async (format) => {
      await using at = await withDesk();
      const rows = [3, 64, 65, 3_000, 6_000, 12_000, 60_000].map(
        (depth) => `{"name":"A${depth}","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`,
      );
      const input = format === 'json' ? `[${rows.join(',\n')}]` : rows.join('\n');
      const { code, stdout, stderr } = await at.run(
        ['contacts', 'import', '-', '--format', format, ...toDesk, '--json'],
        { input },
      );
      expect([code, JSON.parse(stdout)]).toEqual([65, account({ read: 7, created: 2, rejected: 5 })]);
      expect(stderr).toContain('is nested deeper than 64 levels');
    },
  );

  it('ends with 130 when it is interrupted, and leaves whole batches', async () => {
    await using at = await withDesk();
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `Person ${from + i},p${from + i}@example.com\n`).join('');
    const running = at.start(['contacts', 'import', '-', '--format', 'csv', ...toDesk]);
    const input = running.child.stdin;
    input?.on('error', () => undefined).write(`name,email\n${lines(0, 1_500)}`);
    const stored = async () => (await at.run(['contacts', 'export', ...toDesk])).stdout.trim().split('\n').length - 1;
    await expect.poll(stored, { timeout: 10_000 }).toBe(1_000);
    running.child.kill('SIGINT');
    input?.write(lines(1_500, 2_500));
    expect(await running.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('can be run again'),
    });
    expect((await stored()) % 1_000).toBe(0);
    const again = await at.json(['contacts', 'import', '-', '--format', 'csv', ...toDesk], {
      input: `name,email\n${lines(0, 2_500)}`,
    });
    expect(again).toMatchObject({ read: 2_500, rejected: 0 });
    expect(await stored()).toBe(2_500);
  });

  it('counts in a dry run as in the real one when an address moves and comes back batches later', async () => {
    await using at = await withDesk();
    const args = ['contacts', 'import', '-', '--format', 'csv', ...toDesk];
    await at.json(args, { input: 'id,name,email\nvend,V,old@example.com\n' });
    const filler = Array.from({ length: 1_000 }, (_, i) => `,F${i},f${i}@example.com`).join('\n');
    const input = `id,name,email\nvend,V,moved@example.com\n${filler}\n,New,old@example.com\n`;
    const dry = await at.json([...args, '--dry-run'], { input });
    expect(dry).toEqual(account({ read: 1_002, created: 1_001, updated: 1 }));
    expect(await at.json(args, { input })).toEqual(dry);
  });
});

describe('members', () => {
  it('in rows that are equal in every cell are counted as duplicates', async () => {
    await using at = await withDesk();
    const input = 'email,roles\na@example.com,Admin\na@example.com,Admin\nA@example.com,Admin\n';
    const args = ['members', 'import', '-', '--format', 'csv', '--project', 'acme'];
    const created = account({ read: 3, created: 1, unchanged: 1, duplicates: 1 });
    expect(await at.json(args, { input })).toEqual(created);
    expect(await at.json(args, { input })).toEqual(account({ read: 3, unchanged: 2, duplicates: 1 }));
  });

  it('are known by headings of other languages, and their status by its word', async () => {
    await using at = await withDesk();
    const input = 'E-Mail-Adresse;Rolle;Status\nada@example.com;Admin;Aktiv\n';
    await at.json(['members', 'import', '-', '--project', 'acme'], { input });
    const { stdout } = await at.run(['members', 'export', '--project', 'acme']);
    expect(stdout).toContain('ada@example.com,Active,Admin\n');
  });

  it('are imported with several roles in a cell and exported in their order, the Owner first', async () => {
    await using at = await withDesk();
    const input =
      'E-mail;Role;Status\nBob@example.com;"viewer, ADMIN";active\nada@example.com;owner|Billing;Active\ncem@example.com;Agent;\n';
    expect(await at.json(['members', 'import', '-', '--format', 'csv', '--project', 'acme'], { input })).toEqual(
      account({ read: 3, created: 3 }),
    );
    const { stdout } = await at.run(['members', 'export', '--project', 'acme']);
    expect(stdout).toBe(
      'email,status,roles\nada@example.com,Active,"Owner,Billing"\nBob@example.com,Active,"Admin,Viewer"\ncem@example.com,Pending,Agent\n',
    );
    for (const format of ['csv', 'ndjson', 'json']) {
      const exported = (await at.run(['members', 'export', '--project', 'acme', '--format', format])).stdout;
      const again = await at.json(['members', 'import', '-', '--format', format, '--project', 'acme'], {
        input: exported,
      });
      expect(again).toEqual(account({ read: 3, unchanged: 3 }));
    }
  });
});
