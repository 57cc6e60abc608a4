import { api } from '../../api.ts';
import { patiently } from '../../patience.ts';

export interface RosterEvent {
  id: string;
  type: string;
  occurred_at: string;
  actor: { type: 'key' | 'member' | 'operator' | 'job'; id: string };
  contact_id: string | null;
  contact_ids: readonly string[] | null;
  changed: readonly string[] | null;
}

interface Feed {
  events: RosterEvent[];
  next_cursor: string;
}

export interface History {
  /** Newest first. */
  events: readonly RosterEvent[];
  cursor: string;
  /** Whether all events of the chatbot were looked through. */
  isWhole: boolean;
  /** The time of the last event that was looked at. */
  upTo: string | undefined;
}

export const noHistory: History = { events: [], cursor: '*', isWhole: false, upTo: undefined };

const eventsAPage = 200;
const pagesAtOnce = 25;

/** Goes on through the events of the chatbot, oldest first, for those of one contact: the feed has no shorter way. */
export async function lookFurther(
  before: History,
  chatbotId: string,
  contactId: string,
  signal: AbortSignal,
): Promise<History> {
  let { cursor, upTo } = before;
  const found: RosterEvent[] = [];
  for (let page = 0; page < pagesAtOnce; page++) {
    const query = { chatbot_id: chatbotId, after: cursor, limit: eventsAPage };
    const feed = await patiently(() => api.get<Feed>('/events', { query, signal }), { signal });
    found.push(...feed.events.filter((event) => isAbout(event, contactId)));
    cursor = feed.next_cursor;
    upTo = feed.events.at(-1)?.occurred_at ?? upTo;
    if (feed.events.length < eventsAPage) return { ...joined(before, found), cursor, upTo, isWhole: true };
  }
  return { ...joined(before, found), cursor, upTo, isWhole: false };
}

function joined({ events }: History, found: readonly RosterEvent[]): Pick<History, 'events'> {
  return { events: [...found.toReversed(), ...events] };
}

function isAbout({ contact_id: id, contact_ids: ids }: RosterEvent, contactId: string): boolean {
  return id === contactId || ids?.includes(contactId) === true;
}

const deeds: Partial<Record<string, string>> = {
  'contact.created': 'Created',
  'contact.updated': 'Changed',
  'contact.deleted': 'Put into the bin',
  'contact.restored': 'Restored from the bin',
  'contact.purged': 'Deleted for good',
};

export function deedOf({ type, changed }: RosterEvent): string {
  const deed = deeds[type] ?? type;
  return changed && changed.length > 0
    ? `${deed} ${changed.map((name) => name.replaceAll('_', ' ')).join(', ')}`
    : deed;
}
