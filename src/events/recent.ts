import { read } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { cursorOf } from './cursor.ts';
import type { EventReads } from './event.ts';
import { eventLimitDefault, eventsSchema, feedProperties, listEvents } from './feed.ts';

/**
 * Like `listEvents`, but without `after` it begins so near the end that all events from there on are `limit` at most; a
 * filter looks through these alone. Oldest first.
 */
export const listRecentEvents = read({
  name: 'listRecentEvents',
  scope: 'events:read',
  input: object({}, { optional: feedProperties }),
  output: eventsSchema,
  run: async (reads, actor, input, options) => {
    const after = input.after ?? (await nearTheEnd(reads.events, actor.projectId, input.limit ?? eventLimitDefault));
    return listEvents.run(reads, actor, { ...input, after }, options);
  },
});

async function nearTheEnd(events: EventReads, projectId: string, limit: number): Promise<string> {
  const { feed, oldest, last } = await events.list(projectId, { after: 0n, types: [], limit: 1 });
  const wanted = last - BigInt(limit);
  return cursorOf({ feed, sequence: wanted < oldest - 1n ? oldest - 1n : wanted });
}
