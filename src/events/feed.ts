import { read, type RunOptions } from '../operation.ts';
import { invalid } from '../validation.ts';
import { storablePattern } from '../values/field.ts';
import { giveWay } from '../values/give-way.ts';
import { object } from '../values/object-schema.ts';
import { limitSchema } from '../values/page.ts';
import { cursorOf, endOf, type EventOrder, type FeedPosition, positionOf, requireCurrent } from './cursor.ts';
import type { EventPage, EventReads } from './event.ts';
import { conditionsIn, type Filter, filterProperties, requireTimes } from './filter.ts';
import { eventSchema, exampleEvent } from './schema.ts';

const eventLimitDefault = 100;
export const eventLimitMax = 500;
export const waitSecondsMax = 20;
const textLengthMax = 1_000;

export const feedProperties = {
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
  type: filterProperties.type,
  chatbot_id: filterProperties.chatbot_id,
} as const;

export const nextCursorSchema = {
  maxLength: 255,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'Where to go on. Null once a list with `order=desc` has come to the oldest event; else never null.',
};
export const eventsProperty = { type: 'array', items: eventSchema, maxItems: eventLimitMax };

/** Throws `invalid` for a text that is no cursor, and `cursor_expired`. */
export const listEvents = read({
  name: 'listEvents',
  scope: 'events:read',
  waits: true,
  document: {
    tag: 'Events',
    summary: 'List events',
    description:
      'Lists the changes in the project in commit order: ids and names of fields, never values. Continue from `next_cursor` to miss nothing and see nothing twice. All filters combine. With `wait` the answer comes as soon as there is an event. Ten requests of a key and forty of a project may wait at once; further ones are answered at once.',
    answer: 'Some events, oldest first unless `order` says otherwise.',
  },
  input: object(
    {},
    {
      optional: {
        ...feedProperties,
        ...filterProperties,
        order: {
          type: 'string',
          enum: ['asc', 'desc'],
          default: 'asc',
          description: 'Oldest or newest first. A cursor goes on in its own order only.',
          examples: ['asc'],
        },
        wait: {
          ...limitSchema(
            0,
            waitSecondsMax,
            'Seconds to wait for such an event if there is none yet; not with `order=desc`.',
          ),
          minimum: 0,
        },
      },
    },
  ),
  check: ({ order, wait = 0, ...input }) => {
    requireTimes(input);
    if (order === 'desc' && wait > 0) {
      throw invalid([{ field: 'wait', code: 'not_allowed', message: 'must be left out with order=desc' }]);
    }
  },
  output: object({ events: eventsProperty, next_cursor: { type: ['string', 'null'], ...nextCursorSchema } }),
  errors: ['invalid', 'cursor_expired'],
  example: {
    events: [exampleEvent],
    next_cursor: 'ZTEuOWYwYzFiN2U0YzNmNGQ1NS40Mi4xZjJlOGE5MA',
  },
  run: async ({ events }, { projectId }, { order = 'asc', wait = 0, ...input }, options) => {
    const page = await pageOf(events, projectId, input, { order, wait }, options);
    const isOver = order === 'desc' && page.upTo.sequence <= page.oldest;
    return { events: page.events, next_cursor: isOver ? null : cursorOf(endOf(page, order)) };
  },
});

type Asked = Filter & { after?: string; limit?: number };

async function pageOf(
  events: EventReads,
  projectId: string,
  { after = '*', limit = eventLimitDefault, ...conditions }: Asked,
  { order, wait }: { order: EventOrder; wait: number },
  options: RunOptions,
): Promise<EventPage> {
  const filter = { ...conditionsIn(conditions), isDescending: order === 'desc' };
  const look = async (from: FeedPosition, some: number) => {
    const found = await events.list(projectId, { ...filter, after: from.sequence, limit: some });
    requireCurrent(from, found);
    return found;
  };
  const given = positionOf(after, order);
  const position =
    after === '*' && order === 'desc' ? { ...given, sequence: await endOfFeed(events, projectId) } : given;
  let page = await lookOn(position, limit, look, options);
  using waiter = page.events.length === 0 && wait > 0 ? options.openWaiter?.(wait) : undefined;
  let isWaiting = waiter !== undefined;
  while (page.events.length === 0 && isWaiting) {
    isWaiting = (await waiter?.next(projectId, page.upTo.sequence)) === true;
    // Check at the timeout too: the event under the cursor may have been replaced.
    page = await lookOn(endOf(page, order), limit, look, options);
  }
  return page;
}

type Look = (from: FeedPosition, limit: number) => Promise<EventPage>;

/** Events of bulks are slow to read and to serialise: 10 of them take as long as 500 others. */
const idsMax = 10_000;

async function lookOn(from: FeedPosition, limit: number, look: Look, options: RunOptions): Promise<EventPage> {
  const { order = 'asc' } = from;
  // All who wait are woken by the same commit.
  await giveWay();
  let page = await look(from, limit);
  const events = [...page.events];
  const hasRoom = () =>
    events.length < limit && events.reduce((sum, { contact_ids: ids }) => sum + (ids?.length ?? 0), 0) < idsMax;
  const goesOn = () => (order === 'asc' ? page.upTo.sequence < page.last : page.upTo.sequence > page.oldest);
  while (hasRoom() && goesOn()) {
    await giveWay();
    options.signal?.throwIfAborted();
    page = await look(endOf(page, order), limit - events.length);
    events.push(...page.events);
  }
  return { ...page, events };
}

async function endOfFeed(events: EventReads, projectId: string): Promise<bigint> {
  return (await events.list(projectId, { after: 0n, types: [], limit: 1 })).last + 1n;
}

/** Like `listEvents`, but without `after` it looks through the last `limit` events only. Oldest first. */
export const listRecentEvents = read({
  name: 'listRecentEvents',
  scope: 'events:read',
  input: object({}, { optional: feedProperties }),
  output: object({ events: eventsProperty, next_cursor: { type: 'string', ...nextCursorSchema } }),
  run: async ({ events }, { projectId }, input, options) => {
    const after = input.after ?? (await nearTheEnd(events, projectId, input.limit ?? eventLimitDefault));
    const page = await pageOf(events, projectId, { ...input, after }, { order: 'asc', wait: 0 }, options);
    return { events: page.events, next_cursor: cursorOf(endOf(page, 'asc')) };
  },
});

async function nearTheEnd(events: EventReads, projectId: string, limit: number): Promise<string> {
  const { feed, oldest, last } = await events.list(projectId, { after: 0n, types: [], limit: 1 });
  const wanted = last - BigInt(limit);
  return cursorOf({ order: 'asc', feed, sequence: wanted < oldest - 1n ? oldest - 1n : wanted });
}
