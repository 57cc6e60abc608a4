import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { hashToken } from '../../../src/api-keys/token.ts';
import { openCurrentStore } from '../../../src/cli/open.ts';
import { guardWrites, reporting } from '../../../src/database/sqlite/failures.ts';
import { toDesk } from '../../support/desk.ts';
import { temporaryFolder } from '../../support/engines.ts';
import { aContact, aProject, storeContacts } from '../../support/people.ts';
import { anInstallation, aProjectThere, serving } from '../../support/process.ts';
import { seededRandom } from '../../support/random.ts';

const pageBytes = 4_096;

function sqliteError(errcode: number): Error {
  return Object.assign(new Error('disk I/O error'), { errcode });
}

describe('a database file', () => {
  it('is made once and whole by whichever of several first commands comes first', async () => {
    await using at = await anInstallation();
    const names = Array.from({ length: 6 }, (_, index) => `project-${index}`);
    const ended = await Promise.all(names.map((name) => at.run(['projects', 'create', name, '--id', name])));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']));
    expect(await at.json<object[]>(['projects', 'list'])).toHaveLength(names.length);
    expect(readdirSync(at.folder).filter((name) => name.startsWith('roster.db'))).toEqual([
      'roster.db',
      'roster.db-lock',
    ]);
  });
});

describe('in a damaged file', () => {
  it('nobody is given the row of another contact, project or key', async () => {
    using folder = temporaryFolder();
    const url = `sqlite:${join(folder.path, 'roster.db')}`;
    const owners = ['one', 'two'];
    const tokens = new Map<string, string>();
    {
      await using store = await openCurrentStore(url);
      for (const id of owners) {
        tokens.set((await aProject(store, { id, chatbotId: 'shop' })).token, id);
        const people = Array.from({ length: 400 }, (_, index) =>
          aContact({ id: `contact-${index}`, name: `${id} ${index}`, email: `${index}@${id}.example` }),
        );
        await storeContacts(store, id, 'shop', people);
      }
    }
    const whole = readFileSync(join(folder.path, 'roster.db'));
    const random = seededRandom(5);
    let missed = 0;
    for (let round = 0; round < 20; round++) {
      const file = join(folder.path, `damaged-${round}.db`);
      writeFileSync(file, withPagesExchanged(whole, random));
      const store = await openCurrentStore(`sqlite:${file}`).catch(() => undefined);
      if (!store) continue;
      await using _ = store;
      for (const id of owners) {
        for (let index = 0; index < 400; index += 3) {
          const contact = await store.contacts.find(id, 'shop', `contact-${index}`).catch(() => undefined);
          if (contact) expect(contact.name).toBe(`${id} ${index}`);
          else missed++;
        }
      }
      for (const [token, id] of tokens) {
        const key = await store.apiKeys.findByHash(hashToken(token)).catch(() => undefined);
        if (key) expect(key.project_id).toBe(id);
      }
    }
    expect(missed).toBeGreaterThan(100);
  });

  it('a text with what lost sectors read as is not given', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'roster.db');
    await using store = await openCurrentStore(`sqlite:${path}`);
    const { projectId } = await aProject(store, { chatbotId: 'shop' });
    await storeContacts(store, projectId, 'shop', [aContact()]);
    const other = new DatabaseSync(path);
    other.exec(`update contacts set name = 'An' || char(0, 0)`);
    other.close();
    await expect(store.contacts.find(projectId, 'shop', aContact().id)).rejects.toThrow('roster doctor');
  });

  it('a service answers, and stops when told, though what it looks for at the start cannot be read', async () => {
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const file = join(at.folder, 'roster.db');
    const projects = pageOf(file, 'projects');
    writeFileSync(file, readFileSync(file).fill(0, projects * pageBytes, (projects + 1) * pageBytes));
    const service = await serving(at);
    const answer = await fetch(`${service.address}/v2/members`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
    expect(service.stdout()).toContain('damaged');
  });

  it('nothing is backed up, no older backup is removed, and nothing is left of the trial', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const file = join(at.folder, 'roster.db');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0, bytes.length - pageBytes));
    mkdirSync(join(at.folder, 'backups'));
    const old = ['roster-2026-01-01T03-00-00Z.db', 'roster-2026-01-02T03-00-00Z.db'];
    for (const name of old) writeFileSync(join(at.folder, 'backups', name), 'old');
    const { code, stderr } = await at.run(['backup', 'create', 'backups', '--keep', '1']);
    expect([code, stderr]).toEqual([69, expect.stringMatching(/damaged.*; restore the last backup.*\.\n$/)]);
    expect(readdirSync(join(at.folder, 'backups'))).toEqual(old);
  });

  it('the index of search alone is made anew, without a backup, by the command that all messages name', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    await at.json(['contacts', 'create', ...toDesk, '--set', 'name=Ana']);
    const garble = (table: string) => {
      const other = new DatabaseSync(join(at.folder, 'roster.db'), { defensive: false });
      other.exec(table);
      other.close();
    };
    const said = async () => {
      const { stdout } = await at.run(['doctor']);
      const found = await at.run(['contacts', 'find', 'ana', ...toDesk]);
      const backedUp = await at.run(['backup', 'create', 'b.db']);
      return [stdout, found.stderr, backedUp.stderr];
    };
    garble('update contact_words_data set block = zeroblob(length(block)) where id > 10');
    for (const words of await said()) {
      expect(words).toContain('index of search is damaged');
      expect(words).toContain('roster migrate --reindex');
      expect(words).not.toContain('roster restore');
    }
    await at.json(['migrate', '--reindex']);
    expect(await at.json(['contacts', 'find', 'ana', ...toDesk])).toMatchObject({ contacts: [{ name: 'Ana' }] });
    expect((await at.run(['backup', 'create', 'b.db'])).code).toBe(0);

    // The index of a table lacks a row, too.
    garble(`update contact_words_data set block = zeroblob(length(block)) where id > 10;
      pragma writable_schema = on; create index emptied on contacts (name);
      update sqlite_schema set sql = 'create index emptied on contacts (email)' where name = 'emptied'`);
    expect((await at.run(['doctor'])).stdout).toMatch(/failed +integrity +pages or .*\n +fix: roster restore FILE/);
  });

  it('an index of search without its settings is told as a damaged file', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const other = new DatabaseSync(join(at.folder, 'roster.db'), { defensive: false });
    other.exec('delete from contact_words_config');
    other.close();
    for (const args of [
      ['contacts', 'find', 'ana', ...toDesk],
      ['backup', 'create', 'b.db'],
      ['migrate', '--reindex'],
    ])
      expect(await at.run(args)).toMatchObject({ code: 69, stderr: expect.stringContaining('roster restore FILE') });
    expect((await at.run(['doctor'])).stdout).toMatch(/failed +integrity .*damaged.*\n +fix: roster restore FILE/);
  });
});

/** The page, counted from 0, that a table begins on. */
function pageOf(file: string, table: string): number {
  using db = new DatabaseSync(file, { readOnly: true });
  return Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(table)?.['rootpage']) - 1;
}

describe('after a sync that failed', () => {
  it('the connection that writes refuses everything, as the next one would seem to succeed', () => {
    const { report } = guardWrites();
    expect(report(() => 'kept')).toBe('kept');
    expect(() =>
      report(() => {
        throw sqliteError(266);
      }),
    ).toThrow('input/output error');
    expect(report(() => 'kept')).toBe('kept');
    expect(() =>
      report(() => {
        throw sqliteError(1034);
      }),
    ).toThrow('fsync failed');
    expect(() => report(() => 'not tried')).toThrow('writes no more');
  });
});

describe('what the engine or the system refuses is one sentence with a next step:', () => {
  it.each([
    [sqliteError(5), /locked; try again/],
    [sqliteError(8), /cannot be written; give both/],
    [sqliteError(1544), /cannot be written; give both/],
    [sqliteError(522), /damaged; restore/],
    [sqliteError(523), /damaged; restore/],
    [sqliteError(267), /index of search is damaged; make it anew/],
    [sqliteError(13), /disk is full; make room/],
    [sqliteError(4874), /disk is full; make room/],
    [Object.assign(new Error('EACCES'), { syscall: 'access', code: 'EACCES' }), /cannot be written; give both/],
    [Object.assign(new Error('EROFS'), { syscall: 'open', code: 'EROFS' }), /cannot be written; give both/],
    [Object.assign(new Error('EIO'), { syscall: 'read', code: 'EIO' }), /input\/output error; check/],
  ])('%o', (error, sentence) => {
    expect(() =>
      reporting(() => {
        throw error;
      }),
    ).toThrow(sentence);
  });
});

/** Two pages but the first in each other's place: each is well formed, and in the wrong one. */
function withPagesExchanged(whole: Buffer, random: ReturnType<typeof seededRandom>): Buffer {
  const bytes = Buffer.from(whole);
  const pages = whole.length / pageBytes;
  const [one, other] = [1 + random.below(pages - 1), 1 + random.below(pages - 1)].map((page) => page * pageBytes);
  if (one === undefined || other === undefined) return bytes;
  whole.copy(bytes, one, other, other + pageBytes);
  whole.copy(bytes, other, one, one + pageBytes);
  return bytes;
}

describe('a refusal', () => {
  it('names the database, where that is empty, foreign, a folder, damaged, newer or without what was asked for', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const file = (name: string) => join(at.folder, name);
    const whole = readFileSync(file('roster.db'));
    writeFileSync(file('empty.db'), '');
    writeFileSync(file('byte.db'), 'S');
    writeFileSync(file('text.db'), 'Some notes.');
    mkdirSync(file('folder.db'));
    writeFileSync(file('damaged.db'), whole.subarray(0, 20_000));
    const foreign = new DatabaseSync(file('foreign.db'));
    foreign.exec('create table notes (text)');
    foreign.close();
    writeFileSync(file('newer.db'), whole);
    const newer = new DatabaseSync(file('newer.db'));
    newer.exec(`insert into schema_migrations values ('9999-more', 'x', '2026-01-01T00:00:00+00:00')`);
    newer.close();
    const expected: [string, number, RegExp][] = [
      ['empty.db', 69, /cannot be used: the database file is empty; restore the last backup \("roster restore FILE"\)/],
      [
        'byte.db',
        69,
        /cannot be used: the database file is cut off; restore the last backup \("roster restore FILE"\)/,
      ],
      ['text.db', 69, /cannot be used: the file is not a SQLite database; set DATABASE_URL to another file/],
      ['folder.db', 69, /cannot be used: the path of the database is a folder; set DATABASE_URL/],
      [
        'damaged.db',
        69,
        /cannot be used: the database file is damaged; restore the last backup \("roster restore FILE"\)/,
      ],
      ['foreign.db', 69, /cannot be used: the file is a SQLite database, but not one of Roster; set DATABASE_URL/],
      ['newer.db', 69, /is newer than this program: it has migration 9999-more; start the newer program/],
      ['roster.db', 1, /There is no chatbot with this id in sqlite database [^;]*; see "roster chatbots list/],
    ];
    for (const [name, code, sentence] of expected) {
      const others = code === 69 ? [['migrate'], ['backup', 'b.db'], ...(name === 'empty.db' ? [['serve']] : [])] : [];
      for (const args of [['contacts', 'export', '--chatbot', 'none'], ...others]) {
        const ended = await at.run(args, { env: { DATABASE_URL: `sqlite:./${name}` } });
        expect([name, args, ended.code, ended.stderr]).toEqual([name, args, code, expect.stringMatching(sentence)]);
        expect(ended.stderr).toContain(`sqlite database ${file(name)}`);
        expect(ended.stderr).toMatch(/^roster: [^\n]*\.\n$/);
      }
    }
    for (const name of ['empty.db', 'folder.db']) {
      const { code, stdout } = await at.run(['doctor', '--json'], { env: { DATABASE_URL: `sqlite:./${name}` } });
      expect([code, JSON.parse(stdout)]).toMatchObject([1, { ok: false }]);
    }
    // Somebody may have been in it.
    expect(statSync(file('empty.db')).size).toBe(0);
  });

  it('of a database with the log of another file names that log, and so does doctor', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    cpSync(join(at.folder, 'roster.db'), join(at.folder, 'copy.db'));
    {
      await using store = await openCurrentStore(at.databaseUrl);
      for (let n = 0; n < 30; n++) await aProject(store, { id: `project-${n}`, chatbotId: 'x' });
      cpSync(join(at.folder, 'roster.db-wal'), join(at.folder, 'old-wal'));
    }
    const path = join(at.folder, 'small.db');
    const env = { DATABASE_URL: `sqlite:${path}` };
    const lose = () => {
      writeFileSync(path, readFileSync(join(at.folder, 'copy.db')));
      truncateSync(path, 32_768);
      cpSync(join(at.folder, 'old-wal'), `${path}-wal`);
    };
    lose();
    const doctor = await at.run(['doctor'], { env });
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`${path}-wal`)]);
    expect(doctor.stdout).toContain('fix: roster restore FILE');
    lose();
    const backup = await at.run(['backup', 'create', 'b.db'], { env });
    expect([backup.code, backup.stderr]).toEqual([69, expect.stringContaining(`damaged, or ${path}-wal`)]);
    expect(backup.stderr).toContain('restore the last backup ("roster restore FILE")');
  });
});
