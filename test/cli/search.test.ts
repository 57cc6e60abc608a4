import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { officials, toDesk } from '../support/desk.ts';
import { anInstallation, aProjectThere, findingOf, type Installation } from '../support/process.ts';

interface Found {
  contacts: { id: string; name: string }[];
  next_cursor: string | null;
}

const namesOf = ({ contacts }: Found) => contacts.map(({ name }) => name);

async function change(at: Installation, text: string): Promise<void> {
  await using database = await openDatabase(at.databaseUrl);
  await database.script(text);
}

const nancy = ['contacts', 'find', 'nanc', 'pel', ...toDesk];

describe('an index of search', () => {
  let at: Installation;
  beforeAll(async () => {
    at = await anInstallation({ ownDatabase: true });
    await aProjectThere(at);
    await at.json(['contacts', 'import', officials, ...toDesk]);
    const input = 'name,tags,company\nBjörk,"vip,très bien",Oldname Straße\n';
    await at.json(['contacts', 'import', '-', '--format', 'csv', ...toDesk], { input });
  });
  afterAll(() => at[Symbol.asyncDispose]());

  it('finds tags and columns of an import at once', async () => {
    for (const words of [['bjork'], ['strasse'], ['tres', 'bi'], ['--tag', 'VIP']])
      expect(namesOf(await at.json<Found>(['contacts', 'find', ...words, ...toDesk]))).toEqual(['Björk']);
  });

  it.each([
    ['behind', 'warning', 'update search_state set folding = folding'],
    ['of another folding', 'failed', 'update search_state set folding = 0'],
    ['missing', 'failed', 'drop'],
  ])('that is %s is found by doctor, and made anew by the command that it names', async (kind, status, statement) => {
    expect(await findingOf(at, 'search')).toMatchObject({ status: 'ok', command: null });
    const drop = at.databaseUrl.startsWith('sqlite:') ? 'drop table contact_words' : 'drop index contacts_by_words';
    await change(at, statement === 'drop' ? drop : statement);
    if (kind === 'behind') {
      await using database = await openDatabase(at.databaseUrl);
      await database.run(sql`insert into contacts (project_id, chatbot_id, id, name, created_at, updated_at)
        values ('acme', ${toDesk[1] ?? ''}, 'old', 'Zyta Old', '2020-01-01T00:00:00+00:00', '2020-01-01T00:00:00+00:00')`);
    }
    const finding = await findingOf(at, 'search');
    expect(finding).toMatchObject({ status, command: 'roster migrate' });
    const mended = await at.run(String(finding?.command).split(' ').slice(1));
    expect([mended.code, mended.stderr]).toEqual([0, expect.stringMatching(/^Indexing \d+ contacts? for search\.\n$/)]);
    expect(await findingOf(at, 'search')).toMatchObject({ status: 'ok' });
    expect(namesOf(await at.json<Found>(nancy))).toEqual(['Nancy Pelosi']);
    expect((await at.run(['migrate'])).stderr).toBe('');
  });

  it('with a missing or extra word is found by doctor, and repaired by the command that doctor names', async () => {
    for (const company of ["'Oldname'", 'null']) {
      await change(at, `update contacts set company = ${company} where name = 'Nancy Pelosi'`);
      const finding = await findingOf(at, 'search');
      expect(finding).toMatchObject({ status: 'failed', command: 'roster migrate --reindex' });
      expect(finding?.finding).toMatch(/^1 contact of \d+ compared /);
      await at.json(String(finding?.command).split(' ').slice(1));
      expect(await findingOf(at, 'search')).toMatchObject({ status: 'ok' });
    }
    expect(namesOf(await at.json<Found>(nancy))).toEqual(['Nancy Pelosi']);
    expect(namesOf(await at.json<Found>(['contacts', 'find', 'oldname', ...toDesk]))).toEqual(['Björk']);
  });

  it('is made for the target of a copy', async () => {
    const target = `sqlite:${at.folder}/copy.db`;
    const copied = await at.run(['copy', '--to', target]);
    expect([copied.code, copied.stderr]).toEqual([0, expect.stringContaining('for search')]);
    expect(namesOf(await at.json<Found>(nancy, { env: { DATABASE_URL: target } }))).toEqual(['Nancy Pelosi']);
  });
});
