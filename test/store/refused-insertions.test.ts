import { expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { createContact } from '../../src/contacts/create.ts';
import { run } from '../../src/operation.ts';
import { engines } from '../support/engines.ts';
import { eventsOf } from '../support/events.ts';
import { aProject } from '../support/people.ts';

it('an insertion that SQLite refuses leaves no events of the writes that came with it', async () => {
  await using opened = await engines[1].open();
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
