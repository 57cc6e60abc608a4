import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { data, officials, toDesk, withDesk } from '../support/desk.ts';
import { aContact } from '../support/people.ts';
import { anInstallation, aProjectThere } from '../support/process.ts';

describe('the exports of other products', () => {
  it.each([
    ['chatling', { id: expect.any(String), name: expect.any(String), email: expect.any(String) }],
    ['chatbase', { email: expect.any(String), created_at: expect.stringMatching(/^2024|^2025|^2026/) }],
    ['chatwoot', { id: expect.any(String), phone: expect.stringMatching(/^\+/), tags: ['customer', 'vip'] }],
    [
      'hubspot',
      {
        id: expect.any(String),
        company: expect.any(String),
        job_title: expect.any(String),
        first_name: 'Chloé',
        last_name: 'Béranger',
      },
    ],
    ['intercom', { external_id: 'user-7001', city: 'İzmir', country: 'Türkiye', tags: ['beta', 'paying'] }],
    [
      'google-contacts',
      {
        name: expect.stringContaining(' '),
        email: expect.stringContaining('@'),
        address: '1 Example Street',
        city: 'Exampleville',
        postal_code: '00000',
        country: 'FR',
        tags: ['clients'],
      },
    ],
    ['google-contacts-old', { name: expect.stringContaining(' '), company: expect.any(String) }],
    [
      'german',
      {
        name: 'Zoë Groß',
        first_name: 'Zoë',
        last_name: 'Groß',
        email: 'zoe.gross@example.com',
        company: 'Bäckerei Müller GmbH',
        job_title: 'Geschäftsführerin',
        address: 'Beispielstraße 1',
        postal_code: '01234',
        city: 'Köln',
        country: 'Deutschland',
        created_at: '2025-11-24T13:30:00+00:00',
      },
    ],
    [
      'outlook',
      {
        name: expect.stringContaining(' '),
        email: expect.stringContaining('@'),
        job_title: expect.not.stringMatching(/^(Mr|Ms|Dr)/),
        address: '12 Example Road',
        city: 'Exampleton',
        country: 'Ireland',
      },
    ],
  ])('%s: every row is read, by its own headings', async (product, someone) => {
    await using at = await withDesk();
    const result = await at.json(['contacts', 'import', data(`exports/${product}.csv`), ...toDesk]);
    expect(result).toMatchObject({ read: 3, created: 3 });
    expect(await at.everybody()).toContainEqual(expect.objectContaining(someone));
  });
});

describe('an export', () => {
  const odd = [
    { id: '1', name: '=HYPERLINK("http://x","y")', phone: '+1 555 0100', company: "'quoted" },
    { id: '2', name: '@cmd', job_title: '-2+3', company: "'=already" },
    { id: '3', name: 'comma, "quote"\nline', phone: '\ttab?' },
    { id: '4', name: "+1|cmd|'/C calc'!A0", phone: "'+1 555 0100" },
  ];

  it('defuses in CSV what a spreadsheet would run, and takes it back unchanged', async () => {
    await using at = await withDesk();
    await at.take(JSON.stringify(odd));
    const { stdout } = await at.run(['contacts', 'export', ...toDesk]);
    const cells = stdout.split(/[,\n]/).filter((cell) => /^"?[=+@-]/.test(cell));
    expect(cells).toEqual(['+1 555 0100']);
    expect(stdout).toContain(",''+1 555 0100,");
    expect((await at.take(stdout)).report).toMatchObject({ read: 4, unchanged: 4 });
    // An earlier version defused telephone numbers too.
    expect((await at.take("id,phone\n1,'+1 555 0100\n")).report).toMatchObject({ read: 1, unchanged: 1 });
  });

  it('that is interrupted leaves no file, can be repeated, and replaces no file that appears meanwhile', async () => {
    await using at = await anInstallation();
    await aProjectThere(at, {
      contacts: Array.from({ length: 8_000 }, (_, i) => aContact({ id: `p${i}`, email: null })),
    });
    const unfinished = () => readdirSync(at.folder).filter((name) => name.endsWith('.unfinished'));
    const begun = async (args: string[]) => {
      const running = at.start(args);
      await expect.poll(unfinished, { interval: 1, timeout: 10_000 }).toHaveLength(1);
      return running;
    };
    const args = ['contacts', 'export', ...toDesk, '--output', join(at.folder, 'all.csv')];
    const interrupted = await begun(args);
    interrupted.child.kill('SIGINT');
    expect(await interrupted.ended).toMatchObject({ code: 130 });
    expect(readdirSync(at.folder).filter((name) => name.startsWith('all.csv'))).toEqual([]);
    expect((await at.run(args)).code).toBe(0);
    expect(readFileSync(join(at.folder, 'all.csv'), 'utf8').trim().split('\n')).toHaveLength(8_001);
    expect((await at.run(args)).code).toBe(74);

    const file = join(at.folder, 'more.csv');
    const late = await begun(['contacts', 'export', ...toDesk, '--output', file]);
    writeFileSync(file, 'precious', { flag: 'wx' });
    expect(await late.ended).toMatchObject({ code: 74, stderr: expect.stringContaining('exists already') });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(unfinished()).toEqual([]);
  });

  it('to a full disk ends with one sentence and 74', async () => {
    await using at = await withDesk();
    await at.json(['contacts', 'import', officials, ...toDesk]);
    for (const args of [
      ['contacts', 'export', ...toDesk],
      ['projects', 'list'],
    ]) {
      const { code, stderr } = await at.shell(`${args.map((arg) => `'${arg}'`).join(' ')} > /dev/full`);
      expect([code, stderr]).toEqual([74, expect.stringMatching(/^roster: The disk is full; [^\n]*\n$/)]);
    }
  });
});
