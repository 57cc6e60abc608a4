import { existsSync, linkSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

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
      .map((line) => JSON.parse(line) as { id: string; name: string });
    expect(contacts).toHaveLength(537);

    const server = await serving(at, { ROSTER_RATE_LIMIT: '0' });
    const served = await Promise.all(
      contacts.map(async ({ id }) => {
        const url = `${server.address}/v2/chatbots/8839210412/contacts/${id}`;
        return (await fetch(url, { headers: { authorization: `Bearer ${at.token}` } })).json();
      }),
    );
    expect(served).toEqual(contacts.map((contact) => ({ status: 'success', data: contact })));
    server.child.kill();
    await server.ended;

    expect(contacts.find(({ name }) => name === 'Maria Cantwell')).toMatchObject({
      email: null,
      job_title: null,
      phone: '202-224-3441',
      website: 'https://www.cantwell.senate.gov',
      company: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    });
    // Two records have no full name; one of them has nothing but first and last name.
    expect(contacts.find(({ name }) => name === 'James Gallagher')).toMatchObject({
      phone: null,
      website: null,
    });
    expect(contacts.filter(({ name }) => name === 'Analilia Mejia')).toHaveLength(1);
  });

  it.each(['csv', 'ndjson', 'json'])(
    'are exported as %s, and imported again without a change',
    async (format) => {
      await using at = await withDesk();
      await at.json(['contacts', 'import', officials, ...toDesk]);
      const file = join(at.folder, `officials.${format}`);
      await at.run(['contacts', 'export', ...toDesk, '--output', file]);
      expect(await at.json(['contacts', 'import', file, ...toDesk])).toEqual(
        account({ read: 537, unchanged: 537 }),
      );
      expect(await at.json(['contacts', 'import', officials, ...toDesk])).toEqual(
        account({ read: 537, unchanged: 537 }),
      );

      await at.json(['chatbots', 'create', '--project', 'acme', '--name', 'Copy', '--id', 'copy']);
      await at.json(['contacts', 'import', file, '--chatbot', 'copy']);
      const [one, copy] = await Promise.all(
        ['8839210412', 'copy'].map(
          async (id) => (await at.run(['contacts', 'export', '--chatbot', id])).stdout,
        ),
      );
      expect(copy).toBe(one);
    },
  );

  it('can be named and identified by columns that the operator chooses', async () => {
    await using at = await withDesk();
    const map = ['--map', 'id=bioguide_id', '--map', 'name=wikipedia_id', '--map', 'company=party'];
    const { code, stdout, stderr } = await at.run([
      'contacts',
      'import',
      officials,
      ...toDesk,
      ...map,
      '--json',
    ]);
    expect(stderr).toContain('id <- bioguide_id');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(account({ read: 537, created: 537 }));
    const { stdout: exported } = await at.run(['contacts', 'export', ...toDesk]);
    expect(exported).toContain(
      'C000127,Maria Cantwell,,,202-224-3441,https://www.cantwell.senate.gov,Democrat,',
    );
  });
});

describe('an import', () => {
  it('accounts for every row, and gives refused ones back as they were', async () => {
    await using at = await withDesk();
    const file = join(at.folder, 'people.csv');
    const rejects = join(at.folder, 'refused.csv');
    writeFileSync(
      file,
      [
        'Name,E-mail,Phone,Note',
        'Ana,ana@example.com,+1 555 0100,ok',
        '"Two\nlines",two@example.com,,ok',
        'Bad,not an address,+1 555 0101,"=1+1, quoted"',
        ',,,nobody',
        'Short,short@example.com',
        'Ana again,ANA@example.com,,contradicts line 2',
      ].join('\n'),
    );
    const first = await at.run(['contacts', 'import', file, ...toDesk, '--rejects', rejects, '--json']);
    expect(first.code).toBe(65);
    expect(JSON.parse(first.stdout)).toEqual(
      account({ read: 6, created: 2, rejected: 4, rejects_file: rejects }),
    );
    expect(first.stderr).not.toMatch(/ana@|not an address/);
    const lines = readFileSync(rejects, 'utf8').trim().split('\n');
    expect(lines[0]).toBe('roster_line,roster_reason,Name,E-mail,Phone,Note');
    expect(lines).toContain('5,email is not an e-mail address,Bad,not an address,+1 555 0101,"=1+1, quoted"');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['roster_line', '5', '6', '7', '8']);

    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('not an address', 'mended@example.com'));
    const mended = await at.run(['contacts', 'import', rejects, ...toDesk, '--json']);
    expect(JSON.parse(mended.stdout)).toMatchObject({ read: 4, created: 1, updated: 1, rejected: 2 });
  });

  it('tells the second time of the same file that nothing changed', async () => {
    await using at = await withDesk();
    const file = join(at.folder, 'people.csv');
    writeFileSync(file, 'name,email,created_at\nA,a@example.com,2024-06-08 13:38\nB,,\nC,A@example.com,\n');
    const [first, second] = [
      await at.run(['contacts', 'import', file, ...toDesk, '--json']),
      await at.run(['contacts', 'import', file, ...toDesk, '--json']),
    ];
    expect(JSON.parse(first.stdout)).toEqual(account({ read: 3, created: 2, rejected: 1 }));
    expect(JSON.parse(second.stdout)).toEqual(account({ read: 3, unchanged: 2, rejected: 1 }));
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

  it('follows --on-conflict', async () => {
    await using at = await withDesk();
    const change = (name: string, ...more: string[]) =>
      at.run(['contacts', 'import', '-', '--format', 'ndjson', ...toDesk, '--json', ...more], {
        input: `{"id":"one","name":"${name}"}\n`,
      });
    expect(JSON.parse((await change('First')).stdout)).toEqual(account({ read: 1, created: 1 }));
    expect(JSON.parse((await change('Second', '--on-conflict', 'skip')).stdout)).toEqual(
      account({ read: 1, unchanged: 1 }),
    );
    expect(await change('Third', '--on-conflict', 'fail')).toMatchObject({ code: 65 });
    expect((await at.run(['contacts', 'export', ...toDesk])).stdout).toContain('First');
    expect(JSON.parse((await change('Fourth')).stdout)).toEqual(account({ read: 1, updated: 1 }));
  });

  it('keeps whole batches when the file breaks off, and says so', async () => {
    await using at = await withDesk();
    const rows = Array.from({ length: 1_400 }, (_, i) => `Person ${i},p${i}@example.com`);
    const { code, stderr } = await at.run(['contacts', 'import', '-', '--format', 'csv', ...toDesk], {
      input: `name,email\n${rows.join('\n')}\n"never closed,x@example.com\n`,
    });
    expect(code).toBe(65);
    expect(stderr).toContain('1000 created');
    expect(stderr).toMatch(/quote that is opened .* never closed/);
    expect((await at.run(['contacts', 'export', ...toDesk])).stdout.trim().split('\n')).toHaveLength(1_001);
  });

  it('ends with 130 when it is interrupted, and leaves whole batches', async () => {
    await using at = await withDesk();
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `Person ${from + i},p${from + i}@example.com\n`).join('');
    const running = at.start(['contacts', 'import', '-', '--format', 'csv', ...toDesk]);
    const input = running.child.stdin;
    input?.on('error', () => undefined).write(`name,email\n${lines(0, 1_500)}`);
    const stored = async () =>
      (await at.run(['contacts', 'export', ...toDesk])).stdout.trim().split('\n').length - 1;
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

  it('ends with 130 at once though its input is silent or holds refused rows only', async () => {
    await using at = await withDesk();
    const silent = at.start(['contacts', 'import', '-', ...toDesk]);
    const endless = at.start(['contacts', 'import', '-', '--format', 'ndjson', ...toDesk]);
    const feed = setInterval(() => endless.child.stdin?.write('{"email":"bad"}\n'.repeat(500)), 5);
    endless.child.stdin?.on('error', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 700));
    for (const { child } of [silent, endless]) child.kill('SIGINT');
    expect(await silent.ended).toMatchObject({ code: 130, stderr: '' });
    expect(await endless.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('Stopped after'),
    });
    clearInterval(feed);
  });

  it('of a large file accounts for every row, gives refused ones back, and stops where the file breaks off', async () => {
    await using at = await withDesk();
    const [file, rejects] = [join(at.folder, 'people.csv'), join(at.folder, 'refused.csv')];
    const note = 'x'.repeat(100);
    const rows = Array.from({ length: 20_500 }, (_, i) =>
      i % 5_000 === 4_321 ? `P ${i},bad,${note}\n` : `P ${i},p${i}@example.com,${note}\n`,
    );
    writeFileSync(file, `name,email,note\n${rows.join('')}"never closed`);
    const args = ['contacts', 'import', file, ...toDesk, '--rejects', rejects, '--json'];
    const dry = await at.run([...args, '--dry-run']);
    expect(dry).toMatchObject({ code: 65, stderr: expect.stringContaining('on or after line 20502') });
    const broken = await at.run(args);
    expect(broken).toMatchObject({ code: 65, stderr: expect.stringContaining('19996 created') });
    writeFileSync(file, `name,email,note\n${rows.join('')}`);
    const whole = await at.run(args);
    expect([whole.code, JSON.parse(whole.stdout)]).toEqual([
      65,
      account({ read: 20_500, created: 500, unchanged: 19_996, rejected: 4, rejects_file: rejects }),
    ]);
    expect(whole.stderr).toContain('left out: note');
    expect(readFileSync(rejects, 'utf8').trim().split('\n')).toEqual([
      'roster_line,roster_reason,name,email,note',
      ...[4_321, 9_321, 14_321, 19_321].map(
        (i) => `${i + 2},email is not an e-mail address,P ${i},bad,${note}`,
      ),
    ]);
  });

  it('of a large file ends with 130 when it is interrupted, and leaves whole batches', async () => {
    await using at = await withDesk();
    const file = join(at.folder, 'people.csv');
    const rows = Array.from({ length: 200_000 }, (_, i) => `Person ${i},p${i}@example.com\n`);
    writeFileSync(file, `name,email\n${rows.join('')}`);
    const running = at.start(['contacts', 'import', file, ...toDesk]);
    await expect.poll(() => running.stderr(), { timeout: 10_000 }).toContain('email <- email');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    const stored = (await at.run(['contacts', 'export', ...toDesk])).stdout.trim().split('\n').length - 1;
    expect(stored % 1_000).toBe(0);
    expect(stored).toBeLessThan(200_000);
  });

  it('gives refused rows back in the format that it found by itself', async () => {
    await using at = await withDesk();
    const rejects = join(at.folder, 'refused');
    const input = '{"email":"bad","name":"A"}\n{"phone":"1","email":"worse","x":{"y":1}}\nnot json\n';
    const { code } = await at.run(['contacts', 'import', '-', ...toDesk, '--rejects', rejects], { input });
    expect(code).toBe(65);
    const lines = readFileSync(rejects, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([
      { roster_line: 1, roster_reason: 'email is not an e-mail address', email: 'bad', name: 'A' },
      {
        roster_line: 2,
        roster_reason: 'email is not an e-mail address',
        phone: '1',
        email: 'worse',
        x: { y: 1 },
      },
      { roster_line: 3, roster_reason: 'is not JSON', roster_text: 'not json' },
    ]);
    writeFileSync(
      rejects,
      readFileSync(rejects, 'utf8').replace('"not json"', JSON.stringify('{"name":"Mended"}')),
    );
    const mended = await at.run(['contacts', 'import', rejects, ...toDesk, '--json']);
    expect(JSON.parse(mended.stdout)).toMatchObject({ read: 3, created: 1, rejected: 2 });
    const unknown = await at.run(['contacts', 'import', '-', ...toDesk, '--map', 'name=Nope'], {
      input: 'Full,email\nX,x@x.example\n',
    });
    expect([unknown.code, unknown.stderr]).toEqual([65, expect.stringContaining('no column "Nope"')]);
  });

  it('leaves no older rejects behind where none were refused, and none that others can read', async () => {
    await using at = await withDesk();
    const rejects = join(at.folder, 'refused.csv');
    writeFileSync(rejects, 'yesterday', { mode: 0o644 });
    const run = (input: string) =>
      at.run(['contacts', 'import', '-', '--format', 'csv', ...toDesk, '--rejects', rejects], { input });
    await run('name,email\nA,bad\n');
    expect(readFileSync(rejects, 'utf8')).not.toContain('yesterday');
    expect(statSync(rejects).mode & 0o077).toBe(0);
    await run('name,email\nA,a@example.com\n');
    expect(existsSync(rejects)).toBe(false);
  });

  it('refuses to put its rejects in the place of its input under another name', async () => {
    await using at = await withDesk();
    const file = join(at.folder, 'people.csv');
    writeFileSync(file, 'name,email\nA,bad\n');
    linkSync(file, join(at.folder, 'link.csv'));
    const args = ['contacts', 'import', file, ...toDesk, '--rejects', 'link.csv'];
    const { code, stderr } = await at.run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('in use')]);
    expect(readFileSync(file, 'utf8')).toContain('A,bad');
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

  it('shows no control characters of the file on the terminal', async () => {
    await using at = await withDesk();
    const input = 'name,\u001B]0;title\u0007\u009Bx\nA,B\n';
    const { stderr } = await at.run(['contacts', 'import', '-', '--format', 'csv', ...toDesk], { input });
    expect(stderr).toContain('left out: ?]0;title??x');
  });

  it('refuses to overwrite the file that it reads with its rejects', async () => {
    await using at = await withDesk();
    const file = join(at.folder, 'refused.csv');
    writeFileSync(file, 'name,email\nA,nonsense\n');
    const { code } = await at.run(['contacts', 'import', file, ...toDesk, '--rejects', file]);
    expect(code).toBe(2);
    expect(readFileSync(file, 'utf8')).toContain('nonsense');
  });

  it('reads the same people from CSV, NDJSON and a JSON array, with every delimiter and a byte-order mark', async () => {
    await using at = await withDesk();
    const inputs: [string, string][] = [
      ['csv', '\uFEFFid;name;phone\r\n1;"Müller; Ältere";+49 555 1\r\n'],
      ['csv', 'ID\tName\tPhone\n1\tMüller; Ältere\t+49 555 1\n'],
      ['csv', '_i-d|Na me|PHONE\n1|"Müller; Ältere"|\'+49 555 1\n'],
      [
        'ndjson',
        '\n{"id":1,"name":"Müller; Ältere","phone":"+49 555 1","email":null,"more":{"deep":[]}}\n\n',
      ],
      ['json', ' [ {"id":"1","name":" Müller; Ältere ","phone":"+49 555 1"} ] '],
    ];
    for (const [index, [format, input]] of inputs.entries()) {
      const result = await at.json(['contacts', 'import', '-', '--format', format, ...toDesk], { input });
      expect(result, input).toEqual(
        account({ read: 1, ...(index === 0 ? { created: 1 } : { unchanged: 1 }) }),
      );
    }
  });

  it('knows the format of stdin by its first character', async () => {
    await using at = await withDesk();
    for (const input of ['name\nA\n', '{"name":"A"}\n', '[{"name":"A"}]']) {
      expect(await at.json(['contacts', 'import', '-', ...toDesk], { input })).toMatchObject({
        read: 1,
        rejected: 0,
      });
    }
  });
});

describe('members', () => {
  it('are imported with several roles in a cell and exported in their order, the Owner first', async () => {
    await using at = await withDesk();
    const input =
      'E-mail;Role;Status\nBob@example.com;"viewer, ADMIN";active\nada@example.com;owner|Billing;Active\ncem@example.com;Agent;\n';
    expect(
      await at.json(['members', 'import', '-', '--format', 'csv', '--project', 'acme'], { input }),
    ).toEqual(account({ read: 3, created: 3 }));
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

  it('without an address, a role or a known status are refused, each with its reason', async () => {
    await using at = await withDesk();
    const input =
      'email,roles,status\n,Admin,\na@example.com,,\nb@example.com,Boss,\nc@example.com,Admin,Gone\n';
    const { code, stdout, stderr } = await at.run(
      ['members', 'import', '-', '--format', 'csv', '--project', 'acme', '--json'],
      { input },
    );
    expect([code, JSON.parse(stdout)]).toEqual([65, account({ read: 4, rejected: 4 })]);
    for (const reason of [
      'email is missing',
      'roles is missing',
      'roles holds another than',
      'status is not one of',
    ]) {
      expect(stderr).toContain(reason);
    }
  });
});
