import type { Api } from '../parts/api.ts';

/** An event as the feed tells it. */
export interface Event {
  id: string;
  sequence: string;
  type: string;
  occurred_at: string;
  actor: { type: string; id: string };
  request_id: string | null;
  chatbot_id: string | null;
  contact_id: string | null;
  contact_ids: readonly string[] | null;
  member_id: string | null;
  member_ids: readonly string[] | null;
  key_id: string | null;
  changed: readonly string[] | null;
}

export interface FeedPage {
  events: Event[];
  next_cursor: string;
}

const limit = 500;

/** The events after a cursor, up to the last that there is. */
export async function readFeed(api: Api, from = '*'): Promise<{ events: Event[]; cursor: string }> {
  const events: Event[] = [];
  let cursor = from;
  for (;;) {
    const path = `/v2/events?after=${cursor}&limit=${limit}`;
    const page = await api.data<FeedPage>({ method: 'GET', path });
    events.push(...page.events);
    cursor = page.next_cursor;
    if (page.events.length < limit) return { events, cursor };
  }
}

/** Whether they are numbered without gaps from the first on, and no id comes twice. */
export function objectionsToOrder(events: readonly Event[], first = 1): string[] {
  const odd = events.find(({ sequence }, index) => sequence !== String(first + index));
  const ids = new Set(events.map(({ id }) => id));
  return [
    ...(odd ? [`the event ${odd.id} has the sequence ${odd.sequence}, not ${first + events.indexOf(odd)}`] : []),
    ...(ids.size < events.length ? ['an id of an event comes twice'] : []),
  ];
}
