import type { Event, EventReads } from '../events/event.ts';
import { eventSchema, exampleEvent } from '../events/schema.ts';
import { read } from '../operation.ts';
import { propertiesOf } from '../validation.ts';
import type { Abortable } from '../values/abortable.ts';
import { storablePattern } from '../values/field.ts';
import { eachInTurn, giveWay } from '../values/give-way.ts';
import { object } from '../values/object-schema.ts';
import { timestampSchema } from '../values/timestamp.ts';
import { contactIdSchema, type OwnedContact } from './contact.ts';
import { contactInProjectSchema, exampleInProject, placesSchema, viewInProject } from './in-project.ts';
import { requireOneOf, valueOf, valueProperties } from './lookup.ts';
import { type Former, replacedIn } from './merging/plan.ts';
import type { MergedContact, ReplacedValues } from './merging/store.ts';
import { tagLengthMax, tagPattern, tagsMax } from './properties.ts';
import { type ContactReads, type ContactRef, type Kept, refKey, refsIn } from './store.ts';
import { includes, type View } from './view.ts';

const rowsMax = 1_000_000;
const eventsOfLook = 500;

const replacedSchema = object({
  merged_at: { ...timestampSchema, description: 'When a merge replaced them: UTC, whole seconds.' },
  values: {
    type: 'object',
    additionalProperties: {
      type: ['string', 'number', 'boolean', 'array'],
      maxLength: 2_048,
      pattern: storablePattern,
      maxItems: tagsMax,
      items: { type: 'string', maxLength: tagLengthMax, pattern: tagPattern },
    },
    maxProperties: 100,
    description: 'By the names of the fields.',
  },
});

const disclosedSchema = {
  ...contactInProjectSchema,
  title: 'DisclosedContact',
  description:
    'A contact in the bin has `deleted_at`; one that was merged has `merged_into`, and only its ids, its e-mail and its times once the merge can no longer be undone. `replaced` has values that a merge replaced, for as long as it can be undone.',
  properties: {
    ...propertiesOf(contactInProjectSchema),
    merged_into: { ...contactIdSchema, description: 'The contact into which it was merged.' },
    merged_at: { ...timestampSchema, description: 'When it was merged: UTC, whole seconds.' },
    replaced: { type: 'array', maxItems: rowsMax, items: replacedSchema },
  },
};

/** Reads without a snapshot: a write meanwhile may be in it or not. */
export const discloseContacts = read({
  name: 'discloseContacts',
  scope: 'contacts:read',
  secondScope: 'contacts:write',
  document: {
    tag: 'Contacts',
    summary: 'Disclose a person',
    description:
      'All that is kept of one person in all chatbots of the project, for a request under article 15 or 20 of the GDPR: the contacts with this e-mail, phone or external id, or these contacts, with all that was merged into them, and the values that a merge replaced; those in the bin; and the events about them. It may take some seconds where there are many events.',
    answer: 'All that is kept, oldest events first.',
  },
  input: object({}, { optional: { ...valueProperties, contacts: placesSchema } }),
  check: (input) => requireOneOf(input, 'contacts'),
  output: object({
    contacts: { type: 'array', items: disclosedSchema, maxItems: rowsMax },
    deleted: { type: 'array', items: disclosedSchema, maxItems: rowsMax },
    events: { type: 'array', items: eventSchema, maxItems: rowsMax },
  }),
  example: { contacts: [exampleInProject], deleted: [] as View[], events: [exampleEvent] },
  run: async ({ contacts, events }, { projectId }, { contacts: places, ...given }, caller) => {
    const sought = valueOf(given);
    const found = sought && (await contacts.findKept(projectId, sought.kind, sought.value, caller));
    const kept = await keptOf(contacts, projectId, found ?? places ?? [], caller);
    const replaced = Map.groupBy(kept.replaced, ({ chatbot_id, contact_id: id }) => refKey({ chatbot_id, id }));
    const views = <One extends OwnedContact>(of: readonly One[], view: (one: One) => View) =>
      eachInTurn(of, (one) => ({ ...view(one), ...replacedView(replaced.get(refKey(one))) }));
    return {
      contacts: await views(kept.contacts, wholeView),
      deleted: [...(await views(kept.deleted, wholeView)), ...(await views(kept.merged, mergedView))],
      events: await eventsAbout(events, projectId, kept, caller),
    };
  },
});

async function keptOf(
  contacts: ContactReads,
  projectId: string,
  places: readonly ContactRef[],
  caller: Abortable,
): Promise<Kept> {
  const kept = await contacts.kept(projectId, places, caller);
  if (kept.merged.length === 0) return kept;
  const staying = kept.merged.map(({ chatbot_id, merged_into }) => ({ chatbot_id, id: merged_into }));
  return contacts.kept(projectId, [...places, ...staying], caller);
}

const wholeView = (one: OwnedContact) => viewInProject(one, includes);

function mergedView(one: MergedContact): View {
  const { email, external_id: externalId, merged_into, merged_at } = one;
  const whole = { ...one, email: email ?? one.email_key, external_id: externalId ?? one.alias };
  return { ...wholeView(whole), merged_into, merged_at };
}

/** Nothing where all that an undo gives back is that a value is unknown. */
function replacedView(merges: readonly ReplacedValues[] = []): View {
  const all = merges.map(({ merged_at, former }) => ({ merged_at, values: replacedIn(JSON.parse(former) as Former) }));
  const replaced = all.filter(({ values }) => Object.keys(values).length > 0);
  return replaced.length > 0 ? { replaced } : {};
}

async function eventsAbout(events: EventReads, projectId: string, kept: Kept, caller: Abortable): Promise<Event[]> {
  const all = refsIn(kept);
  const found: Event[] = [];
  if (all.length === 0) return found;
  const places = new Set(await eachInTurn(all, refKey));
  const contactIds = [...new Set(all.map(({ id }) => id))];
  for (let after = 0n; ;) {
    await giveWay();
    caller.signal?.throwIfAborted();
    const filter = { after, types: [], contactIds, limit: eventsOfLook };
    const page = await events.list(projectId, filter);
    for (const event of page.events) found.push(...(partOf(event, places) ?? []));
    if (page.upTo.sequence >= page.last) return found;
    after = page.upTo.sequence;
  }
}

/** The event without the ids of other people; undefined if it is not about these. */
function partOf(event: Event, places: ReadonlySet<string>): [Event] | undefined {
  const { chatbot_id: chatbotId, contact_id: contactId, contact_ids: contactIds } = event;
  if (chatbotId === null) return undefined;
  const isOwn = (id: string) => places.has(refKey({ chatbot_id: chatbotId, id }));
  const ids = contactIds?.filter(isOwn) ?? [];
  const isAbout = contactId !== null && isOwn(contactId);
  if (!isAbout && ids.length === 0) return undefined;
  return [{ ...event, contact_id: isAbout ? contactId : null, contact_ids: ids.length > 0 ? ids : null }];
}
