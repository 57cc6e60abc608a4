import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import type { Event, EventReads } from '../events/event.ts';
import { eventSchema } from '../events/schema.ts';
import { read } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { contactIdSchema } from './contact.ts';

interface Wanted {
  chatbotId: string;
  contactId: string;
  before?: string;
}

const eventsMax = 100;
const eventsPerLook = 200;
/** In a large feed most of the time goes by between the looks. */
const lookMs = 250;
const sequenceSchema = { type: 'string', pattern: '^[0-9]{1,18}$' } as const;

/** Newest first. Without an index by contact the feed is looked through from its end; `before` says where to go on. */
export const listContactEvents = read({
  name: 'listContactEvents',
  scope: 'events:read',
  input: object({ chatbotId: chatbotIdSchema, contactId: contactIdSchema }, { optional: { before: sequenceSchema } }),
  output: object({
    events: { type: 'array', items: eventSchema, maxItems: eventsMax + eventsPerLook },
    before: { ...sequenceSchema, type: ['string', 'null'] },
  }),
  run: async ({ events }, { projectId }, { before, ...wanted }: Wanted, { signal }) => {
    const { oldest, last } = await events.list(projectId, { after: 0n, types: [], limit: 1 });
    const until = performance.now() + lookMs;
    const found: Event[] = [];
    let next = before === undefined || BigInt(before) > last ? last + 1n : BigInt(before);
    while (next > oldest && found.length < eventsMax) {
      const looked = await lookBefore(events, projectId, next);
      found.push(...looked.events.filter((event) => isAbout(event, wanted)).map((event) => alone(event, wanted)));
      next = looked.from;
      if (performance.now() > until) break;
      // Other requests have their turn.
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    return { events: found, before: next > oldest ? String(next) : null };
  },
});

/** Newest first. */
async function lookBefore(events: EventReads, projectId: string, next: bigint) {
  const from = next > eventsPerLook ? next - BigInt(eventsPerLook) : 1n;
  const page = await events.list(projectId, { after: from - 1n, types: [], limit: Number(next - from) });
  return { from, events: page.events.toReversed() };
}

function isAbout({ chatbot_id, contact_id, contact_ids }: Event, { chatbotId, contactId }: Wanted): boolean {
  return chatbot_id === chatbotId && (contact_id === contactId || contact_ids?.includes(contactId) === true);
}

function alone(event: Event, { contactId }: Wanted): Event {
  return { ...event, contact_id: contactId, contact_ids: null };
}
