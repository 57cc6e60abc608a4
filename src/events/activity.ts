import { read } from '../operation.ts';
import { unrevised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { cursorOf } from './cursor.ts';
import type { Event } from './event.ts';
import { eventsProperty, feedProperties, listEvents, nextCursorSchema } from './feed.ts';
import { filterProperties } from './filter.ts';

/** For people: newest first. `newer_cursor` is of `listEvents`: what comes after it may be listed already. */
export const listActivity = read({
  name: 'listActivity',
  scope: 'events:read',
  input: object({}, { optional: { ...feedProperties, ...filterProperties } }),
  output: object({
    events: eventsProperty,
    next_cursor: { type: ['string', 'null'], ...nextCursorSchema },
    newer_cursor: { type: 'string', ...nextCursorSchema },
  }),
  run: async (reads, actor, input, options) => {
    const { feed, last } = await reads.events.list(actor.projectId, { after: 0n, types: [], limit: 1 });
    const page = unrevised(await listEvents.run(reads, actor, { ...input, order: 'desc' }, options)).output;
    const { events, next_cursor } = page;
    return { events: events.map(counted), next_cursor, newer_cursor: cursorOf({ feed, sequence: last }) };
  },
});

/** An import has a thousand ids in each of its events. */
function counted(event: Event): Event {
  const { contact_id: one, contact_ids: ids } = event;
  if (ids === null) return event;
  return {
    ...event,
    contact_id: one ?? (ids.length === 1 ? (ids[0] ?? null) : null),
    contact_ids: null,
    count: ids.length,
  };
}
