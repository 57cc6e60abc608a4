import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { listContactEvents } from '../../src/contacts/history.ts';
import type { Change } from '../../src/events/event.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { engines } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import { aProject } from '../support/people.ts';

const contactId = 'ana';

async function aHistory(store: Store) {
  const { projectId, chatbotId } = await aProject(store);
  const changed = (subject: Partial<Change>): Change => ({
    type: 'contact.updated',
    chatbot_id: chatbotId,
    changed: ['email'],
    ...subject,
  });
  const historyOf = async (before?: string) => {
    const input = { chatbotId, contactId, ...(before !== undefined && { before }) };
    return (await run(listContactEvents, store, operator(projectId), input)).output;
  };
  return { projectId, changed, historyOf };
}

describe.each(engines)('the history of a contact on $engine', ({ open }) => {
  it('has its own events, newest first, and names nobody else', async () => {
    await using opened = await open();
    const { store } = opened;
    const { projectId, changed, historyOf } = await aHistory(store);
    await report(store, projectId, changed({ type: 'contact.created', contact_id: contactId, changed: null }));
    await report(store, projectId, changed({ contact_id: 'bo' }), changed({ contact_ids: ['bo', contactId] }));
    await report(store, projectId, changed({ contact_id: contactId, chatbot_id: 'another' }));
    const { events, before } = await historyOf();
    expect(events.map(({ type, contact_id: about, contact_ids: others }) => [type, about, others])).toEqual([
      ['contact.updated', contactId, null],
      ['contact.created', contactId, null],
    ]);
    expect(before).toBeNull();
  });

  it('goes on where it stopped, to the oldest event that is kept', async () => {
    await using opened = await open();
    const { store } = opened;
    const { projectId, changed, historyOf } = await aHistory(store);
    for (let count = 0; count < 5; count++) {
      const some = Array.from({ length: 100 }, (_, n) => changed({ contact_id: n % 2 === 0 ? contactId : 'bo' }));
      await report(store, projectId, ...some);
    }
    const numbers: number[] = [];
    let answers = 0;
    for (let before: string | null | undefined; before !== null; answers++) {
      const answer = await historyOf(before);
      numbers.push(...answer.events.map(({ sequence }) => Number(sequence)));
      ({ before } = answer);
    }
    const own = (await eventsOf(store, projectId)).filter(({ contact_id: id }) => id === contactId);
    expect(numbers).toEqual(own.map(({ sequence }) => Number(sequence)).toReversed());
    expect(answers).toBeGreaterThan(1);
  });

  it('is empty where nothing is kept', async () => {
    await using opened = await open();
    const { historyOf } = await aHistory(opened.store);
    expect(await historyOf()).toEqual({ events: [], before: null });
    expect(await historyOf('999999')).toEqual({ events: [], before: null });
  });
});
