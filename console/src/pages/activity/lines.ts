import type { Event } from '../../types.ts';

/** Events that somebody did in one go, newest first, such as an import. */
export interface Line {
  deed: string;
  events: [Event, ...Event[]];
}

const together = new Set([
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'contact.restored',
  'contact.purged',
]);
const nearMs = 10 * 60_000;
/** Others may do something meanwhile. */
const openLines = 5;

export function linesOf(events: readonly Event[]): Line[] {
  const lines: Line[] = [];
  const imports = new Set(events.filter((one) => one.type === 'contact.created' && isBulk(one)).map(requestOf));
  for (const event of events) {
    const deed = isBulk(event) && imports.has(requestOf(event)) && event.actor.type !== 'key' ? 'import' : event.type;
    const line = lines.slice(-openLines).findLast((one) => one.deed === deed && belongs(event, one));
    if (line) line.events.push(event);
    else lines.push({ deed, events: [event] });
  }
  return lines;
}

/** Commands have no request: all that one user of the command line does in bulk is an import. */
const requestOf = ({ request_id: request, actor }: Event) => request ?? actor.id;

function isBulk(event: Event): boolean {
  return event.contact_ids !== null || (event.count !== undefined && together.has(event.type));
}

function belongs(event: Event, { deed, events: [first, ...more] }: Line): boolean {
  const last = more.at(-1) ?? first;
  if (event.receipt_id !== undefined) return event.receipt_id === last.receipt_id;
  // Many contacts are changed in one chatbot after the other.
  const isWide =
    deed === 'contact.updated' && isBulk(event) && isBulk(last) && String(event.changed) === String(last.changed);
  const isSame = event.actor.id === last.actor.id && (isWide || event.chatbot_id === last.chatbot_id);
  const apartMs = Date.parse(last.occurred_at) - Date.parse(event.occurred_at);
  return isSame && together.has(event.type) && apartMs < nearMs && dayOf(event) === dayOf(last);
}

export function dayOf({ occurred_at: at }: Event): string {
  return new Date(at).toDateString();
}

/** How many contacts a line is about; undefined if that is not known. */
export function contactsOf({ events }: Line, type?: string): number | undefined {
  const about = events.filter((one) => type === undefined || one.type === type);
  const single = new Set(about.filter((one) => !isCounted(one)).map((one) => one.contact_id));
  if (single.has(null)) return undefined;
  return about.filter(isCounted).reduce((sum, one) => sum + sizeOf(one), single.size);
}

const isCounted = ({ contact_ids: ids, count }: Event) => ids !== null || count !== undefined;
const sizeOf = ({ contact_ids: ids, count }: Event) => ids?.length ?? count ?? 0;

/** The fields that were changed, once each. */
export function fieldsOf({ events }: Line): string[] {
  return [...new Set(events.flatMap(({ changed }) => changed ?? []))].map((name) => name.replaceAll('_', ' '));
}
