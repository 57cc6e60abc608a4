import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { read, type RunOptions } from '../operation.ts';
import { storablePattern } from '../values/field.ts';
import { giveWay } from '../values/give-way.ts';
import { object } from '../values/object-schema.ts';
import { limitSchema } from '../values/page.ts';
import { cursorOf, endOf, type FeedPosition, positionOf, requireCurrent } from './cursor.ts';
import type { EventPage, EventReads } from './event.ts';
import { eventPatterns, typesOf } from './patterns.ts';
import { eventSchema, exampleEvent } from './schema.ts';

const eventLimitDefault = 100;
export const eventLimitMax = 500;
export const waitSecondsMax = 20;
const textLengthMax = 1_000;
const typesMax = 100;

const feedProperties = {
  after: {
    type: 'string',
    minLength: 1,
    maxLength: textLengthMax,
    pattern: storablePattern,
    default: '*',
    description: 'The `next_cursor` of an earlier answer; `*` begins at the oldest event.',
    examples: ['*'],
  },
  limit: limitSchema(eventLimitDefault, eventLimitMax, 'Maximum number of events.'),
  type: {
    type: 'array',
    items: { type: 'string', enum: eventPatterns },
    minItems: 1,
    maxItems: typesMax,
    description:
      'Only events of these types, separated by commas or by repeating the parameter. `contact.*` means all that begin with `contact.`.',
    examples: [['contact.*', 'member.invited']],
  },
  chatbot_id: {
    ...chatbotIdSchema,
    description: 'Only events about this chatbot or its contacts.',
  },
} as const;

const eventsSchema = object({
  events: { type: 'array', items: eventSchema, maxItems: eventLimitMax },
  next_cursor: {
    type: 'string',
    maxLength: 255,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'Where to go on: never null.',
  },
});

/** Throws `invalid` for a text that is no cursor, and `cursor_expired`. */
export const listEvents = read({
  name: 'listEvents',
  scope: 'events:read',
  waits: true,
  document: {
    tag: 'Events',
    summary: 'List events',
    description:
      'Lists the changes in the project in commit order: ids and names of fields, never values. Continue from `next_cursor` to miss nothing and see nothing twice. With `wait` the answer comes as soon as there is an event. Ten requests of a key and forty of a project may wait at once; further ones are answered at once.',
    answer: 'Some events, oldest first.',
  },
  input: object(
    {},
    {
      optional: {
        ...feedProperties,
        wait: {
          ...limitSchema(0, waitSecondsMax, 'Seconds to wait for such an event if there is none yet.'),
          minimum: 0,
        },
      },
    },
  ),
  output: eventsSchema,
  errors: ['invalid', 'cursor_expired'],
  example: { events: [exampleEvent], next_cursor: 'ZTEuOWYwYzFiN2U0YzNmNGQ1NS40Mi4xZjJlOGE5MA' },
  run: async ({ events }, { projectId }, input, options) => {
    const { after = '*', limit = eventLimitDefault, type, chatbot_id: chatbotId, wait = 0 } = input;
    const position = positionOf(after);
    const filter = { after: position.sequence, types: typesOf(type ?? []), chatbotId, limit };
    const look = async (from: FeedPosition, some: number) => {
      const found = await events.list(projectId, { ...filter, after: from.sequence, limit: some });
      requireCurrent(from, found);
      return found;
    };
    let page = await lookOn(position, limit, look, options);
    using waiter = page.events.length === 0 && wait > 0 ? options.openWaiter?.(wait) : undefined;
    let isWaiting = waiter !== undefined;
    while (page.events.length === 0 && isWaiting) {
      isWaiting = (await waiter?.next(projectId, page.upTo.sequence)) === true;
      // Check at the timeout too: the event under the cursor may have been replaced.
      page = await lookOn(endOf(page), limit, look, options);
    }
    return { events: page.events, next_cursor: cursorOf(endOf(page)) };
  },
});

type Look = (from: FeedPosition, limit: number) => Promise<EventPage>;

/** 500 events of bulks are slow to serialise. */
const idsMax = 100_000;

async function lookOn(from: FeedPosition, limit: number, look: Look, options: RunOptions): Promise<EventPage> {
  // All who wait are woken by the same commit.
  await giveWay();
  let page = await look(from, limit);
  const events = [...page.events];
  const hasRoom = () =>
    events.length < limit && events.reduce((sum, { contact_ids: ids }) => sum + (ids?.length ?? 0), 0) < idsMax;
  while (hasRoom() && page.upTo.sequence < page.last) {
    await giveWay();
    options.signal?.throwIfAborted();
    page = await look(endOf(page), limit - events.length);
    events.push(...page.events);
  }
  return { ...page, events };
}

/** Like `listEvents`, but without `after` it looks through the last `limit` events only. Oldest first. */
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
