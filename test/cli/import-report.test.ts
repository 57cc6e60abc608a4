import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { account, data, toDesk, withDesk } from '../support/desk.ts';
import type { Installation } from '../support/process.ts';

const contactsFrom = ['contacts', 'import', '-', ...toDesk];
const membersFrom = ['members', 'import', '-', '--project', 'acme'];
const linesOf = (text: string) => text.trim().split('\n');
const namesIn = async (at: Installation) =>
  (await at.json<{ name: string | null }[]>(['contacts', 'export', ...toDesk])).map(({ name }) => name);

describe('the report of an import', () => {
  it('counts people who share all mapped cells as people, and suggests the column that tells them apart', async () => {
    await using at = await withDesk();
    const person = (i: number) => `${i < 1_100 ? 'William Smith' : `Person ${i}`},sen,S${i}\n`;
    const people = Array.from({ length: 2_400 }, (_, i) => person(i)).join('');
    const first = await at.run([...contactsFrom, '--json'], { input: `name,type,bioguide\n${people}` });
    expect(JSON.parse(first.stdout)).toEqual(account({ read: 2_400, created: 2_400 }));
    expect(first.stderr).toMatch(/each of 2400 rows has another value here: --map id=bioguide$/m);
    expect(first.stderr).not.toMatch(/William|S\d/);
    const doubled = `name,type,bioguide\n${people}${linesOf(people).slice(500, 540).join('\n')}\n`;
    const second = await at.run([...contactsFrom, '--json'], { input: doubled });
    expect(JSON.parse(second.stdout)).toEqual(account({ read: 2_440, unchanged: 2_400, duplicates: 40 }));
    expect(second.stderr).not.toContain('--map');
  });

  it('sums up rejected rows by reason, the most frequent first and without line numbers', async () => {
    await using at = await withDesk();
    const rows = [
      'A,a@example.com,',
      ...Array.from({ length: 3 }, (_, i) => `A${i},a@example.com,`),
      ...Array.from({ length: 12 }, (_, i) => `B${i},bad,`),
      'C,bad,nonsense',
    ];
    const input = `name,email,website\n${rows.join('\n')}\n`;
    const reasons = [
      'reasons:',
      '  13 × email is not an e-mail address',
      '   3 × contradicts line …',
      '   1 × website is not a web address',
    ];
    const text = await at.run(contactsFrom, { input });
    expect(linesOf(text.stdout).slice(-6)).toEqual(['rejects_file: -', 'encoding:     utf-8', ...reasons]);
    const json = await at.run([...contactsFrom, '--json'], { input });
    expect(linesOf(json.stderr).slice(-4)).toEqual(reasons);
    expect(JSON.parse(json.stdout)).toEqual(account({ read: 17, unchanged: 1, rejected: 16 }));
    expect(json.stderr).toContain('line 3: contradicts line 2: name\n');
  });

  it('shows the first three people in a dry run, and nobody otherwise', async () => {
    await using at = await withDesk();
    const input = 'Full,Mail\nbad,bad\nAna,ana@example.com\nBo,\nCem,cem@example.com\nDee,\n';
    const args = [...contactsFrom, '--map', 'name=Full'];
    const dry = await at.run([...args, '--dry-run'], { input });
    expect(dry.stderr).toContain(
      '  line 3\n    name:  Ana\n    email: ana@example.com\n  line 4\n    name: Bo\n  line 5\n    name:  Cem\n    email: cem@example.com\n',
    );
    expect(dry.stderr).not.toContain('Dee');
    expect((await at.run(args, { input })).stderr).not.toMatch(/Ana|Bo|Cem/);
  });

  it('suggests options for columns that it leaves out and that look like a field', async () => {
    await using at = await withDesk();
    const input = 'Callname;Birthname;E-Mail;Shop;E-Mail;Shop\nAna;Ferreira;;Example Ltd;ana@example.com;\n';
    const { stderr } = await at.run(contactsFrom, { input });
    expect(stderr).toContain(
      'email <- E-Mail, else the second E-Mail\nleft out: Callname, Birthname, Shop, the second Shop\ndid you mean --map name="{Callname} {Birthname}"? Or --map name=Callname? Or --map name=Birthname?\n',
    );
    const again = await at.run([...contactsFrom, '--map', 'name={Callname} {Birthname}'], { input });
    expect(again.stderr).not.toContain('did you mean');
    expect(await namesIn(at)).toEqual(['Ana Ferreira']);
  });

  it('calls a column without a heading by its place, and says why --keep-columns cannot keep one', async () => {
    await using at = await withDesk();
    const input = 'name,,Party,party,2nd seat,Größe,ana@example.com\nA,x,y,z,1,2,3\n';
    expect((await at.run(contactsFrom, { input })).stderr).toContain(
      'left out: column 2, Party, party, 2nd seat, Größe, column 7\n',
    );
    const { code, stderr } = await at.run([...contactsFrom, '--keep-columns'], { input });
    expect([code, linesOf(stderr)]).toEqual([
      0,
      [
        'name <- name',
        'attributes.party <- Party',
        'attributes.grosse <- Größe',
        'left out, as no attribute can be called so (name it with --map attributes.NAME=HEADING): column 2, 2nd seat, column 7',
        'left out, as another column has the name: party',
      ],
    ]);
  });
});

describe('the warnings of an import', () => {
  const warning = (message: string, ...lines: number[]) => ({ message, count: lines.length, lines });
  const german = data('exports/german.csv');

  it('tell what is not taken of a file, and what a spreadsheet has broken, with the lines', async () => {
    await using at = await withDesk();
    const first = await at.json(['contacts', 'import', german, ...toDesk]);
    const warnings = [
      warning('more than one e-mail; the first was taken', 3),
      warning('more than one phone; the first was taken', 3),
      warning('phone looks like a number that a spreadsheet has shortened', 4),
    ];
    expect(first).toEqual(account({ read: 3, created: 3, encoding: 'windows-1252', warnings }));
    const text = await at.run(['contacts', 'import', german, ...toDesk]);
    expect(text.code).toBe(0);
    expect(text.stderr).toContain('Read as windows-1252, which is a guess;');
    expect(text.stderr).toContain('warnings:\n  1 × more than one e-mail; the first was taken (line 3)\n');
    expect(linesOf(text.stdout)).toContain('encoding:     windows-1252');
    const kept = await at.run(['contacts', 'import', german, ...toDesk, '--keep-columns', '--encoding', 'cp1252']);
    expect(kept.stderr).not.toContain('guess');
    expect(kept.stderr).toContain('the first was taken, and the others became attributes (line 3)');
    const people = await at.json<object[]>(['contacts', 'export', ...toDesk]);
    expect(people[1]).toMatchObject({
      email: 'joerg.weiss@example.com',
      phone: '030 555 0101',
      attributes: { anrede: 'Herr', email_2: 'j.weiss@example.org', kundengruppe: 'B', phone_2: '0171 555 0102' },
    });
  });

  it('tell of the further values that Google puts into a cell or a column', async () => {
    await using at = await withDesk();
    const { warnings } = await at.json<{ warnings: object[] }>([
      'contacts',
      'import',
      data('exports/google-contacts-old.csv'),
      ...toDesk,
    ]);
    expect(warnings).toEqual([
      warning('more than one e-mail; the first was taken', 3),
      warning('more than one phone; the first was taken', 4),
    ]);
  });

  it('tell of numbers without a digit, and of e-mails that several have or that come with another name', async () => {
    await using at = await withDesk();
    for (const name of ['Ana', 'Bo']) {
      await at.json(['contacts', 'create', ...toDesk, '--set', `name=${name}`, '--set', 'email=both@example.com']);
    }
    const input = 'name,email,phone\nCem,both@example.com,n/a\n';
    const warnings = [
      'phone has no digit',
      'several stored people fit; the one that was stored first was taken',
      'an e-mail that was known has come with another name',
    ];
    const report = account({ read: 1, updated: 1, warnings: warnings.map((one) => warning(one, 2)) });
    expect(await at.json([...contactsFrom, '--dry-run'], { input })).toEqual(report);
    expect(await at.json(contactsFrom, { input })).toEqual(report);
  });
});

describe('a lenient import', () => {
  it('leaves bad optional values out and counts them, but rejects a row with a bad id or nothing left', async () => {
    await using at = await withDesk();
    const input = [
      'id,name,email,website,created_at',
      '1,Ana,bad,nonsense,2024-06-08',
      '2,Bo,bo@example.com,,06/08/2024',
      `${'x'.repeat(65)},Cem,bad,,`,
      '4,,bad,,',
    ].join('\n');
    const strict = await at.run([...contactsFrom, '--json'], { input });
    expect(JSON.parse(strict.stdout)).toEqual(account({ read: 4, rejected: 4 }));
    const lenient = await at.run([...contactsFrom, '--lenient', '--json'], { input });
    expect(JSON.parse(lenient.stdout)).toMatchObject({
      read: 4,
      created: 2,
      rejected: 2,
      left_out: [
        { message: 'email is not an e-mail address', count: 1, lines: [2] },
        { message: 'website is not a web address', count: 1, lines: [2] },
        { message: expect.stringMatching(/^created_at is /), count: 1, lines: [3] },
      ],
    });
    expect(lenient.stderr).toMatch(
      /left out by --lenient:\n {2}1 × email is [^\n]* \(line 2\)\n {2}1 × website is [^\n]*\n {2}1 × created_at is /,
    );
    expect(await namesIn(at)).toEqual(['Ana', 'Bo']);
    const again = await at.run([...contactsFrom, '--lenient', '--json'], { input });
    expect(JSON.parse(again.stdout)).toMatchObject({ read: 4, unchanged: 2, rejected: 2 });
  });

  it('of JSON leaves values out that are no texts', async () => {
    await using at = await withDesk();
    const input = '{"id":"1","name":"Ana","phone":{"home":1}}\n{"id":{},"name":"Bo"}\n';
    const { stdout } = await at.run([...contactsFrom, '--lenient', '--json'], { input });
    expect(JSON.parse(stdout)).toMatchObject({ read: 2, created: 1, rejected: 1 });
  });

  it('of members leaves out a bad status, and never a role or an address', async () => {
    await using at = await withDesk();
    const input = 'email,roles,status\na@example.com,Admin,Gone\nb@example.com,"Admin,Boss",\nbad,Admin,\n';
    const { stdout } = await at.run([...membersFrom, '--lenient', '--json'], { input });
    expect(JSON.parse(stdout)).toMatchObject({ read: 3, created: 1, rejected: 2 });
    expect((await at.run(['members', 'export', '--project', 'acme'])).stdout).toContain('a@example.com,Pending,Admin');
  });
});

describe('a rejects file', () => {
  it('says which fields differ and how to import it, and overwrites nobody until it is mended', async () => {
    await using at = await withDesk();
    const rejects = join(at.folder, 'rejected rows.csv');
    const people = join(at.folder, 'people.csv');
    writeFileSync(people, 'Full,Mail,Phone\nAna,a@example.com,1\nBo,A@example.com,2\nCem,a@example.com,1\n');
    const args = [people, ...toDesk, '--map', 'name=Full', '--on-conflict', 'update'];
    const first = await at.run(['contacts', 'import', ...args, '--rejects', rejects]);
    const command = `roster contacts import "${rejects}" --chatbot 8839210412 --map name=Full`;
    expect(first.stderr).toContain(`and run: ${command}\n`);
    const whole = readFileSync(rejects, 'utf8');
    const shown = whole.replaceAll('""', '"');
    expect(shown).toContain(
      `3,"contradicts line 2: name, phone; mend it, or empty this cell to import it as it is, and run: ${command} [row `,
    );
    expect(shown).toContain('4,"contradicts line 2: name; ');

    const again = () => at.shell(`${command.replace('roster ', '')} --json --rejects again.csv`);
    const unmended = await again();
    expect(JSON.parse(unmended.stdout)).toEqual(account({ read: 2, rejected: 2, rejects_file: 'again.csv' }));
    expect(unmended.stderr).toContain('is unchanged since it was rejected');
    expect(await namesIn(at)).toEqual(['Ana']);
    const reasons = (file: string) => readFileSync(file, 'utf8').replaceAll(/^\d+/gm, '');
    expect(reasons(join(at.folder, 'again.csv'))).toBe(reasons(rejects));

    writeFileSync(rejects, whole.replace('Bo,', 'Bob,').replace(/^4,".*\]",/m, '4,,'));
    const mended = await again();
    expect(JSON.parse(mended.stdout)).toMatchObject({ read: 2, updated: 1, rejected: 1 });
    expect(mended.stderr).toContain('contradicts line 2: name, phone\n');
    writeFileSync(rejects, whole.replace(/^3.*\n/m, '').replace(/^4,".*\]",/m, '4,,'));
    expect(JSON.parse((await again()).stdout)).toMatchObject({ read: 1, updated: 1 });
    expect(await namesIn(at)).toEqual(['Cem']);
  });

  it('keeps formulas from running, is rejected again where unmended, and gives the text back where mended', async () => {
    await using at = await withDesk();
    const [people, rejects] = [join(at.folder, 'people.csv'), join(at.folder, 'rejected.csv')];
    writeFileSync(people, "=Sum,name,email\n=1+1,Ana,ana@example.com\n@x,Bo,bad\n'=2,Bob,ANA@example.com\n");
    const args = [...toDesk, '--keep-columns'];
    await at.run(['contacts', 'import', people, ...args, '--rejects', rejects]);
    const text = readFileSync(rejects, 'utf8');
    expect(linesOf(text)[0]).toBe("roster_line,roster_reason,'=Sum,name,email");
    expect(text).toContain("address,'@x,Bo,bad\n");
    expect(text).toContain(']",\'=2,Bob,ANA@example.com\n');
    const again = await at.run(['contacts', 'import', rejects, ...args, '--json', '--rejects', 'again.csv']);
    expect(JSON.parse(again.stdout)).toEqual(account({ read: 2, rejected: 2, rejects_file: 'again.csv' }));
    expect(again.stderr).toContain('is unchanged since it was rejected');
    expect(linesOf(readFileSync(join(at.folder, 'again.csv'), 'utf8'))[0]).toBe(linesOf(text)[0]);
    writeFileSync(rejects, text.replace('bad', 'bo@example.com').replace('ANA@', 'bob@'));
    expect(await at.json(['contacts', 'import', rejects, ...args])).toMatchObject({ created: 2 });
    const stored = await at.json<{ attributes: unknown }[]>(['contacts', 'export', ...toDesk]);
    expect(stored.map(({ attributes }) => attributes)).toEqual([{ sum: '=1+1' }, { sum: '@x' }, { sum: '=2' }]);
  });

  it('of rows that a policy rejected, and of JSON with rounded numbers, overwrites nobody either', async () => {
    await using at = await withDesk();
    const rejects = join(at.folder, 'rejected.ndjson');
    await at.json(contactsFrom, { input: '{"id":"1","name":"Ana"}' });
    const { stderr } = await at.run([...contactsFrom, '--on-conflict', 'fail', '--rejects', rejects], {
      input: '{"id":"2","name":"Bo"}\n\n{"id":"1","name":"Cem","number":12345678901234567891}\n',
    });
    expect(stderr).toContain('line 3: is stored already with other values (--on-conflict fail): name\n');
    const second = await at.run(['contacts', 'import', rejects, ...toDesk, '--json']);
    expect(JSON.parse(second.stdout)).toEqual(account({ read: 1, rejected: 1 }));
    expect(await namesIn(at)).toEqual(['Ana', 'Bo']);
  });
});

describe('members without a column for their roles', () => {
  it.each([
    ['csv', 'email,Role name\na@example.com,Admin\nb@example.com,Admin\n'],
    ['ndjson', '{"email":"a@example.com","Role name":"Admin"}\n{"email":"b@example.com","Role name":"Admin"}\n'],
  ])('are refused once in %s, with a suggestion that can be pasted', async (_, input) => {
    await using at = await withDesk();
    const { code, stderr } = await at.run(membersFrom, { input });
    expect([code, stderr]).toEqual([
      65,
      'roster: The file has no column for roles; did you mean --map roles="Role name"? It has: email, Role name.\n',
    ]);
    expect(await at.json([...membersFrom, '--map', 'roles=Role name'], { input })).toMatchObject({ created: 2 });
  });
});
