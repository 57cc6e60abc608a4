import type { Event, EventConditions } from '../events/event.ts';
import { everyUser } from './event-conditions.ts';
import { inList, type Sql, sql } from './sql.ts';

/** Block 0 has the events 1 to 256, if they are kept. */
export const blockLength = 256;
const contactParts = 16;
/** The part with all marks but those of contacts. */
export const facets = 0;
const allParts = Array.from({ length: contactParts + 1 }, (_, part) => part);
const digestCodes = 36 ** 4;

type Facet = 'type' | 'actor type' | 'actor' | 'chatbot' | 'member';

/** FNV-1a, mixed: a wrong hit costs a look at some events. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

function digestOf(hash: number): string {
  return ((hash >>> 5) % digestCodes).toString(36).padStart(4, '0');
}

function facetOf(facet: Facet, value: string): string {
  return digestOf(hashOf(`${facet} ${value}`));
}

function contactMark(id: string): readonly [part: number, digest: string] {
  const hash = hashOf(id);
  return [1 + (hash % contactParts), digestOf(hash)];
}

/** The condition for blocks that may have a matching event; undefined if marks cannot tell. */
export function markedAs(projectId: string, wanted: EventConditions, blocks: Sql): Sql | undefined {
  const { types, chatbotId, actorType, actorId, contactId, memberId, occurredFrom, occurredBefore } = wanted;
  const all = [
    ...hasAnyOf('type', types),
    ...hasAnyOf('chatbot', chatbotId),
    ...hasAnyOf('actor type', actorType),
    ...hasAnyOf('actor', actorId),
    ...hasAnyOf('member', memberId),
    ...(occurredFrom === undefined ? [] : [sql`latest >= ${occurredFrom}`]),
    ...(occurredBefore === undefined ? [] : [sql`earliest < ${occurredBefore}`]),
    ...(contactId === undefined ? [] : [hasContact(projectId, contactId, blocks)]),
  ];
  return all.length === 0 ? undefined : all.reduce((some, one) => sql`${some} and ${one}`);
}

function hasAnyOf(facet: Facet, values: string | readonly string[] = []): Sql[] {
  const digests = [values].flat().map((value) => facetOf(facet, value));
  return digests.length === 0 ? [] : [likeAnyOf(digests)];
}

function likeAnyOf(digests: readonly string[]): Sql {
  const { values } = inList(digests.map((digest) => `%,${digest},%`));
  const pieces = tests.get(values.length) ?? [
    '(marks like ',
    ...Array<string>(values.length - 1).fill(' or marks like '),
    ')',
  ];
  tests.set(values.length, pieces);
  return { pieces, values };
}

const tests = new Map<number, readonly string[]>();

function hasContact(projectId: string, id: string, blocks: Sql): Sql {
  const [part, digest] = contactMark(id);
  return sql`block in (
    select block from event_marks
    where project_id = ${projectId} and part = ${part} and ${blocks} and ${likeAnyOf([digest])})`;
}

export function marksIn(event: Event): (readonly [part: number, digest: string])[] {
  const contacts = [event.contact_id ?? [], event.contact_ids ?? []].flat().map(contactMark);
  return [...facetsOf(event).map((digest) => [facets, digest] as const), ...contacts];
}

function facetsOf({ type, actor, chatbot_id, member_id, member_ids }: Event): string[] {
  const values: [Facet, string | null][] = [
    ['type', type],
    ['actor type', actor.type],
    ['actor', actor.id],
    // A search for all users finds each of them.
    ['actor', actor.id.startsWith(`${everyUser}:`) ? everyUser : null],
    ['chatbot', chatbot_id],
    ...[member_id, ...(member_ids ?? [])].map((id): [Facet, string | null] => ['member', id]),
  ];
  return values.flatMap(([facet, value]) => (value === null ? [] : facetOf(facet, value)));
}

export function forgetMarks(projectId: string, lastGone: string): Sql {
  return sql`delete from event_marks
    where project_id = ${projectId} and part in ${inList(allParts)}
      and block < cast(${lastGone} as bigint) / ${blockLength}`;
}
