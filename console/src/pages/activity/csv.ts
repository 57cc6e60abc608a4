import { doerOf, type Names } from '../../names.ts';
import type { Event } from '../../types.ts';
import { pageOf } from './feed.ts';
import { sentenceOf } from './sentence.tsx';
import type { View } from './view.ts';

const own = ['occurred_at', 'who', 'what'];
const ids = ['actor_type', 'actor_id', 'chatbot_id', 'contact_id', 'member_id', 'key_id', 'webhook_id', 'receipt_id'];
const fields = [...own, 'type', 'count', 'changed', ...ids, 'request_id', 'id'];

/** All that the view would show down to its end, a line for each event. */
export async function csvOf(view: View, names: Names): Promise<Blob> {
  const { exportPeople } = await import('../../../../src/files/writing.ts');
  const rows = async function* () {
    for (let after: string | null = '*'; after !== null;) {
      const page = await pageOf(view, after);
      yield page.events.map((event) => rowOf(event, names));
      after = page.next_cursor;
    }
  };
  const parts: Blob[] = [];
  for await (const text of exportPeople(rows(), fields, 'csv')) parts.push(new Blob([text]));
  return new Blob(parts, { type: 'text/csv' });
}

function rowOf(event: Event, names: Names): object {
  const parts = sentenceOf({ deed: event.type, events: [event] }, names);
  return {
    ...event,
    who: doerOf(event, names),
    what: parts.map(({ text }) => text).join(''),
    actor_type: event.actor.type,
    actor_id: event.actor.id,
  };
}
