import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { account, officials, toDesk, withDesk } from '../support/desk.ts';
import type { Installation } from '../support/process.ts';

const contactsFrom = ['contacts', 'import', '-', ...toDesk];

interface Whole {
  id: string;
  name: string;
  tags: string[];
  attributes: Record<string, unknown>;
}
const everybody = (at: Installation) => at.json<Whole[]>(['contacts', 'export', ...toDesk]);

describe('columns that no field takes', () => {
  it('become attributes with --keep-columns, and are what they were in an export', async () => {
    await using at = await withDesk();
    const args = ['contacts', 'import', officials, ...toDesk, '--keep-columns', '--map', 'attributes.chamber=type'];
    const first = await at.run([...args, '--json']);
    expect(JSON.parse(first.stdout)).toEqual(account({ read: 537, created: 537 }));
    expect(first.stderr).toContain('attributes.party <- party\n');
    expect(first.stderr).toContain('attributes.chamber <- type\n');
    expect(first.stderr).not.toContain('left out');
    const maria = (await everybody(at)).find(({ name }) => name === 'Maria Cantwell');
    expect(maria?.attributes).toMatchObject({
      chamber: 'sen',
      party: 'Democrat',
      bioguide_id: 'C000127',
      birthday: '1958-10-13',
    });
    expect(maria?.attributes).not.toHaveProperty('type');
    expect(await at.json(args)).toEqual(account({ read: 537, unchanged: 537 }));

    const file = join(at.folder, 'all.csv');
    await at.run(['contacts', 'export', ...toDesk, '--output', file]);
    expect(readFileSync(file, 'utf8')).toMatch(
      /^id,.*,external_id,attributes\.ballotpedia_id,.*,attributes\.youtube_id,tags\n/,
    );
    expect(await at.json(['contacts', 'import', file, ...toDesk])).toEqual(account({ read: 537, unchanged: 537 }));
  });

  it('take nothing from a column that is left out, which may name a field', async () => {
    await using at = await withDesk();
    const input = 'id,name,Company,E-Mail,Notes,Party\na,Ana,Example Ltd,ana@example.com,secret,Liberal\n';
    const args = [...contactsFrom, '--keep-columns', '--leave-out', 'e-mail', '--leave-out', 'Notes'];
    const { stderr } = await at.run(args, { input });
    expect(stderr).toContain('left out, as told: E-Mail, Notes\n');
    expect(await everybody(at)).toMatchObject([{ name: 'Ana', email: null, attributes: { party: 'Liberal' } }]);
    const odd = await at.run([...args, '--leave-out', 'Nota'], { input });
    expect(odd.stderr).toContain('The file has no column "Nota" for --leave-out');
  });

  it('fill people whom an import without it has made, once', async () => {
    await using at = await withDesk();
    const input = 'name,Lead Status\nAna,new\nBo,\n';
    await at.json(contactsFrom, { input });
    expect(await at.json([...contactsFrom, '--keep-columns'], { input })).toEqual(
      account({ read: 2, updated: 1, unchanged: 1 }),
    );
    expect(await at.json([...contactsFrom, '--keep-columns'], { input })).toEqual(account({ read: 2, unchanged: 2 }));
    expect((await everybody(at)).map(({ attributes }) => attributes)).toEqual([{ lead_status: 'new' }, {}]);
  });

  it('are kept up to fifty, and those that are too many are named', async () => {
    await using at = await withDesk();
    const columns = Array.from({ length: 53 }, (_, i) => `c${i}`);
    const input = `name,attributes.own,${columns.join(',')}\nA,x,${columns.join(',')}\n`;
    const { stdout, stderr } = await at.run([...contactsFrom, '--keep-columns', '--json'], { input });
    expect(JSON.parse(stdout)).toEqual(account({ read: 1, created: 1 }));
    expect(stderr).toMatch(
      /left out, as a contact has at most 50 attributes \(choose with --map .*\): c49, c50, c51, c52\n/,
    );
    const objects = columns.map((column) => JSON.stringify({ name: column, [column]: 1 })).join('\n');
    const some = await at.run([...contactsFrom, '--keep-columns', '--json'], { input: objects });
    expect(JSON.parse(some.stdout)).toEqual(account({ read: 53, created: 53 }));
    expect(some.stderr).toMatch(/at most 50 attributes .*: c50, c51, c52\n/);
  });

  it('of JSON keep numbers, true and false, and reject what is none', async () => {
    await using at = await withDesk();
    const input =
      '{"id":"1","name":"A","age":41,"isNew":true,"gone":null}\n{"id":"2","name":"B","age":12345678901234567891}\n{"id":"3","name":"C","age":{"years":3}}\n';
    const { stdout, stderr } = await at.run([...contactsFrom, '--keep-columns', '--json'], { input });
    expect(JSON.parse(stdout)).toEqual(account({ read: 3, created: 1, rejected: 2 }));
    expect(stderr).toContain('line 2: attributes.age is a number too long to be exact; put it in quotes\n');
    expect(stderr).toContain('line 3: attributes.age is neither a text, a number, true nor false\n');
    expect(await everybody(at)).toMatchObject([{ id: '1', attributes: { age: 41, is_new: true } }]);
  });
});

describe('the new fields of a file', () => {
  const input = [
    'id,name,Party,Labels,Postcode',
    '1,Ana,Red,"VIP, new",1010',
    `2,Bo,${'x'.repeat(1_001)},${'y'.repeat(41)},${'1'.repeat(65)}`,
  ].join('\n');
  const args = [...contactsFrom, '--map', 'attributes.party={Party}!', '--json'];

  it('are shown by a dry run, and rejected with their reasons', async () => {
    await using at = await withDesk();
    const rejects = join(at.folder, 'rejected.csv');
    const { code, stdout, stderr } = await at.run([...args, '--dry-run', '--rejects', rejects], { input });
    expect([code, JSON.parse(stdout)]).toEqual([
      65,
      account({ read: 2, created: 1, rejected: 1, rejects_file: rejects }),
    ]);
    expect(stderr).toMatch(
      /line 2\n +id: +1\n +name: +Ana\n +postal_code: +1010\n +tags: +VIP, new\n +attributes\.party: Red!\n/,
    );
    const reason =
      'postal_code is longer than 64 characters; tags has one that is longer than 40 characters; attributes.party is longer than 1000 characters';
    expect(readFileSync(rejects, 'utf8')).toContain(`\n3,${reason},2,Bo,`);
    expect(await everybody(at)).toEqual([]);
  });

  it('are rejected where a number is beyond the range of a double, or an attribute has a bad name', async () => {
    await using at = await withDesk();
    const rows = ['"big":1e400', '"big":-1e999', '"A":1', '"big":1e308'];
    const ndjson = rows.map((row, index) => `{"id":"${index}","name":"Ana","attributes":{${row}}}\n`).join('');
    const { code, stderr } = await at.run(['contacts', 'import', '-', '--format', 'ndjson', ...toDesk], {
      input: ndjson,
    });
    expect(code).toBe(65);
    expect(stderr).toContain('attributes.big is a number beyond the range of a double');
    expect(stderr).toContain(
      'attributes has a bad name: each must begin with a letter a to z and go on with at most 39 letters a to z, digits or _',
    );
    expect(await everybody(at)).toMatchObject([{ id: '3', attributes: { big: 1e308 } }]);
  });

  it('are left out by --lenient where they are bad', async () => {
    await using at = await withDesk();
    const { code, stderr } = await at.run([...args, '--lenient'], { input });
    expect(code).toBe(0);
    expect(stderr.replaceAll(/^ +/gm, '')).toContain(
      [
        'left out by --lenient:',
        '1 × postal_code is longer than 64 characters (line 3)',
        '1 × tags has one that is longer than 40 characters (line 3)',
        '1 × attributes.party is longer than 1000 characters (line 3)',
      ].join('\n'),
    );
    expect(await everybody(at)).toMatchObject([
      { id: '1', tags: ['new', 'vip'], attributes: { party: 'Red!' } },
      { id: '2', name: 'Bo', tags: [], attributes: {}, postal_code: null },
    ]);
  });

  it('are imported from rejects, once they are mended, with the command that is told', async () => {
    await using at = await withDesk();
    const rejects = join(at.folder, 'rejected.csv');
    const people = join(at.folder, 'people.csv');
    writeFileSync(people, 'id,name,tags,Party\n1,Ana,a very long tag of more than forty characters,Red\n');
    const { stderr } = await at.run(['contacts', 'import', people, ...toDesk, '--keep-columns', '--rejects', rejects]);
    const command = `roster contacts import ${rejects} --chatbot 8839210412 --keep-columns`;
    expect(stderr).toContain(`and run: ${command}\n`);
    writeFileSync(
      rejects,
      readFileSync(rejects, 'utf8').replace('a very long tag of more than forty characters', 'short'),
    );
    expect((await at.shell(command.replace('roster ', ''))).code).toBe(0);
    expect(await everybody(at)).toMatchObject([{ id: '1', tags: ['short'], attributes: { party: 'Red' } }]);
  });

  it('are named in the mistakes of --map', async () => {
    await using at = await withDesk();
    for (const pair of ['attributes.2x=Party', 'attributes=Party', 'nonsense=Party']) {
      const { code, stderr } = await at.run([...contactsFrom, '--map', pair], { input });
      expect([code, stderr]).toEqual([2, expect.stringContaining('country, external_id, tags, attributes.NAME; fix')]);
    }
    const twice = await at.run([...contactsFrom, '--map', 'attributes.party=Party', '--map', 'attributes.PARTY=name'], {
      input,
    });
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('attributes.party twice')]);
    const missing = await at.run([...contactsFrom, '--map', 'attributes.x=Nope'], { input });
    expect([missing.code, missing.stderr]).toEqual([65, expect.stringContaining('no column "Nope" for attributes.x')]);
  });
});
