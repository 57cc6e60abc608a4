import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { deleteProjectInSteps } from '../../src/cli/contacts/delete-in-steps.ts';
import { createContact } from '../../src/contacts/create.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { sql } from '../../src/database/sql.ts';
import { watchLosses } from '../../src/jobs/losses.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { startProxy } from '../support/cut-connections.ts';
import { engines } from '../support/engines.ts';
import { aProject } from '../support/people.ts';

/** A store that has written five events of a project, by way of a proxy; `connectAgain` is what a failover does to it. */
async function written() {
  const stack = new AsyncDisposableStack();
  const place = stack.use(await engines[1].open());
  const { projectId, chatbotId } = await aProject(place.store, { contacts: [] });
  const proxy = stack.use(await startProxy(place.url));
  const store = stack.use(storeOn(openPostgres(proxy.url, { serving: true })));
  const create = async (on: Store) => {
    await run(createContact, on, operator(projectId), { chatbotId, properties: { name: 'Ana' } });
  };
  for (let i = 0; i < 5; i++) await create(store);
  await store.lostEvents();
  const [last] = await place.database.all<{ n: number }>(sql`select last_event as n from projects`);
  const lose = async (events: number) => {
    await place.database.run(
      sql`delete from events where project_id = ${projectId}
        and sequence > (select last_event from projects where id = ${projectId}) - ${events}`,
    );
    await place.database.run(sql`update projects set last_event = last_event - ${events} where id = ${projectId}`);
  };
  const connectAgain = async () => {
    proxy.cut();
    await expect
      .poll(() =>
        store.ready().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  };
  const { database, store: other } = place;
  const dispose = () => stack.disposeAsync();
  return {
    store,
    other,
    database,
    projectId,
    last: last?.n ?? 0,
    create,
    lose,
    connectAgain,
    [Symbol.asyncDispose]: dispose,
  };
}

describe('acknowledged events that a failover loses', () => {
  it('are named once, by the process that acknowledged them', async () => {
    await using at = await written();
    await at.lose(2);
    await at.connectAgain();
    const { projectId, last } = at;
    expect(await at.store.lostEvents()).toEqual([{ projectId, from: BigInt(last - 1), to: BigInt(last), count: 2 }]);
    await at.connectAgain();
    expect(await at.store.lostEvents()).toEqual([]);
  });

  it('are those of this process alone, whatever others have written between', async () => {
    await using at = await written();
    await at.create(at.other);
    await at.create(at.store);
    await at.create(at.other);
    await at.lose(3);
    await at.connectAgain();
    const own = BigInt(at.last + 2);
    expect(await at.store.lostEvents()).toEqual([{ projectId: at.projectId, from: own, to: own, count: 1 }]);
  });

  it('are named where others have their numbers by now', async () => {
    await using at = await written();
    await at.lose(3);
    for (let i = 0; i < 4; i++) await at.create(at.other);
    await at.connectAgain();
    const { projectId, last } = at;
    expect(await at.store.lostEvents()).toEqual([{ projectId, from: BigInt(last - 2), to: BigInt(last), count: 3 }]);
  });

  it('are named where this process has written on before it looked, of whenever they are', async () => {
    await using at = await written();
    for (let i = 0; i < 2; i++) await at.create(at.store);
    await at.lose(4);
    await at.connectAgain();
    for (let i = 0; i < 6; i++) await at.create(at.store);
    const { projectId, last } = at;
    expect(await at.store.lostEvents()).toEqual([
      { projectId, from: BigInt(last - 1), to: BigInt(last + 2), count: 4 },
    ]);
    await at.connectAgain();
    expect(await at.store.lostEvents()).toEqual([]);
  });

  it.each([
    ['a lost connection alone', async () => undefined],
    [
      'events that are too old',
      ({ database, projectId }) => database.run(sql`delete from events where project_id = ${projectId}`),
    ],
    [
      'a project that was deleted and made again with the same id',
      async ({ other, projectId }) => {
        await deleteProjectInSteps(other, projectId);
        await aProject(other, { id: projectId });
      },
    ],
  ] as [string, (at: Awaited<ReturnType<typeof written>>) => Promise<unknown>][])(
    'are not meant by %s',
    async (_what, happens) => {
      await using at = await written();
      await happens(at);
      await at.connectAgain();
      expect(await at.store.lostEvents()).toEqual([]);
    },
  );

  it('are an error in the log and a number for the metric', async () => {
    const lost = [{ projectId: 'acme', from: 7n, to: 9n, count: 2 }];
    const store = { lostEvents: async () => lost.splice(0) };
    const told: [object, string][] = [];
    const counted = Promise.withResolvers<number>();
    const log = { error: (fields: object, message: string) => void told.push([fields, message]) };
    await using _ = watchLosses(store, { log, onLost: counted.resolve, everyMs: 1 });
    expect(await counted.promise).toBe(2);
    expect(told).toEqual([
      [{ project_id: 'acme', from: '7', to: '9', count: 2 }, expect.stringContaining('lost acknowledged events')],
    ]);
  });
});
