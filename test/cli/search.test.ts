import { describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { officials, toDesk } from '../support/desk.ts';
import { anInstallation, aProjectThere, type Installation } from '../support/process.ts';

interface Found {
  contacts: { id: string; name: string }[];
  next_cursor: string | null;
}

async function withOfficials() {
  const at = await anInstallation({ ownDatabase: true });
  await aProjectThere(at);
  await at.json(['contacts', 'import', officials, ...toDesk]);
  return at;
}

const namesOf = ({ contacts }: Found) => contacts.map(({ name }) => name);

async function change(at: Installation, text: string): Promise<void> {
  await using database = await openDatabase(at.databaseUrl);
  await database.script(text);
}

async function searchCheck(at: Installation) {
  const { stdout } = await at.run(['doctor', '--json']);
  const { checks } = JSON.parse(stdout) as { checks: Record<'check' | 'status' | 'finding' | 'command', string>[] };
  return checks.find(({ check }) => check === 'search');
}

describe('an index of search', () => {
  it.each([
    ['behind', 'warning', 'update search_state set folding = folding'],
    ['of another folding', 'failed', 'update search_state set folding = 0'],
    ['missing', 'failed', 'drop'],
  ])('that is %s is found by doctor, and made anew by the command that it names', async (kind, status, statement) => {
    await using at = await withOfficials();
    expect(await searchCheck(at)).toMatchObject({ status: 'ok', command: null });
    const drop = at.databaseUrl.startsWith('sqlite:') ? 'drop table contact_words' : 'drop index contacts_by_words';
    await change(at, statement === 'drop' ? drop : statement);
    if (kind === 'behind') {
      await using database = await openDatabase(at.databaseUrl);
      await database.run(sql`insert into contacts (project_id, chatbot_id, id, name, created_at, updated_at)
        values ('acme', ${toDesk[1] ?? ''}, 'old', 'Zyta Old', '2020-01-01T00:00:00+00:00', '2020-01-01T00:00:00+00:00')`);
    }
    const finding = await searchCheck(at);
    expect(finding).toMatchObject({ status, command: 'roster migrate' });
    const mended = await at.run(String(finding?.command).split(' ').slice(1));
    expect([mended.code, mended.stderr]).toEqual([0, expect.stringMatching(/^Indexing \d+ contacts? for search\.\n$/)]);
    expect(await searchCheck(at)).toMatchObject({ status: 'ok' });
    expect(namesOf(await at.json<Found>(['contacts', 'find', 'nanc', 'pel', ...toDesk]))).toEqual(['Nancy Pelosi']);
    expect((await at.run(['migrate'])).stderr).toBe('');
  });

  it.each([
    ['lacks a word of', "update contacts set company = 'Newname Ltd' where name = 'Nancy Pelosi'"],
    ['has a word too many of', "update contacts set company = null where name = 'Nancy Pelosi'"],
  ])('that %s a contact is found by doctor, and mended by the command that it names', async (_, statement) => {
    await using at = await withOfficials();
    await at.run(['contacts', 'import', '-', '--format', 'csv', ...toDesk], { input: 'name,company\nZoe,Oldname\n' });
    await change(at, "update contacts set company = 'Oldname' where name = 'Nancy Pelosi'");
    await at.json(['migrate', '--reindex']);
    expect(await searchCheck(at)).toMatchObject({ status: 'ok' });
    await change(at, statement);
    const finding = await searchCheck(at);
    expect(finding).toMatchObject({ status: 'failed', command: 'roster migrate --reindex' });
    expect(finding?.finding).toMatch(/^1 contact of \d+ compared /);
    await at.json(String(finding?.command).split(' ').slice(1));
    expect(await searchCheck(at)).toMatchObject({ status: 'ok' });
    expect(namesOf(await at.json<Found>(['contacts', 'find', 'nanc', 'pel', ...toDesk]))).toEqual(['Nancy Pelosi']);
    expect(namesOf(await at.json<Found>(['contacts', 'find', 'oldname', ...toDesk]))).toEqual(['Zoe']);
  });

  it('is made for the target of a copy', async () => {
    await using at = await withOfficials();
    const target = `sqlite:${at.folder}/copy.db`;
    const copied = await at.run(['copy', '--to', target]);
    expect([copied.code, copied.stderr]).toEqual([0, expect.stringContaining('for search')]);
    const env = { DATABASE_URL: target };
    expect(namesOf(await at.json<Found>(['contacts', 'find', 'pelosi', ...toDesk], { env }))).toEqual(['Nancy Pelosi']);
  });
});

it('finds tags and columns of an import at once', async () => {
  await using at = await anInstallation();
  await aProjectThere(at);
  const input = 'name,tags,company\nZoë,"vip,très bien",Straße\n';
  await at.json(['contacts', 'import', '-', '--format', 'csv', ...toDesk], { input });
  for (const words of [['zoe'], ['strasse'], ['tres', 'bi'], ['--tag', 'VIP']]) {
    expect(namesOf(await at.json<Found>(['contacts', 'find', ...words, ...toDesk]))).toEqual(['Zoë']);
  }
});
