import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { run } from '../../src/operation.ts';
import { engines } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aProject } from '../support/people.ts';

it('an insertion that SQLite refuses leaves no events of the writes that came with it', async () => {
  await using opened = await engines[0].openOwn();
  const { store, database } = opened;
  const [one, other] = [await aProject(store), await aProject(store)];
  await database.script(
    `create trigger refuse before insert on contacts when new.name = 'Refused' begin select raise(fail, 'refused'); end`,
  );
  const create = ({ projectId, chatbotId }: typeof one, name: string) =>
    run(createContact, store, operator(projectId), { chatbotId, properties: { name } });
  const together = [create(one, 'Ana'), create(other, 'Bo'), create(one, 'Refused'), create(other, 'Cy')];
  const outcomes = (await Promise.allSettled(together)).map(({ status }) => status);
  expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  await create(other, 'Later');
  const created = (await eventsOf(store, other.projectId)).filter(({ type }) => type === 'contact.created');
  expect(created).toHaveLength(3);
});

it('a commit that PostgreSQL refuses undoes nothing of the transaction that was sent behind it', async () => {
  await using opened = await engines[1].openOwn();
  const { store, database } = opened;
  const { projectId, chatbotId } = await aProject(store);
  const before = (await eventsOf(store, projectId)).length;
  await database.script(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create constraint trigger refuse after insert on contacts deferrable initially deferred
    for each row when (new.name like 'Refused%') execute function refuse()`);
  const names = Array.from({ length: 190 }, (_, index) => (index % 60 === 59 ? `Refused ${index}` : `Person ${index}`));
  const creates: Promise<unknown>[] = [];
  for (const name of names) {
    creates.push(run(createContact, store, operator(projectId), { chatbotId, properties: { name } }));
    // So that some wait while others are committed.
    await nextTurn();
  }
  const outcomes = await Promise.allSettled(creates);
  const fine = names.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  expect(fine).toEqual(names.filter((name) => name.startsWith('Person')));
  const rows = await database.all<{ name: string }>({ pieces: ['select name from contacts'], values: [] });
  expect(rows.map(({ name }) => name).toSorted()).toEqual(fine.toSorted());
  const sequences = (await eventsOf(store, projectId)).map(({ sequence }) => sequence);
  expect(sequences).toEqual(Array.from({ length: before + fine.length }, (_, index) => String(index + 1)));
});

it('events that end a transaction on SQLite leave nothing of another project that was in it', async () => {
  await using opened = await engines[0].openOwn();
  const { store, database } = opened;
  const [one, other] = [await aProject(store), await aProject(store)];
  // As a full disk does.
  await database.script(`
    create trigger refuse before insert on events when new.project_id = '${one.projectId}'
    begin select raise(rollback, 'refused'); end`);
  const create = ({ projectId, chatbotId }: typeof one) =>
    run(createContact, store, operator(projectId), { chatbotId, properties: { name: 'Ana' } });
  const outcomes = await Promise.allSettled([create(one), create(other)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  const created = (await eventsOf(store, other.projectId)).filter(({ type }) => type === 'contact.created');
  expect(created).toHaveLength(1);
});
