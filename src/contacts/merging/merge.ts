import type { XStatic } from 'typebox/schema';

import { chatbotIdSchema } from '../../chatbots/chatbot.ts';
import { requireChatbot } from '../../chatbots/require.ts';
import { changed, type NewEvent, unchanged } from '../../events/event.ts';
import { write } from '../../operation.ts';
import { type Revised, revised } from '../../revision.ts';
import type { UnitOfWork } from '../../store.ts';
import { invalid } from '../../validation.ts';
import { newId } from '../../values/identifier.ts';
import { object } from '../../values/object-schema.ts';
import { addSeconds, day, formatTimestamp, type Timestamp, timestampSchema } from '../../values/timestamp.ts';
import { wasMerged } from '../change/aliases.ts';
import { differences } from '../change/given.ts';
import { requireContact } from '../change/working-set.ts';
import { contactIdSchema, type StoredContact, touched } from '../contact.ts';
import { contactSchema, exampleView, includeSchema, type View, viewOf } from '../view.ts';
import { type Lost, planMerge, type TakenFields, wrongField } from './plan.ts';

/** Null are `merge_id` in a dry run, `undo_until` without a bin, and `contact` in a repeat once it is gone. */
export interface Merged {
  merge_id: string | null;
  undo_until: Timestamp | null;
  contact: View | null;
  taken: TakenFields;
  lost: Lost[];
}

const sourcesMax = 20;
export const fieldName = { type: 'string', maxLength: 64, pattern: '^[a-z][a-z0-9_.]*$' } as const;
const fieldNames = { ...fieldName, description: 'must have the name of a field as its name' };
const byField = {
  type: 'object',
  maxProperties: 100,
  propertyNames: fieldNames,
  additionalProperties: contactIdSchema,
} as const;
const dryRun = 'Only tell what a merge would do, and store nothing; `merge_id` is then null.';

export const mergeIdSchema = { ...contactIdSchema, description: 'The id of the merge; an undo needs it.' };

const input = object(
  {
    chatbotId: chatbotIdSchema,
    contactId: contactIdSchema,
    from: {
      type: 'array',
      items: contactIdSchema,
      minItems: 1,
      maxItems: sourcesMax,
      uniqueItems: true,
      description: 'Ids of the contacts to merge into this one.',
      examples: [['019aaaaa-0000-7000-8000-000000000000']],
    },
  },
  {
    optional: {
      keep: { ...byField, description: 'For a field, the id of the contact whose value stays.' },
      dry_run: { type: 'boolean', default: false, description: dryRun, examples: [false] },
      include: includeSchema,
    },
  },
);
type Merge = XStatic<typeof input>;

export const mergeContacts = write({
  name: 'mergeContacts',
  scope: 'contacts:write',
  queue: 'chatbot',
  document: {
    tag: 'Contacts',
    summary: 'Merge contacts',
    description:
      'Merges contacts into this one. Its values win, and the oldest of them fills what it lacks; `keep` names the contact whose value of a field stays (`name` with its parts is one field). Tags are joined, and missing attributes filled. `GET` of a merged contact is 410 `merged`; its id, e-mail and external id lead to this one. A repeated merge answers as the first did.',
    answer: 'The contact, where each field that it took came from, and the values that are lost.',
  },
  input,
  check: ({ contactId, from, keep = {} }) => {
    if (from.includes(contactId)) {
      throw invalid([{ field: 'from', code: 'not_allowed', message: 'must not name the contact that stays' }]);
    }
    const errors = Object.entries(keep).flatMap(([name, id]) => {
      const field = `keep.${name}`;
      const message = wrongField(name);
      if (message !== undefined) return { field, code: 'unknown' as const, message };
      if (id === contactId || from.includes(id)) return [];
      return {
        field,
        code: 'not_allowed' as const,
        message: 'must be the id of the contact that stays, or of one that is merged into it',
      };
    });
    if (errors.length > 0) throw invalid(errors);
  },
  output: object({
    merge_id: { ...mergeIdSchema, type: ['string', 'null'] },
    undo_until: {
      ...timestampSchema,
      type: ['string', 'null'],
      description: 'Until when the merge can be undone; null where there is no bin.',
    },
    contact: { anyOf: [contactSchema, { type: 'null' }], description: 'Null in a repeat if the contact is gone.' },
    taken: { ...byField, description: 'For each field that was taken, the id of the contact that had the value.' },
    lost: {
      type: 'array',
      maxItems: 2_000,
      description: 'Values that the merge hides.',
      items: object({
        field: { ...fieldName, description: 'The field.' },
        contact_id: { ...contactIdSchema, description: 'The contact that had the value.' },
      }),
    },
  }),
  errors: ['not_found', 'merged', 'precondition_failed'],
  example: {
    merge_id: '019aaaaa-0000-7000-8000-000000000001',
    undo_until: '2026-07-08T13:38:33+00:00',
    contact: exampleView,
    taken: { phone: '019aaaaa-0000-7000-8000-000000000000' },
    lost: [{ field: 'email', contact_id: '019aaaaa-0000-7000-8000-000000000000' }],
  },
  repeat: {
    keep: ({ merge_id, undo_until, taken, lost }: Merged): MergeReport => ({ merge_id, undo_until, taken, lost }),
    render: async ({ contacts }, { projectId }, told: MergeReport, { chatbotId, contactId, include }) =>
      answered(told, await contacts.findWhole(projectId, chatbotId, contactId), include),
  },
  current: async (unit, { projectId }, input) => {
    const { target, earlier } = await partsOf(unit, projectId, input);
    return earlier ? null : target.revision;
  },
  run: async (unit, { projectId }, input) => {
    const { contacts } = unit;
    const { chatbotId, contactId, keep = {}, dry_run: isDry, include } = input;
    const { request, target, earlier, sources } = await partsOf(unit, projectId, input);
    const id = isDry === true ? null : (earlier?.id ?? newId());
    const at = earlier?.merged_at ?? formatTimestamp(new Date());
    const undo = { merge_id: id, undo_until: undoUntil(at, await contacts.binDays()) };
    if (earlier) {
      const { taken, lost } = JSON.parse(earlier.result) as Pick<Merged, 'taken' | 'lost'>;
      return unchanged(answered({ ...undo, taken, lost }, target, include));
    }
    const { after, taken, lost, former } = planMerge(target, sources, keep);
    const stays = differences(target, after).length === 0 ? target : touched(after, at);
    const told = { ...undo, taken, lost };
    if (id === null) return unchanged(answered(told, { ...stays, revision: target.revision }, include));
    const texts = { request, result: JSON.stringify({ taken, lost }) };
    const values = undo.undo_until === null ? null : JSON.stringify(former);
    const merge = { id, contact_id: contactId, merged_at: at, ...texts, former: values };
    await contacts.merge(projectId, chatbotId, merge, sources);
    if (stays !== target) await contacts.save(projectId, chatbotId, [{ before: target, after: stays }]);
    const ids = sources.map((one) => one.id);
    const event: NewEvent = { type: 'contact.merged', chatbot_id: chatbotId, contact_id: contactId, contact_ids: ids };
    return changed(answered(told, stays, include), event);
  },
});

/** The contacts of a merge, or the merge that did the same before. Throws `not_found` and `merged`. */
async function partsOf({ chatbots, contacts }: UnitOfWork, projectId: string, input: Merge) {
  const { chatbotId, contactId, from, keep = {} } = input;
  await requireChatbot(chatbots, projectId, chatbotId);
  const owner = { projectId, chatbotId };
  const target = await requireContact(contacts, owner, contactId);
  const request = JSON.stringify([from.toSorted(), Object.entries(keep).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  const [merged] = await contacts.mergedAmong(projectId, chatbotId, from);
  const earlier = merged && (await contacts.findMerge(projectId, chatbotId, merged.merge_id));
  const isSame = earlier?.contact_id === contactId && earlier.request === request;
  if (merged && !isSame) throw wasMerged(chatbotId, merged.merged_into);
  const sources: StoredContact[] = [];
  for (const id of earlier ? [] : from) sources.push(await requireContact(contacts, owner, id));
  return { request, target, earlier, sources };
}

type MergeReport = Omit<Merged, 'contact'>;

function answered(
  { merge_id, undo_until, taken, lost }: MergeReport,
  contact: StoredContact | undefined,
  include: Merge['include'],
): Merged | Revised<Merged> {
  const answer = { merge_id, undo_until, contact: contact ? viewOf(contact, include) : null, taken, lost };
  return contact ? revised<Merged>(answer, contact) : answer;
}

export function undoUntil(at: Timestamp, binDays: number): Timestamp | null {
  return binDays === 0 ? null : formatTimestamp(addSeconds(new Date(at), binDays * day));
}
