import { describe, expect, it } from 'vitest';

import { account, data, officials, toDesk, withDesk } from '../support/desk.ts';

const linesOf = (text: string) => text.trim().split('\n');
const people = Array.from({ length: 1_400 }, (_, i) => `${i < 600 ? 'William Smith' : `Person ${i}`},sen,S${i}\n`);
const columns = Array.from({ length: 53 }, (_, i) => `c${i}`);
const newFields = [
  'id,name,Party,Labels,Postcode',
  '1,Ana,Red,"VIP, new",1010',
  `2,Bo,${'x'.repeat(1_001)},${'y'.repeat(41)},${'1'.repeat(65)}`,
].join('\n');
const party = ['--map', 'attributes.party={Party}!'];

/** [what, input, options, counts, what stderr tells, who is stored]. */
type Told = [string, string, string[], Parameters<typeof account>[0], (string | RegExp)[], object[]?];

const told: Told[] = [
  [
    'the column that tells people apart who share all mapped cells, and names nobody',
    `name,type,bioguide\n${people.join('')}`,
    [],
    { read: 1_400, created: 1_400 },
    [/each of 1400 rows has another value here: --map id=bioguide$/m, /^(?!.*(?:William|S\d))/s],
  ],
  [
    'no column where rows are there twice',
    `name,type,bioguide\n${people.slice(0, 50).join('')}${people.slice(20, 30).join('')}`,
    [],
    { read: 60, created: 50, duplicates: 10 },
    [/^(?!.*--map)/s],
  ],
  [
    'the reasons of rejected rows, the most frequent first and without line numbers',
    [
      'name,email,website\nA,a@example.com,\nA1,a@example.com,\nA2,a@example.com,',
      ...Array.from({ length: 12 }, (_, i) => `B${i},bad,`),
      'C,bad,nonsense\n',
    ].join('\n'),
    [],
    { read: 16, created: 1, rejected: 15 },
    [
      'line 3: contradicts line 2: name\n',
      'reasons:\n  13 × email is not an e-mail address\n   2 × contradicts line …\n   1 × website is not a web address\n',
    ],
  ],
  [
    'the first three people in a dry run, and nobody else',
    'Full,Mail\nbad,bad\nAna,ana@example.com\nBo,\nCem,cem@example.com\nDee,\n',
    ['--map', 'name=Full', '--dry-run'],
    { read: 5, created: 4, rejected: 1 },
    [
      '  line 3\n    name:  Ana\n    email: ana@example.com\n  line 4\n    name: Bo\n  line 5\n    name:  Cem\n    email: cem@example.com\n',
      /^(?!.*Dee)/s,
    ],
    [],
  ],
  [
    'nobody where it is no dry run',
    'Full,Mail\nAna,ana@example.com\n',
    ['--map', 'name=Full'],
    { read: 1, created: 1 },
    [/^(?!.*Ana)/s],
  ],
  [
    'which options would take columns that it leaves out',
    'Callname;Birthname;E-Mail;Shop;E-Mail;Shop\nAna;Ferreira;;Example Ltd;ana@example.com;\n',
    [],
    { read: 1, created: 1 },
    [
      'email <- E-Mail, else the second E-Mail\nleft out: Callname, Birthname, Shop, the second Shop\ndid you mean --map name="{Callname} {Birthname}"? Or --map name=Callname? Or --map name=Birthname?\n',
    ],
  ],
  [
    'nothing of options that are given',
    'Callname;Birthname\nAna;Ferreira\n',
    ['--map', 'name={Callname} {Birthname}'],
    { read: 1, created: 1 },
    [/^(?!.*did you mean)/s],
    [{ name: 'Ana Ferreira' }],
  ],
  [
    'a column without a heading by its place, and shows no control character',
    'name,,Party,ana@example.com,\u001B]0;title\u0007\u009Bx\nA,x,y,z,1\n',
    [],
    { read: 1, created: 1 },
    ['left out: column 2, Party, column 4, ?]0;title??x\n'],
  ],
  [
    'why --keep-columns cannot keep a column',
    'name,,Party,party,2nd seat,Größe,ana@example.com\nA,x,y,z,1,2,3\n',
    ['--keep-columns'],
    { read: 1, created: 1 },
    [
      [
        'name <- name',
        'attributes.party <- Party',
        'attributes.grosse <- Größe',
        'left out, as no attribute can be called so (name it with --map attributes.NAME=HEADING): column 2, 2nd seat, column 7',
        'left out, as another column has the name: party\n',
      ].join('\n'),
    ],
  ],
  [
    'which columns were left out as told, which may name a field',
    'id,name,Company,E-Mail,Notes,Party\na,Ana,Example Ltd,ana@example.com,secret,Liberal\n',
    ['--keep-columns', '--leave-out', 'e-mail', '--leave-out', 'Notes'],
    { read: 1, created: 1 },
    ['left out, as told: E-Mail, Notes\n'],
    [{ name: 'Ana', email: null, attributes: { party: 'Liberal' } }],
  ],
  [
    'which columns are too many to be kept',
    `name,attributes.own,${columns.join(',')}\nA,x,${columns.join(',')}\n`,
    ['--keep-columns'],
    { read: 1, created: 1 },
    [/left out, as a contact has at most 50 attributes \(choose with --map .*\): c49, c50, c51, c52\n/],
  ],
  [
    'which keys of JSON are too many to be kept',
    columns.map((column) => JSON.stringify({ name: column, [column]: 1 })).join('\n'),
    ['--keep-columns'],
    { read: 53, created: 53 },
    [/at most 50 attributes .*: c50, c51, c52\n/],
  ],
  [
    'which values of JSON are none of an attribute',
    '{"id":"1","name":"A","age":41,"isNew":true,"gone":null}\n{"id":"2","name":"B","age":12345678901234567891}\n{"id":"3","name":"C","age":{"years":3}}\n',
    ['--keep-columns'],
    { read: 3, created: 1, rejected: 2 },
    [
      'line 2: attributes.age is a number too long to be exact; put it in quotes\n',
      'line 3: attributes.age is neither a text, a number, true nor false\n',
    ],
    [{ id: '1', attributes: { age: 41, is_new: true } }],
  ],
  [
    'of numbers beyond the range of a double and of attributes with a bad name',
    ['"big":1e400', '"big":-1e999', '"A":1', '"big":1e308']
      .map((row, index) => `{"id":"${index}","name":"Ana","attributes":{${row}}}`)
      .join('\n'),
    [],
    { read: 4, created: 1, rejected: 3 },
    [
      'attributes.big is a number beyond the range of a double',
      'attributes has a bad name: each must begin with a letter a to z and go on with at most 39 letters a to z, digits or _',
    ],
    [{ id: '3', attributes: { big: 1e308 } }],
  ],
  [
    'new fields in a dry run, and why they are rejected',
    newFields,
    [...party, '--dry-run'],
    { read: 2, created: 1, rejected: 1 },
    [
      /line 2\n +id: +1\n +name: +Ana\n +postal_code: +1010\n +tags: +VIP, new\n +attributes\.party: Red!\n/,
      'line 3: postal_code is longer than 64 characters; tags has one that is longer than 40 characters; attributes.party is longer than 1000 characters\n',
    ],
    [],
  ],
];

describe('an import', () => {
  it.each(told)('tells %s', async (_what, input, options, counts, texts, stored) => {
    await using at = await withDesk();
    const { code, report, stderr } = await at.take(input, ...options);
    expect([code, report]).toEqual([counts.rejected === undefined ? 0 : 65, account(counts)]);
    for (const text of texts) expect(stderr).toMatch(text);
    if (stored) expect(await at.everybody()).toMatchObject(stored);
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
    expect((await at.everybody())[1]).toMatchObject({
      email: 'joerg.weiss@example.com',
      phone: '030 555 0101',
      attributes: { anrede: 'Herr', email_2: 'j.weiss@example.org', kundengruppe: 'B', phone_2: '0171 555 0102' },
    });
    const google = ['contacts', 'import', data('exports/google-contacts-old.csv'), ...toDesk];
    expect((await at.json<{ warnings: object[] }>(google)).warnings).toEqual([
      warning('more than one e-mail; the first was taken', 3),
      warning('more than one phone; the first was taken', 4),
    ]);
  });

  it('tell of numbers without a digit, and of e-mails that several have or that come with another name', async () => {
    await using at = await withDesk();
    for (const name of ['Ana', 'Bo']) {
      await at.json(['contacts', 'create', ...toDesk, '--set', `name=${name}`, '--set', 'email=both@example.com']);
    }
    const warnings = [
      'phone has no digit',
      'several stored people fit; the one that was stored first was taken',
      'an e-mail that was known has come with another name',
    ];
    const report = account({ read: 1, updated: 1, warnings: warnings.map((one) => warning(one, 2)) });
    for (const more of [['--dry-run'], []])
      expect((await at.take('name,email,phone\nCem,both@example.com,n/a\n', ...more)).report).toEqual(report);
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
    expect((await at.take(input)).report).toEqual(account({ read: 4, rejected: 4 }));
    const lenient = await at.take(input, '--lenient');
    expect(lenient.report).toMatchObject({
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
    expect((await at.everybody()).map(({ name }) => name)).toEqual(['Ana', 'Bo']);
    expect((await at.take(input, '--lenient')).report).toMatchObject({ read: 4, unchanged: 2, rejected: 2 });
  });

  it('leaves out new fields that are bad, and values of JSON that are no texts', async () => {
    await using at = await withDesk();
    const { code, stderr } = await at.take(newFields, ...party, '--lenient');
    expect([code, stderr.replaceAll(/^ +/gm, '')]).toEqual([
      0,
      expect.stringContaining(
        [
          'left out by --lenient:',
          '1 × postal_code is longer than 64 characters (line 3)',
          '1 × tags has one that is longer than 40 characters (line 3)',
          '1 × attributes.party is longer than 1000 characters (line 3)',
        ].join('\n'),
      ),
    ]);
    expect(await at.everybody()).toMatchObject([
      { id: '1', tags: ['new', 'vip'], attributes: { party: 'Red!' } },
      { id: '2', name: 'Bo', tags: [], attributes: {}, postal_code: null },
    ]);
    const { report } = await at.take(
      '{"id":"3","name":"Ana","phone":{"home":1}}\n{"id":{},"name":"Bo"}\n',
      '--lenient',
    );
    expect(report).toMatchObject({ read: 2, created: 1, rejected: 1 });
  });
});

describe('columns that no field takes', () => {
  it('become attributes with --keep-columns, and are what they were in an export', async () => {
    await using at = await withDesk();
    const args = ['contacts', 'import', officials, ...toDesk, '--keep-columns', '--map', 'attributes.chamber=type'];
    const first = await at.run([...args, '--json']);
    expect(JSON.parse(first.stdout)).toEqual(account({ read: 537, created: 537 }));
    expect(first.stderr).toContain('attributes.party <- party\n');
    expect(first.stderr).toContain('attributes.chamber <- type\n');
    expect(first.stderr).not.toContain('left out');
    const maria = (await at.everybody()).find(({ name }) => name === 'Maria Cantwell');
    expect(maria?.attributes).toMatchObject({ chamber: 'sen', party: 'Democrat', birthday: '1958-10-13' });
    expect(maria?.attributes).not.toHaveProperty('type');
    const { stdout } = await at.run(['contacts', 'export', ...toDesk]);
    expect(stdout).toMatch(/^id,.*,external_id,attributes\.ballotpedia_id,.*,attributes\.youtube_id,tags\n/);
    for (const again of [await at.json(args), (await at.take(stdout)).report])
      expect(again).toEqual(account({ read: 537, unchanged: 537 }));
  });

  it('fill people whom an earlier import without the option created, once', async () => {
    await using at = await withDesk();
    const input = 'name,Lead Status\nAna,new\nBo,\n';
    await at.take(input);
    for (const counts of [{ updated: 1, unchanged: 1 }, { unchanged: 2 }])
      expect((await at.take(input, '--keep-columns')).report).toEqual(account({ read: 2, ...counts }));
    expect((await at.everybody()).map(({ attributes }) => attributes)).toEqual([{ lead_status: 'new' }, {}]);
  });
});

describe('a file of members', () => {
  const from = ['members', 'import', '-', '--project', 'acme'];

  it('has rows without an address, a role or a known status rejected, each with its reason', async () => {
    await using at = await withDesk();
    const input = 'email,roles,status\n,Admin,\na@example.com,,\nb@example.com,Boss,\nc@example.com,Admin,Gone\n';
    const { code, stdout, stderr } = await at.run([...from, '--json'], { input });
    expect([code, JSON.parse(stdout)]).toEqual([65, account({ read: 4, rejected: 4 })]);
    for (const reason of ['email is missing', 'roles is missing', 'roles holds another than', 'status is not one of'])
      expect(stderr).toContain(reason);
    const lenient = await at.run([...from, '--lenient', '--json'], { input });
    expect(JSON.parse(lenient.stdout)).toMatchObject({ read: 4, created: 1, rejected: 3 });
    expect((await at.run(['members', 'export', '--project', 'acme'])).stdout).toContain('c@example.com,Pending,Admin');
  });

  it.each([
    ['csv', 'email,Role name\na@example.com,Admin\nb@example.com,Admin\n'],
    ['ndjson', '{"email":"a@example.com","Role name":"Admin"}\n{"email":"b@example.com","Role name":"Admin"}\n'],
  ])('without a column for roles is refused once in %s, with a suggestion that can be pasted', async (_, input) => {
    await using at = await withDesk();
    const { code, stderr } = await at.run(from, { input });
    expect([code, stderr]).toEqual([
      65,
      'roster: The file has no column for roles; did you mean --map roles="Role name"? It has: email, Role name.\n',
    ]);
    expect(await at.json([...from, '--map', 'roles=Role name'], { input })).toMatchObject({ created: 2 });
  });
});
