import { existsSync, linkSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { account, type Desk, toDesk, withDesk } from '../support/desk.ts';
import type { Running } from '../support/program.ts';

/** Writes to the program, and waits until that is taken over. */
const taken = ({ child }: Running, text: string) =>
  new Promise((resolve) => {
    child.stdin?.write(text, resolve);
  });

const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n');
const namesIn = async (at: Desk) => (await at.everybody()).map(({ name }) => name);

describe('a file that is imported', () => {
  it.runIf(existsSync('/dev/full'))('of any format is counted whole where its rejects cannot be written', async () => {
    await using at = await withDesk();
    for (const input of [
      'name,website\nAna,\nBo,not a site\nCy,\n',
      '[{"name":"Di"},{"name":"Ed","website":"not a site"},{"name":"Flo"}]',
    ]) {
      const { code, stderr } = await at.take(input, '--rejects', '/dev/full');
      expect([code, stderr]).toEqual([74, expect.stringContaining('Stopped after 3 rows: 2 created')]);
      expect(stderr).toMatch(/disk is full.*: \/dev\/full\.$/m);
    }
  });

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
    expect(JSON.parse(first.stdout)).toEqual(account({ read: 6, created: 2, rejected: 4, rejects_file: rejects }));
    expect(first.stderr).not.toMatch(/ana@|not an address/);
    const lines = linesOf(rejects);
    expect(lines[0]).toBe('roster_line,roster_reason,Name,E-mail,Phone,Note');
    expect(lines).toContain('5,email is not an e-mail address,Bad,not an address,+1 555 0101,"\'=1+1, quoted"');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['roster_line', '5', '6', '7', '8']);

    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('not an address', 'mended@example.com'));
    const mended = await at.run(['contacts', 'import', rejects, ...toDesk, '--json']);
    expect(JSON.parse(mended.stdout)).toMatchObject({ read: 4, created: 1, updated: 0, rejected: 3 });
  });

  it('ends with 130 at once though its input is silent or holds refused rows only', async () => {
    await using at = await withDesk();
    const silent = at.start(['contacts', 'import', '-', ...toDesk]);
    const endless = at.start(['contacts', 'import', '-', '--format', 'ndjson', ...toDesk]);
    const refused = '{"email":"bad"}\n';
    for (const { child } of [silent, endless]) child.stdin?.on('error', () => undefined);
    // More than a pipe holds: what has been taken over is being read.
    await Promise.all([taken(silent, '\n'.repeat(200_000)), taken(endless, refused.repeat(10_000))]);
    const feed = setInterval(() => endless.child.stdin?.write(refused.repeat(500)), 5);
    for (const { child } of [silent, endless]) child.kill('SIGINT');
    expect(await silent.ended).toMatchObject({ code: 130, stderr: '' });
    expect(await endless.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('Stopped after'),
    });
    clearInterval(feed);
  });

  it('over several batches gives refused rows back, and stops where the file breaks off', async () => {
    await using at = await withDesk();
    const [file, rejects] = [join(at.folder, 'people.csv'), join(at.folder, 'refused.csv')];
    const note = 'x'.repeat(100);
    const rows = Array.from({ length: 2_500 }, (_, i) =>
      i % 1_000 === 321 ? `P ${i},bad,${note}\n` : `P ${i},p${i}@example.com,${note}\n`,
    );
    writeFileSync(file, `name,email,note\n${rows.join('')}"never closed`);
    const args = ['contacts', 'import', file, ...toDesk, '--rejects', rejects, '--json'];
    const dry = await at.run([...args, '--dry-run']);
    expect(dry).toMatchObject({ code: 65, stderr: expect.stringContaining('on or after line 2502') });
    const broken = await at.run(args);
    expect(broken).toMatchObject({ code: 65, stderr: expect.stringContaining('1998 created') });
    writeFileSync(file, `name,email,note\n${rows.join('')}`);
    const whole = await at.run(args);
    expect([whole.code, JSON.parse(whole.stdout)]).toEqual([
      65,
      account({ read: 2_500, created: 499, unchanged: 1_998, rejected: 3, rejects_file: rejects }),
    ]);
    expect(whole.stderr).toContain('left out: note');
    expect(linesOf(rejects)).toEqual([
      'roster_line,roster_reason,name,email,note',
      ...[321, 1_321, 2_321].map((i) => `${i + 2},email is not an e-mail address,P ${i},bad,${note}`),
    ]);
  });

  it('has its format known by the first character, and refused rows given back in it', async () => {
    await using at = await withDesk();
    for (const input of ['name\nA\n', '{"name":"A"}\n', '[{"name":"A"}]'])
      expect((await at.take(input)).report).toMatchObject({ read: 1, rejected: 0 });
    const rejects = join(at.folder, 'refused');
    const input = '{"email":"bad","name":"A"}\n{"phone":"1","email":"worse","x":{"y":1}}\nnot json\n';
    expect((await at.take(input, '--rejects', rejects)).code).toBe(65);
    const roster_reason = 'email is not an e-mail address';
    expect(linesOf(rejects).map((line) => JSON.parse(line) as object)).toEqual([
      { roster_line: 1, roster_reason, email: 'bad', name: 'A' },
      { roster_line: 2, roster_reason, phone: '1', email: 'worse', x: { y: 1 } },
      { roster_line: 3, roster_reason: 'is not JSON', roster_text: 'not json' },
    ]);
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('"not json"', JSON.stringify('{"name":"Mended"}')));
    const { report } = await at.take(readFileSync(rejects, 'utf8'));
    expect(report).toMatchObject({ read: 3, created: 1, rejected: 2 });
  });
});

describe('a file of rejects', () => {
  it('takes the place of the one before, is read by nobody else, and is gone once nothing is refused', async () => {
    await using at = await withDesk();
    const rejects = join(at.folder, 'refused.csv');
    const into = ['--rejects', rejects];
    const wrong = 'roster_line,roster_reason,name,email\n2,email is not an e-mail address,A,bad\n';
    writeFileSync(rejects, wrong, { mode: 0o644 });
    // A dry run that refuses nothing leaves it.
    expect((await at.take('name\nB\n', ...into, '--dry-run')).code).toBe(0);
    expect(readFileSync(rejects, 'utf8')).toBe(wrong);
    expect((await at.take('name,email\nB,worse\n', ...into, '--dry-run')).code).toBe(65);
    expect(readFileSync(rejects, 'utf8')).toBe(wrong.replace('A,bad', 'B,worse'));
    expect(statSync(rejects).mode & 0o077).toBe(0);
    expect((await at.take('name\nB\n', ...into)).code).toBe(0);
    expect(existsSync(rejects)).toBe(false);
  });

  it('never takes the place of a file that holds anything else, behind a link too, nor of its input', async () => {
    await using at = await withDesk();
    const [other, link] = [join(at.folder, 'other.csv'), join(at.folder, 'link.csv')];
    symlinkSync(other, link);
    writeFileSync(other, 'keep me\n');
    for (const [input, file, ...more] of [
      ['name,email\nA,a@example.com\n', other],
      ['name,email\nA,bad\n', other, '--dry-run'],
      ['name,email\nA,bad\n', link],
    ] as const) {
      const { code, report, stderr } = await at.take(input, '--rejects', file, ...more);
      expect([code, report, stderr]).toEqual([74, undefined, expect.stringContaining('holds something else')]);
      expect(readFileSync(other, 'utf8')).toBe('keep me\n');
    }
    writeFileSync(other, '');
    for (const name of ['B', 'C'])
      expect((await at.take(`name,email\n${name},bad\n`, '--rejects', link)).code).toBe(65);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(other, 'utf8')).toMatch(/^roster_line,roster_reason,name,email\n2,.*,C,bad\n$/);
    const people = join(at.folder, 'people.csv');
    writeFileSync(people, 'name,email\nA,bad\n');
    linkSync(people, join(at.folder, 'same.csv'));
    const { code, stderr } = await at.run(['contacts', 'import', people, ...toDesk, '--rejects', 'same.csv']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('in use')]);
    expect(readFileSync(people, 'utf8')).toContain('A,bad');
  });

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
    const { stderr } = await at.run(['contacts', 'import', people, ...args, '--rejects', rejects]);
    expect(stderr).toContain(`and run: roster contacts import ${rejects} --chatbot 8839210412 --keep-columns\n`);
    const text = readFileSync(rejects, 'utf8');
    expect(linesOf(rejects)[0]).toBe("roster_line,roster_reason,'=Sum,name,email");
    expect(text).toContain("address,'@x,Bo,bad\n");
    expect(text).toContain(']",\'=2,Bob,ANA@example.com\n');
    const again = await at.run(['contacts', 'import', rejects, ...args, '--json', '--rejects', 'again.csv']);
    expect(JSON.parse(again.stdout)).toEqual(account({ read: 2, rejected: 2, rejects_file: 'again.csv' }));
    expect(linesOf(join(at.folder, 'again.csv'))[0]).toBe(linesOf(rejects)[0]);
    writeFileSync(rejects, text.replace('bad', 'bo@example.com').replace('ANA@', 'bob@'));
    expect(await at.json(['contacts', 'import', rejects, ...args])).toMatchObject({ created: 2 });
    const stored = (await at.everybody()).map(({ attributes }) => attributes);
    expect(stored).toEqual([{ sum: '=1+1' }, { sum: '@x' }, { sum: '=2' }]);
  });

  it('of rows that a policy rejected, and of JSON with rounded numbers, overwrites nobody either', async () => {
    await using at = await withDesk();
    const rejects = join(at.folder, 'rejected.ndjson');
    await at.take('{"id":"1","name":"Ana"}');
    const input = '{"id":"2","name":"Bo"}\n\n{"id":"1","name":"Cem","number":12345678901234567891}\n';
    const { stderr } = await at.take(input, '--on-conflict', 'fail', '--rejects', rejects);
    expect(stderr).toContain('line 3: is stored already with other values (--on-conflict fail): name\n');
    expect((await at.take(readFileSync(rejects, 'utf8'))).report).toEqual(account({ read: 1, rejected: 1 }));
    expect(await namesIn(at)).toEqual(['Ana', 'Bo']);
  });
});
