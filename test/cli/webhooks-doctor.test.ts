import { describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { openDatabase } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { aProject } from '../support/people.ts';
import { anInstallation, findingOf } from '../support/process.ts';
import { storeWebhook } from '../support/webhooks.ts';

const url = 'https://example.com/planted';

describe('the check of doctor for webhooks', () => {
  it('names by id what fails or what Roster has disabled, and the next step', async () => {
    await using at = await anInstallation();
    await using store = await openCurrentStore(at.databaseUrl);
    await aProject(store, { id: 'acme' });
    const found = () => findingOf(at, 'webhooks');
    expect(await found()).toMatchObject({ status: 'ok', command: null });
    await storeWebhook(store, 'acme', 'well', { url });
    await storeWebhook(store, 'acme', 'asked', { url, disabled_reason: 'requested' });
    expect(await found()).toMatchObject({ status: 'ok' });
    const failing_since = '2026-06-08T13:38:33+00:00';
    await storeWebhook(store, 'acme', 'late', { url, failing_since });
    expect(await found()).toMatchObject({
      status: 'warning',
      finding: '1 fails: late (failing)',
      command: 'roster webhooks deliveries late --project acme --failed',
    });
    await storeWebhook(store, 'acme', 'away', { url, failing_since, disabled_reason: 'gone' });
    expect(await found()).toMatchObject({
      finding: '1 is disabled by Roster, 1 fails: away (gone), late (failing)',
      command: 'roster webhooks test away --project acme',
    });
    await storeWebhook(store, 'acme', 'a-copy', { url, disabled_reason: 'restored' });
    const { finding, command } = (await found()) ?? {};
    expect([finding, command]).toEqual([
      '2 are disabled by Roster, 1 fails: a-copy (restored), away (gone), late (failing)',
      'roster webhooks update a-copy --project acme --state active',
    ]);
    for (let i = 0; i < 4; i++) await storeWebhook(store, 'acme', `more-${i}`, { url, failing_since });
    expect((await found())?.finding).toMatch(/, and more$/);
    expect((await found())?.finding).not.toContain('planted');
  });

  it('warns of events that wait while nobody sends, but not while somebody does', async () => {
    await using at = await anInstallation();
    await using store = await openCurrentStore(at.databaseUrl);
    await aProject(store, { id: 'acme' });
    await using database = await openDatabase(at.databaseUrl);
    const lease = (due: string) => database.run(sql`update jobs set due_at = ${due} where name = 'send-webhooks'`);
    await storeWebhook(store, 'acme', 'hook', { url });
    await database.run(sql`update webhooks set position = 0 where project_id = 'acme'`);
    await database.run(sql`update events set occurred_at = '2026-06-08T13:38:33+00:00' where project_id = 'acme'`);
    const found = () => findingOf(at, 'webhooks');
    await lease('2026-06-08T13:38:33+00:00');
    expect(await found()).toMatchObject({
      status: 'warning',
      finding: 'events wait since 2026-06-08T13:38:33+00:00, as only a running service sends them',
      command: 'roster serve',
    });
    await lease('2100-01-01T00:00:00+00:00');
    expect(await found()).toMatchObject({ status: 'ok' });
  });
});
