import { existsSync, linkSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { account, toDesk, withDesk } from '../support/desk.ts';
import type { Running } from '../support/program.ts';

/** Writes to the program, and waits until that is taken over. */
const taken = ({ child }: Running, text: string) =>
  new Promise((resolve) => {
    child.stdin?.write(text, resolve);
  });

describe('a file that is imported', () => {
  it.runIf(existsSync('/dev/full'))('is counted whole where its rejects cannot be written', async () => {
    await using at = await withDesk();
    const input = 'name,website\nAna,\nBo,not a site\nCy,\n';
    const args = ['contacts', 'import', '-', ...toDesk, '--format', 'csv', '--rejects', '/dev/full'];
    const { code, stderr } = await at.run(args, { input });
    expect([code, stderr]).toEqual([74, expect.stringContaining('Stopped after 3 rows: 2 created')]);
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
    const lines = readFileSync(rejects, 'utf8').trim().split('\n');
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
    await Promise.all([taken(silent, '\n'.repeat(500_000)), taken(endless, refused.repeat(30_000))]);
    const feed = setInterval(() => endless.child.stdin?.write(refused.repeat(500)), 5);
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
    const rows = Array.from({ length: 8_500 }, (_, i) =>
      i % 2_000 === 1_321 ? `P ${i},bad,${note}\n` : `P ${i},p${i}@example.com,${note}\n`,
    );
    writeFileSync(file, `name,email,note\n${rows.join('')}"never closed`);
    const args = ['contacts', 'import', file, ...toDesk, '--rejects', rejects, '--json'];
    const dry = await at.run([...args, '--dry-run']);
    expect(dry).toMatchObject({ code: 65, stderr: expect.stringContaining('on or after line 8502') });
    const broken = await at.run(args);
    expect(broken).toMatchObject({ code: 65, stderr: expect.stringContaining('7996 created') });
    writeFileSync(file, `name,email,note\n${rows.join('')}`);
    const whole = await at.run(args);
    expect([whole.code, JSON.parse(whole.stdout)]).toEqual([
      65,
      account({ read: 8_500, created: 500, unchanged: 7_996, rejected: 4, rejects_file: rejects }),
    ]);
    expect(whole.stderr).toContain('left out: note');
    expect(readFileSync(rejects, 'utf8').trim().split('\n')).toEqual([
      'roster_line,roster_reason,name,email,note',
      ...[1_321, 3_321, 5_321, 7_321].map((i) => `${i + 2},email is not an e-mail address,P ${i},bad,${note}`),
    ]);
  });

  it('leaves the rejects of an earlier import alone in a dry run that rejects nothing', async () => {
    await using at = await withDesk();
    const rejects = join(at.folder, 'rejected.csv');
    const args = ['contacts', 'import', '-', '--format', 'csv', ...toDesk, '--rejects', rejects];
    const wrong = 'roster_line,roster_reason,name,email\n2,email is not an e-mail address,A,bad\n';
    writeFileSync(rejects, wrong);
    expect((await at.run([...args, '--dry-run'], { input: 'name\nB\n' })).code).toBe(0);
    expect(readFileSync(rejects, 'utf8')).toBe(wrong);
    expect((await at.run([...args, '--dry-run'], { input: 'name,email\nB,worse\n' })).code).toBe(65);
    expect(readFileSync(rejects, 'utf8')).toBe(wrong.replace('A,bad', 'B,worse'));
    expect((await at.run(args, { input: 'name\nB\n' })).code).toBe(0);
    expect(existsSync(rejects)).toBe(false);
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
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('"not json"', JSON.stringify('{"name":"Mended"}')));
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
    writeFileSync(rejects, 'roster_line,roster_reason,name\n2,yesterday,A\n', { mode: 0o644 });
    const run = (input: string) =>
      at.run(['contacts', 'import', '-', '--format', 'csv', ...toDesk, '--rejects', rejects], { input });
    await run('name,email\nA,bad\n');
    expect(readFileSync(rejects, 'utf8')).not.toContain('yesterday');
    expect(statSync(rejects).mode & 0o077).toBe(0);
    await run('name,email\nA,a@example.com\n');
    expect(existsSync(rejects)).toBe(false);
  });

  it('never puts its rejects in the place of a file that holds anything else', async () => {
    await using at = await withDesk();
    const other = join(at.folder, 'other.csv');
    writeFileSync(other, 'keep me\n');
    const args = ['contacts', 'import', '-', '--format', 'csv', ...toDesk, '--rejects', other];
    for (const more of [[], ['--dry-run']])
      for (const input of ['name,email\nA,a@example.com\n', 'name,email\nA,bad\n']) {
        const { code, stdout, stderr } = await at.run([...args, ...more], { input });
        expect([code, stdout]).toEqual([74, '']);
        expect(stderr).toContain('holds something else');
      }
    expect(readFileSync(other, 'utf8')).toBe('keep me\n');
    writeFileSync(other, '');
    expect((await at.run(args, { input: 'name,email\nA,bad\n' })).code).toBe(65);
  });

  it('looks behind a link at what its rejects would be added to, and leaves the link', async () => {
    await using at = await withDesk();
    const [other, link] = [join(at.folder, 'other.csv'), join(at.folder, 'link.csv')];
    symlinkSync(other, link);
    const args = ['contacts', 'import', '-', '--format', 'csv', ...toDesk, '--rejects', link];
    const refuse = (name: string) => at.run(args, { input: `name,email\n${name},bad\n` });
    writeFileSync(other, 'keep me\n');
    const { code, stderr } = await refuse('A');
    expect([code, stderr]).toEqual([74, expect.stringContaining('holds something else')]);
    expect(readFileSync(other, 'utf8')).toBe('keep me\n');
    writeFileSync(other, '');
    for (const name of ['B', 'C']) expect((await refuse(name)).code).toBe(65);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(other, 'utf8')).toMatch(/^roster_line,roster_reason,name,email\n2,.*,C,bad\n$/);
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

  it('shows no control characters of the file on the terminal', async () => {
    await using at = await withDesk();
    const input = 'name,\u001B]0;title\u0007\u009Bx\nA,B\n';
    const { stderr } = await at.run(['contacts', 'import', '-', '--format', 'csv', ...toDesk], { input });
    expect(stderr).toContain('left out: ?]0;title??x');
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

describe('members in a file', () => {
  it('without an address, a role or a known status are refused, each with its reason', async () => {
    await using at = await withDesk();
    const input = 'email,roles,status\n,Admin,\na@example.com,,\nb@example.com,Boss,\nc@example.com,Admin,Gone\n';
    const { code, stdout, stderr } = await at.run(
      ['members', 'import', '-', '--format', 'csv', '--project', 'acme', '--json'],
      { input },
    );
    expect([code, JSON.parse(stdout)]).toEqual([65, account({ read: 4, rejected: 4 })]);
    for (const reason of ['email is missing', 'roles is missing', 'roles holds another than', 'status is not one of']) {
      expect(stderr).toContain(reason);
    }
  });
});
