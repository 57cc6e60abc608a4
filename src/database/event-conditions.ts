import type { EventConditions } from '../events/event.ts';
import { allOf, inList, type Sql, sql } from './sql.ts';

export function matching(wanted: EventConditions): Sql {
  const { types, chatbotId, actorType, actorId, contactId, memberId, occurredFrom, occurredBefore } = wanted;
  return allOf([
    ...(types.length === 0 ? [] : [sql`type in ${inList(types)}`]),
    ...(chatbotId === undefined ? [] : [sql`chatbot_id = ${chatbotId}`]),
    ...(actorType === undefined ? [] : [sql`actor_type = ${actorType}`]),
    ...(actorId === undefined ? [] : [byActor(actorId)]),
    ...(contactId === undefined ? [] : [isOrHas(sql`contact_id`, sql`contact_ids`, contactId)]),
    ...(memberId === undefined ? [] : [isOrHas(sql`member_id`, sql`member_ids`, memberId)]),
    ...(occurredFrom === undefined ? [] : [sql`occurred_at >= ${occurredFrom}`]),
    ...(occurredBefore === undefined ? [] : [sql`occurred_at < ${occurredBefore}`]),
    ...(wanted.contactIds === undefined ? [] : [about(wanted.contactIds)]),
  ]);
}

function byActor(id: string): Sql {
  return id === everyUser ? sql`(actor_id = ${id} or actor_id like ${`${id}:%`})` : sql`actor_id = ${id}`;
}

/** The actor of events of the command line; those of later versions name the user too, `cli:ana`. */
export const everyUser = 'cli';

/** `like` would take letters of another case, and wildcards in the id. */
function isOrHas(one: Sql, list: Sql, id: string): Sql {
  return sql`(${one} = ${id} or replace(${list}, ${JSON.stringify(id)}, '') <> ${list})`;
}

/** With more ids a statement would have too many parameters. */
const contactIdsMax = 1_000;

function about(contactIds: readonly string[]): Sql {
  const one =
    contactIds.length > contactIdsMax ? sql`contact_id is not null` : sql`contact_id in ${inList(contactIds)}`;
  return sql`(${one} or contact_ids is not null)`;
}
